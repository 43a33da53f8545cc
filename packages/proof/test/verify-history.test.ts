/** The path of changes: a gap is refused, and a path without its end is an older statement that is named as such. */
import { describe, expect, it } from 'vitest'
import type { ExportDocument } from '../export.ts'
import { parsePolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import {
  type BuiltEntry,
  type Change,
  chainOf,
  exported,
  historyOf,
  loanEntry,
  saltSequence,
  sealDpu,
} from './arbitraries.ts'
import { anchored, policyText } from './log.ts'

const policy = parsePolicy(policyText)
type Tree = Record<string, unknown> & {
  evidence: Record<string, unknown> & { history: Record<string, unknown>[] }
  verification: Record<string, unknown> & { historyProofs: string[] }
}

const changes: Change[] = [
  { id: 'h1', type: 'metadata', values: { metadata: { note: 'A' }, by: {} } },
  { id: 'h2', type: 'metadata', values: { metadata: { note: 'B' }, by: {} } },
  { id: 'h3', type: 'redaction', values: { paths: ['content'], reason: 'asked for', by: {} } },
  { id: 'h4', type: 'level', values: { evidenceLevel: 'AUDIT_READY', by: {} } },
]

function unit(): BuiltEntry {
  const values = { content: 'A unit', evidenceLevel: 'DOCUMENTED', metadata: { note: 'first' } }
  return chainOf('dpu', [
    sealDpu({ id: 'dpu_1', referenceType: 'demo', vertical: 'education', values }),
  ])[0] as BuiltEntry
}

function proof(of: BuiltEntry = unit()): Tree {
  const history = historyOf(of, changes, saltSequence(), 3)
  return structuredClone(anchored(exported(of, { history }))) as unknown as Tree
}

const without = (made: Tree, position: number): Tree => {
  made.evidence.history.splice(position, 1)
  made.verification.historyProofs.splice(position, 1)
  return made
}

it('does not hold when a decision is consumed twice, or for another action', () => {
  const made = unit()
  const consumed = { action: 'consumed', executor: 'e', by: {} }
  const history = historyOf(
    made,
    [
      { id: 'h1', type: 'execution', values: { ...consumed, actionDigest: `sha256:${'0'.repeat(64)}` } },
      { id: 'h2', type: 'execution', values: consumed },
    ],
    saltSequence(),
    3,
  )
  const { standing, problems } = verifyProof(anchored(exported(made, { history })), policy)
  expect(standing).toBe('altered')
  expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual([
    'evidence.history.0.actionDigest other-action',
    'evidence.history.1.action consumed-twice',
  ])
})

describe('a path', () => {
  it('holds as a whole', () => {
    expect(verifyProof(proof(), policy)).toMatchObject({ standing: 'holds', facts: { asOf: { change: 4, size: 10 } } })
  })

  it('does not hold without a change in the middle, with the state made to fit', () => {
    const made = without(proof(), 1)
    made.evidence.metadata = { note: 'A' }
    const { standing, problems } = verifyProof(made, policy)
    expect(standing).toBe('altered')
    expect(problems.map(({ path, code }) => `${path} ${code}`)).toEqual([
      'evidence.history.1.previous path-gap',
      'evidence.history.1.state state-differs',
      'evidence.history.2.state state-differs',
    ])
  })

  it.each([0, 1, 2])('does not hold without change %s, the others as they are', (position) => {
    expect(verifyProof(without(proof(), position), policy).standing).toBe('altered')
  })

  it('without its end is an older statement, and says so', () => {
    const made = without(proof(), 3)
    Object.assign(made.evidence, { evidenceLevel: 'DOCUMENTED', status: 'pending' })
    const initial = exported(unit()).evidence as { disclosures: Record<string, string> }
    const disclosures = made.evidence.disclosures as Record<string, string>
    disclosures.evidenceLevel = initial.disclosures.evidenceLevel as string
    expect(verifyProof(made, policy)).toMatchObject({ standing: 'holds', facts: { asOf: { change: 3 } } })
    // The level of the change that was left out is no longer what the path leaves.
    Object.assign(made.evidence, { evidenceLevel: 'AUDIT_READY', status: 'sealed' })
    expect(verifyProof(made, policy).standing).toBe('altered')
  })

  it('of a decision whose level was raised begins with the sealed level', () => {
    const made = proof(loanEntry() as BuiltEntry)
    expect(made.evidence).toMatchObject({ evidenceLevel: 'AUDIT_READY', sealedLevel: 'AUDIT_READY' })
    expect(verifyProof(made, policy)).toMatchObject({ standing: 'holds', facts: { asOf: { change: 4 } } })
    made.evidence.sealedLevel = 'DRAFT'
    expect(verifyProof(made, policy).standing).toBe('altered')
  })
})

describe('a decision', () => {
  const decision = (): Tree => structuredClone(anchored(exported(loanEntry()))) as unknown as Tree

  it('is compared with the digest of its action', () => {
    expect(verifyProof(decision(), policy).facts).toMatchObject({ actionCompared: true })
    const made = decision()
    delete made.evidence.actionSalt
    delete (made.evidence.disclosures as Record<string, string>).actionSalt
    const verdict = verifyProof(made, policy)
    expect(verdict).toMatchObject({ standing: 'holds', facts: { actionCompared: false } })
    expect(verdict.limits).toContain('action')
  })

  it('whose sealed digest is of another action does not hold', () => {
    const entry = loanEntry()
    const other = entry.content.replace(/"actionDigest":"sha256:..../, '"actionDigest":"sha256:0000')
    const made = exported({ ...entry, content: other }) as ExportDocument
    const { problems } = verifyProof(made, policy)
    expect(problems.map(({ code }) => code)).toContain('digest-differs')
  })

  it('names its approvers by whose word they are, and what is not proved', () => {
    const { facts, limits } = verifyProof(decision(), policy)
    expect(facts.decision).toEqual({
      result: 'approved',
      approvals: [expect.objectContaining({ level: expect.any(String), approver: 'Ada (u1)', result: 'approved' })],
      rules: null,
      usableUntil: null,
      line: null,
      emergency: null,
    })
    expect(limits).toEqual(expect.arrayContaining(['right', 'unrecorded', 'later']))
    expect(verifyProof(exported(unit()), policy)).toMatchObject({
      facts: { decision: null },
      limits: ['right', 'unrecorded', 'later'],
    })
  })
})
