/** The source of docs/formats/dpu-chain-v1.json. Everything in it follows from patterns, so the file is deterministic. */
import { actionDigest, type DigestedAction } from '@countersign/proof/action-digest.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { digestedNames, memberNames } from '@countersign/proof/decision-fields.ts'
import { historyStatic, policyState } from '@countersign/proof/history-entry.ts'
import { layouts } from '@countersign/proof/layout.ts'
import {
  type BuiltEntry,
  type Change,
  chainOf,
  digested,
  historyOf,
  saltSequence,
  sealDpu,
  sealProof,
} from '@countersign/proof/test/arbitraries.ts'

/** An entry as a chain serves it, with the values and salts that an export would show. */
const shown = ({ index, id, hash, previousHash, sealedAt, content, values, salts }: BuiltEntry) => ({
  ...{ index, id, hash, previousHash, sealedAt },
  content: JSON.parse(content) as Json,
  values,
  salts,
})
type Shown = ReturnType<typeof shown>

const salt = (byte: number): string => Buffer.alloc(32, byte).toString('base64url')
const by = { id: 'u-1', type: 'human' }

function digestVector(about: string, byte: number, event: DigestedAction & Record<string, unknown>) {
  return { about, actionSalt: salt(byte), event, actionDigest: actionDigest(salt(byte), event) }
}

const sampleEvent = {
  type: 'ai_recommendation',
  occurredAt: '2026-01-02T03:04:05.006Z',
  actor: { id: 'agent-9', type: 'ai_agent', name: 'Loan desk' },
  action: {
    type: 'loan.approve',
    description: 'Approve the loan',
    input: { amount: 1000, name: 'Żółć €', ratio: 1e-7, '😀': 1, '\ufb33': 2 },
    output: { terms: [12, 24.5, -0.001, 1e21] },
  },
  aiContext: { model: 'keeper-2', modelVersion: '2026-01', confidence: 0.88, promptDigest: `sha256:${'0'.repeat(64)}` },
  riskScore: 0.25,
  reason: 'Income is stable.\nSecond line <&>',
  tags: ['is not part of the digest'],
}
const { aiContext: _1, riskScore: _2, reason: _3, ...shortEvent } = sampleEvent
/** With a text for every further field that the digest covers. */
const fullEvent = {
  ...sampleEvent,
  ...Object.fromEntries(digestedNames.filter((name) => !(name in sampleEvent)).map((name) => [name, `Its ${name}`])),
}

const decisionUnit = (): BuiltEntry =>
  chainOf('proof', [
    sealProof(
      digested({
        id: 'evi_01kz9x4q8hfx5r3v7t2b6n0m1c',
        actionSalt: salt(3),
        decisionId: 'loan-7781',
        evidenceLevel: 'DOCUMENTED',
        event: fullEvent,
      }),
    ),
  ])[0] as BuiltEntry

const plainUnit = (): BuiltEntry => {
  const values = { content: 'Intake', evidenceLevel: 'DRAFT', metadata: { room: 4 } }
  const id = 'dpu_01kz9x4q8hfx5r3v7t2b6n0m1d'
  return chainOf('dpu', [sealDpu({ id, referenceType: 'demo', vertical: 'education', values })])[0] as BuiltEntry
}

const level = (id: string, evidenceLevel: string): Change => ({ id, type: 'level', values: { evidenceLevel, by } })
const metadata = (id: string, value: Json): Change => ({ id, type: 'metadata', values: { metadata: value, by } })
const redaction = (id: string, ...paths: string[]): Change => ({
  id,
  type: 'redaction',
  values: { paths, reason: 'asked for', by },
})

/** Two versions of a policy: the first one creates it. */
function policyEntries(): BuiltEntry[] {
  const salts = saltSequence()
  let previous: BuiltEntry | null = null
  return [{ name: 'Two people' }, { name: 'Two people', guards: { dualApproval: true } }].map((policy, at) => {
    const input = {
      ...{ id: `h-${at + 1}`, type: 'policy' as const, target: 'pol_01kz9x4q8hfx5r3v7t2b6n0m1e' },
      ...{ previous: previous?.hash ?? null, values: { policy: policy as Json, by } },
    }
    const prepared = historyStatic(input, ({ policy: made = '' }) => policyState(made), salts)
    previous = chainOf('history', [{ prepared, values: input.values, id: input.id }], at, 42, previous)[0] as BuiltEntry
    return previous
  })
}

/** The names of the entries of a path. */
const named = (prefix: string, entries: readonly BuiltEntry[]): Record<string, Shown> =>
  Object.fromEntries(entries.map((entry, at) => [`${prefix}${at + 1}`, shown(entry)]))

/**
 * `found` is what a checker says: null when the path holds, else the position of the first entry that does not fit and
 * the member that shows it.
 */
const path = (about: string, unit: string | null, changes: string, found: string | null = null) => ({
  ...{ about, unit, changes: changes.split(' ').filter(Boolean), found },
})

export function pathVectors() {
  const [decision, unit] = [decisionUnit(), plainUnit()]
  const ofDecision = historyOf(decision, [
    metadata('h-1', { case: 17 }),
    level('h-2', 'AUDIT_READY'),
    redaction('h-3', 'event.reason', 'actionSalt'),
    metadata('h-4', { case: 18 }),
  ])
  const ofUnit = historyOf(unit, [
    level('h-1', 'DOCUMENTED'),
    metadata('h-2', { room: 5 }),
    level('h-3', 'AUDIT_READY'),
  ])
  // As if the decision had been sealed at another level.
  const other = { ...decision, content: decision.content.replace('"DOCUMENTED"', '"DRAFT"') }
  return {
    about:
      'The members of a decision, digests of actions and paths of changes to test a checker with. How to read them: dpu-chain-v1.md. The salts are patterns, which a real one never is.',
    decision: { digested: digestedNames, members: memberNames, ...layouts.proof },
    actionDigests: [
      digestVector('every member', 1, fullEvent),
      digestVector('only what every event has', 2, shortEvent),
      digestVector('an empty reason and a risk of zero, which are not absent', 2, {
        ...{ ...shortEvent, reason: '', riskScore: 0 },
      }),
      digestVector('an empty aiContext, which is not absent', 2, { ...shortEvent, aiContext: {} }),
      digestVector('the same with another salt', 4, { ...shortEvent, aiContext: {} }),
    ],
    entries: {
      ...{ decision: shown(decision), unit: shown(unit) },
      ...named('d', ofDecision),
      ...named('u', ofUnit),
      ...named('p', policyEntries()),
      ...named('other-', historyOf(other, [metadata('h-1', { case: 17 })])),
    } as Record<string, Shown>,
    paths: [
      path('every change of a decision', 'decision', 'd1 d2 d3 d4'),
      path('without the last one: an older statement', 'decision', 'd1 d2 d3'),
      path('the first one alone', 'decision', 'd1'),
      path('no change', 'decision', ''),
      path('every change of a unit', 'unit', 'u1 u2 u3'),
      path('two versions of a policy', null, 'p1 p2'),
      path('the first entry is gone', 'decision', 'd2 d3 d4', '0.previous'),
      path('an entry in the middle is gone', 'decision', 'd1 d3 d4', '1.previous'),
      path('a redaction is gone', 'decision', 'd1 d2 d4', '2.previous'),
      path('two entries changed places', 'decision', 'd1 d3 d2 d4', '1.previous'),
      path('an entry stands there twice', 'decision', 'd1 d2 d2 d3', '2.previous'),
      path('the changes of another record', 'decision', 'u1 u2 u3', '0.previous'),
      path('a change of another record in between', 'unit', 'u1 d2 u2 u3', '1.previous'),
      path('a state which the unit never had', 'decision', 'other-1', '0.state'),
      path('the first version of a policy is gone', null, 'p2', '0.previous'),
    ],
  }
}
