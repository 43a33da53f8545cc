import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Anchor, ExportDocument } from '../export.ts'
import { narrowedTo, parsePolicy } from '../trust-policy.ts'
import { type ProofVerdict, verifyProof } from '../verify-proof.ts'
import {
  type BuiltEntry,
  type Change,
  chainOf,
  document,
  exported,
  historyOf,
  json,
  loanEntry,
  saltSequence,
  sealDpu,
} from './arbitraries.ts'
import { anchored, host, policyText, proofsOf, signer, witnesses } from './log.ts'

const policy = parsePolicy(policyText)
type Tree = Record<string, unknown> & { evidence: Tree; verification: Tree }

const codes = ({ intact, inChain, signed, witnessed }: ProofVerdict) =>
  [intact, inChain, signed, witnessed].map(({ status, code }) => `${status} ${code}`)
const allYes = ['yes intact', 'yes in-chain', 'yes signed', 'yes witnessed']

const changed = (made: ExportDocument, change: (tree: Tree) => void): unknown => {
  const tree = structuredClone(made) as unknown as Tree
  change(tree)
  return tree
}

const decision = (anchor?: Anchor): ExportDocument => exported(loanEntry(), anchor && { anchor })

/** A DPU whose level was raised and whose content was redacted. */
function dpuExport(redacted: readonly string[] = ['content']): ExportDocument {
  const salts = saltSequence()
  const values = { content: 'Min-jun, 10 Elm Street', tags: ['a'], evidenceLevel: 'DRAFT' }
  const entry = chainOf('dpu', [
    sealDpu({ id: 'dpu_1', referenceType: 'demo', vertical: 'education', values }, salts),
  ])[0] as BuiltEntry
  const changes: Change[] = [
    { id: 'h1', type: 'level', values: { evidenceLevel: 'AUDIT_READY', by: {} } },
    { id: 'h2', type: 'redaction', values: { paths: redacted, reason: 'asked for', by: {} } },
  ]
  const history = historyOf(entry, changes, salts)
  const kept = Object.fromEntries(Object.entries(entry.values).filter(([path]) => !redacted.includes(path)))
  const keptSalts = Object.fromEntries(Object.entries(entry.salts).filter(([path]) => !redacted.includes(path)))
  return exported({ ...entry, values: kept, salts: keptSalts }, { history })
}

describe('a complete proof', () => {
  it('is intact, in the chain, signed and witnessed', () => {
    fc.assert(
      fc.property(document, fc.nat({ max: 20 }), (made, after) => {
        const verdict = verifyProof(anchored(made, { after }), policy)
        expect(codes(verdict)).toEqual(allYes)
        expect(verdict).toMatchObject({ ok: true, complete: true, problems: [] })
        const { evidence, verification } = made
        expect(verdict.facts).toMatchObject({
          asOf: { change: (evidence.history as unknown[] | undefined)?.length ?? 0, size: expect.any(Number) },
          id: evidence.id,
          decisionId: evidence.decisionId,
          log: evidence.log,
          index: verification.chainIndex,
          hash: verification.chainHash,
          sealedAt: evidence.sealedAt,
          size: (verification.chainIndex as number) + 1 + after,
          cosignedBy: witnesses.slice(0, 2).map(({ key }) => ({ name: key.name, at: '2026-01-02T03:05:01.000Z' })),
        })
      }),
      { numRuns: 100 },
    )
  })

  it('agrees with itself without a policy, and nobody vouches for it', () => {
    const verdict = verifyProof(anchored(decision()), null)
    expect(codes(verdict)).toEqual(['yes intact', ...Array(3).fill('unknown no-policy')])
    expect(verdict).toMatchObject({ standing: 'unvouched', ok: false, complete: false, facts: { cosignedBy: [] } })
  })

  it('says which members are outside of the seal', () => {
    const about = ['@context', 'exportedAt', 'verification.anchoring', 'verification.verifyUrl']
    expect(verifyProof(anchored(decision()), policy).outside).toEqual(about)
    expect(verifyProof(decision(), policy).outside).toEqual(about.toSpliced(2, 1))
    const moved = changed(anchored(decision()), (tree) => {
      tree['@context'] = 'https://other.example/decision-proof/v2'
      tree.exportedAt = '1999-01-01T00:00:00.000Z'
      Object.assign(tree.verification, { verifyUrl: 'https://other.example/verify/x', anchoring: 'logged' })
    })
    expect(verifyProof(moved, policy)).toMatchObject({ standing: 'holds', outside: about })
  })

  it('is only intact without a proof from the log', () => {
    const verdict = verifyProof(decision(), policy)
    expect(codes(verdict)).toEqual(['yes intact', ...Array(3).fill('unknown no-log-proof')])
    expect(verdict).toMatchObject({ standing: 'unvouched', complete: false, facts: { size: null } })
  })

  it('equals an export with an anchor', () => {
    const made = anchored(decision())
    const tlogProof = made.verification.tlogProof as string
    // Without a history there are no proofs of it.
    const anchor = { tlogProof, anchoring: 'witnessed', historyProofs: [] } as const
    expect(decision(anchor)).toEqual(made)
    const stamped = decision({ ...anchor, anchoring: 'timestamped', timestamp: 'AAAA' })
    expect(stamped.verification).toMatchObject({ anchoring: 'timestamped', timestamp: 'AAAA' })
    expect(verifyProof(stamped, policy)).toMatchObject({ ok: false, inChain: { status: 'no', code: 'timestamp-bad' } })
  })

  it('has the worst verdict of its history', () => {
    const made = anchored(dpuExport())
    expect(codes(verifyProof(made, policy))).toEqual(allYes)
    const without = changed(made, ({ verification }) => delete verification.historyProofs)
    expect(verifyProof(without, policy)).toMatchObject({
      standing: 'unvouched',
      complete: false,
      inChain: { status: 'unknown', code: 'no-log-proof', detail: expect.stringMatching(/^Change 1 in the history/) },
    })
    const swapped = changed(made, ({ verification }) => (verification.historyProofs as string[]).reverse())
    expect(verifyProof(swapped, policy)).toMatchObject({ ok: false, inChain: { status: 'no', code: 'another-index' } })
    const history = made.evidence.history as unknown as Parameters<typeof proofsOf>[0]
    const forged = changed(made, ({ verification }) => {
      verification.historyProofs = proofsOf(history, 3, [], signer('proof.example', 1, 8))
    })
    expect(verifyProof(forged, policy)).toMatchObject({
      standing: 'unvouched',
      inChain: { status: 'unknown', code: 'root-unsigned' },
      signed: { code: 'signed-by-nobody-known' },
    })
  })
})

describe('an altered or unsupported part has its own verdict', () => {
  const made = anchored(decision())
  const tlog = made.verification.tlogProof as string
  const withProof = (proof: unknown) => changed(made, ({ verification }) => (verification.tlogProof = proof))
  const lines = tlog.split('\n')
  const first = lines[2] as string

  it.each([
    [
      'a value',
      changed(made, ({ evidence }) => ((evidence.event as Tree).reason = 'x')),
      'no altered',
      ...allYes.slice(1),
    ],
    [
      'the log',
      withProof(tlog.replaceAll('c/42/proof', 'c/43/proof')),
      'yes intact',
      'no another-log',
      'no signed-by-nobody-known',
      'no cosignature-bad',
    ],
    ['the index', withProof(tlog.replace('index 5', 'index 4')), 'yes intact', 'no another-index', ...allYes.slice(2)],
    [
      'a hash',
      withProof(tlog.replace(first, `${first.startsWith('A') ? 'B' : 'A'}${first.slice(1)}`)),
      'yes intact',
      'no not-in-tree',
      ...allYes.slice(2),
    ],
    [
      'the size',
      withProof(tlog.replace('\n9\n', '\n5000\n')),
      'yes intact',
      'no not-in-tree',
      'no signature-bad',
      'no cosignature-bad',
    ],
    ['the text', withProof(tlog.replace('index', 'Index')), 'yes intact', ...Array(3).fill('no log-proof-malformed')],
    ['a proof that is not a string', withProof(7), 'no altered', ...Array(3).fill('no log-proof-malformed')],
    [
      'the name in a signature of the log',
      withProof(tlog.replace('— proof.example/c/42/proof ', '— proof.example/c/42/x ')),
      'yes intact',
      'unknown root-unsigned',
      'no signed-by-nobody-known',
      'yes witnessed',
    ],
    [
      'the name in a signature of a witness',
      withProof(tlog.replace('— witness.example/w1', '— witness.example/w7')),
      'yes intact',
      'yes in-chain',
      'yes signed',
      'no quorum-not-met',
    ],
  ])('%s', (_, document, ...expected) => {
    const verdict = verifyProof(document, policy)
    expect(codes(verdict)).toEqual(expected)
    expect(verdict).toMatchObject({ ok: false, complete: false })
  })

  it('a signer that is not in the policy', () => {
    const forged = anchored(decision(), { by: signer('proof.example', 1, 8) })
    expect(codes(verifyProof(forged, policy))).toEqual(
      allYes.with(1, 'unknown root-unsigned').with(2, 'no signed-by-nobody-known'),
    )
  })

  it('too few witnesses, or a policy that requires none', () => {
    const alone = anchored(decision(), { cosigners: [witnesses[2]] })
    expect(codes(verifyProof(alone, policy))).toEqual(allYes.with(3, 'no quorum-not-met'))
    const noWitness = parsePolicy(`log ${host.key.vkey}\nquorum none`)
    expect(verifyProof(alone, noWitness)).toMatchObject({
      ok: true,
      witnessed: { status: 'unknown', code: 'quorum-none' },
    })
  })

  it('a policy without a log', () => {
    const verdict = verifyProof(made, parsePolicy('quorum none'))
    expect(codes(verdict).slice(1)).toEqual([
      'unknown root-unsigned',
      'unknown policy-without-log',
      'unknown quorum-none',
    ])
    expect(verdict.standing).toBe('unvouched')
  })

  it('a file that was made offline, with a tree of its own and a random signature, is vouched for by nobody', () => {
    const made = anchored(decision(), { after: 0, by: signer('proof.example', 1, 99), cosigners: [] })
    expect(verifyProof(made, null)).toMatchObject({ standing: 'unvouched', inChain: { status: 'unknown' }, ok: false })
    expect(verifyProof(made, policy)).toMatchObject({
      standing: 'unvouched',
      inChain: { status: 'unknown' },
      ok: false,
    })
  })

  it('the log of another center, where the policy is narrowed to one', () => {
    const made = anchored(dpuExport())
    for (const log of ['proof.example/c/42', 'proof.example/c/42/dpu']) {
      expect(verifyProof(made, narrowedTo(policy, log))).toMatchObject({ standing: 'holds', complete: true })
    }
    for (const log of ['proof.example/c/4', 'proof.example/c/421', 'proof.example/c/42/proof']) {
      expect(verifyProof(made, narrowedTo(policy, log))).toMatchObject({ standing: 'unvouched' })
    }
    for (const log of ['other.example/c/42', 'proof.example']) expect(() => narrowedTo(policy, log)).toThrow('no key')
  })

  it('each key of a host that the policy lists is accepted', () => {
    const older = signer('proof.example', 1, 8)
    const both = parsePolicy(`log ${host.key.vkey}\nlog ${older.key.vkey}\nquorum none`)
    expect(verifyProof(anchored(decision(), { by: older }), both).signed).toMatchObject({ status: 'yes' })
  })
})

describe('a value that a proof does not show', () => {
  it('is redacted when the history records it', () => {
    const made = anchored(dpuExport())
    const verdict = verifyProof(made, policy)
    expect(verdict).toMatchObject({ ok: true, complete: true, undisclosed: [] })
    expect(verdict.redacted).toEqual([{ path: 'content', at: '2040-01-01T00:00:01.000Z', reason: 'asked for' }])
  })

  it('is undisclosed when the history does not record it', () => {
    const made = changed(anchored(dpuExport([])), ({ evidence }) => {
      delete evidence.tags
      delete (evidence.disclosures as Tree).tags
    })
    expect(verifyProof(made, policy)).toMatchObject({ ok: true, undisclosed: ['tags'], redacted: [] })
  })

  it('is not redacted by a history entry that was changed', () => {
    const made = changed(anchored(dpuExport()), ({ evidence }) => {
      ;((evidence.history as Tree[])[1] as Tree).paths = ['content', 'tags']
    })
    expect(verifyProof(made, policy).ok).toBe(false)
  })
})

describe('the members about the log', () => {
  const made = anchored(dpuExport())
  it.each([
    ['a level without a proof', (verification: Tree) => delete verification.tlogProof, 'verification.anchoring'],
    ['an unknown level', (verification: Tree) => (verification.anchoring = 'notarised'), 'verification.anchoring'],
    ['no level', (verification: Tree) => delete verification.anchoring, 'verification.anchoring'],
    [
      'a claimed time-stamp that is missing',
      (verification: Tree) => (verification.anchoring = 'timestamped'),
      'verification.timestamp',
    ],
    [
      'a time-stamp that is present and not claimed',
      (verification: Tree) => (verification.timestamp = 'AAAA'),
      'verification.timestamp',
    ],
    [
      'too few proofs of the history',
      (verification: Tree) => (verification.historyProofs as string[]).pop(),
      'verification.historyProofs',
    ],
    ['an unknown member', (verification: Tree) => (verification.signature = 'x'), 'verification.signature'],
  ])('are refused with %s', (_, change, path) => {
    const { intact, problems } = verifyProof(
      changed(made, ({ verification }) => change(verification)),
      policy,
    )
    expect(intact.status).toBe('no')
    expect(problems.map((problem) => problem.path)).toContain(path)
  })
})

it('never throws', () => {
  fc.assert(fc.property(fc.anything(), (anything) => !verifyProof(anything, policy).ok))
  fc.assert(
    fc.property(document, fc.constantFrom('evidence', 'verification'), fc.nat(), json, (made, part, which, value) => {
      const tree = structuredClone(anchored(made)) as unknown as Tree
      const names = Object.keys(tree[part])
      tree[part][names[which % names.length] as string] = value
      expect(typeof verifyProof(tree, policy).ok).toBe('boolean')
    }),
  )
})
