/** Any entry, chain and export that the format allows, for property tests. */
import fc from 'fast-check'
import { actionDigest } from '../action-digest.ts'
import type { Json } from '../canonical.ts'
import { type ChainContent, type Domain, entryContent, entryHash, logName, type Prepared } from '../chain.ts'
import { voidReasons } from '../control.ts'
import { fieldList, type ProofEvent } from '../decision-fields.ts'
import { type DpuInput, dpuStatic } from '../dpu-entry.ts'
import { type Anchor, type ExportDocument, exportDocument, type StoredEntry } from '../export.ts'
import { type HistoryInput, historyStatic, type UnitState, unitState } from '../history-entry.ts'
import { identityLevels, type ProofInput, proofStatic, proofValues } from '../proof-entry.ts'
import type { ChainEntry } from '../verify-chain.ts'

/** Well-formed text of every plane; NUL is refused everywhere. */
export const text = fc.string({ unit: 'binary', maxLength: 12 }).map((value) => value.replaceAll('\0', ' '))
const name = fc.oneof(text, fc.string({ minLength: 1, maxLength: 12 }))
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 1e21, 1e-7, 123456789012345680000, 5e-324, 1.7976931348623157e308),
)

export const { tree: json } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(fc.constant(null), fc.boolean(), number, text),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(text, tie('tree'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const freeObject = fc.dictionary(text, json, { maxKeys: 4, noNullPrototype: true })

const time = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2040-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `sha256:${Buffer.from(bytes).toString('hex')}`)
const tags = fc.array(text, { maxLength: 3 })

const optional = <T>(required: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(required, { nil: undefined })

const approval = fc.record({
  approver: fc.record({ id: name, type: fc.constantFrom('human', 'system'), name: optional(text) }),
  result: fc.constantFrom('approved', 'rejected'),
  reason: optional(text),
  submittedBy: optional(name),
  // A passkey signs what is shown: test/passkeys.ts makes those.
  identity: fc.record({
    level: fc.constantFrom(...identityLevels.filter((each) => each !== 'passkey')),
    by: optional(name),
  }),
  channel: optional(fc.constantFrom('api', 'page', 'console')),
  openedAt: optional(time),
  decidedAt: optional(time),
  onBehalfOf: optional(name),
})
const actionSalt = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('base64url'))

const olderForm = fc.record({
  priorApprovals: optional(fc.array(freeObject, { minLength: 1, maxLength: 2 })),
  prior: fc.constant(undefined),
})
const given = {
  via: optional(fc.constantFrom('password', 'passkey', 'oidc', 'domain')),
  shown: optional(
    fc.record({
      view: text,
      language: fc.constantFrom('en', 'ko'),
      template: fc.option(fc.record({ version: fc.nat(), digest: hash })),
    }),
  ),
}
const presentForm = fc.record({
  control: fc.record({
    ...given,
    rules: fc.record({ index: fc.option(fc.nat()), digest: hash }),
    needs: optional(fc.constant(['shown'])),
    usableUntil: optional(time),
  }),
  prior: fc
    .array(fc.record({ approval, control: fc.record({ ...given, void: optional(fc.constantFrom(...voidReasons)) }) }), {
      maxLength: 3,
    })
    .map((all) => all.map((each, at) => ({ ...each, salt: Buffer.alloc(32, at).toString('base64url') }))),
})

/** With the digest of what they say. */
export const digested = (input: Omit<ProofInput, 'actionDigest'>): ProofInput => ({
  ...input,
  actionDigest: actionDigest(input.actionSalt as string, input.event),
})

const confidence = fc.double({ min: 0, max: 1, noNaN: true })
/** Values that are not any text. */
const special: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'event.type': fc.constantFrom('ai_recommendation', 'custom'),
  'event.occurredAt': time,
  'event.actor.id': name,
  'event.actor.type': fc.constantFrom('human', 'ai_agent'),
  'event.action.type': name,
  'event.action.input': freeObject,
  'event.action.output': freeObject,
  'event.aiContext.confidence': confidence,
  'event.riskScore': confidence,
  'event.tags': tags,
  'event.recordedBy': name,
  'event.replaces': name,
}
const always = ['event.actor.id', 'event.actor.type', 'event.action.type']

/** Of every field of the table, present or absent. */
function eventArbitrary(): fc.Arbitrary<ProofEvent> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {}
  for (const { name: field, sealed, optional: mayLack } of fieldList) {
    const value = (path: string) => special[path] ?? text
    const members = Object.keys(typeof sealed === 'object' ? sealed : {}).map((member) => {
      const path = `event.${field}.${member}`
      return [member, always.includes(path) ? value(path) : optional(value(path))] as const
    })
    const whole = members.length > 0 ? fc.record(Object.fromEntries(members)) : value(`event.${field}`)
    if (sealed !== 'no') fields[field] = mayLack ? optional(whole) : whole
  }
  return fc.record(fields) as unknown as fc.Arbitrary<ProofEvent>
}
const event = eventArbitrary()

export const proofInput: fc.Arbitrary<ProofInput> = fc
  .record({
    id: name,
    decisionId: name,
    evidenceLevel: fc.constantFrom('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
    event,
    actionSalt,
    approval: optional(approval),
    form: fc.oneof(olderForm, presentForm),
    policies: optional(fc.array(fc.record({ id: name, version: fc.nat(), digest: hash }), { maxLength: 3 })),
    vertical: optional(fc.constantFrom('education', 'welfare')),
    country: optional(fc.constantFrom('KR', 'DE')),
    region: optional(fc.constantFrom('KR-11', 'DE-BE')),
  })
  .map(({ form, ...input }) => {
    const { prior, ...rest } = form
    const given = input.approval === undefined ? undefined : prior
    return digested(JSON.parse(JSON.stringify({ ...input, ...rest, prior: given })))
  })

export const dpuInput: fc.Arbitrary<DpuInput> = fc.record({
  id: name,
  referenceType: fc.constantFrom('demo', 'lms-event', 'workflow'),
  vertical: fc.constantFrom('education', 'welfare'),
  country: optional(fc.constantFrom('KR', 'DE')),
  region: optional(fc.constantFrom('KR-11', 'DE-BE')),
  values: fc.record(
    {
      content: text,
      referenceId: text,
      tags,
      createdBy: freeObject,
      evidenceLevel: fc.constantFrom('DRAFT', 'DOCUMENTED', 'AUDIT_READY'),
      metadata: freeObject,
      responsibility: freeObject,
    },
    { requiredKeys: ['content', 'evidenceLevel'] },
  ) as fc.Arbitrary<Record<string, Json>>,
})

export const historyInput: fc.Arbitrary<HistoryInput> = fc
  .record({ id: name, target: name, previous: hash, by: freeObject, reason: optional(text) })
  .chain(({ by, reason, ...rest }) => {
    const who = { by, ...(reason !== undefined && { reason }) }
    return fc.oneof(
      fc
        .constantFrom('DOCUMENTED', 'AUDIT_READY')
        .map((evidenceLevel) => ({ ...rest, type: 'level' as const, values: { ...who, evidenceLevel } })),
      freeObject.map((metadata) => ({ ...rest, type: 'metadata' as const, values: { ...who, metadata } })),
      tags.map((paths) => ({ ...rest, type: 'redaction' as const, values: { ...who, paths } })),
      fc
        .record({ executor: text, output: freeObject })
        .map((step) => ({ ...rest, type: 'execution' as const, values: { by, ...step, action: 'outcome' } })),
    )
  })

/** Deterministic salts without repetition, so that a seed reproduces a failing test. */
export function saltSequence(): () => string {
  let count = 0
  return () => (++count).toString(16).padStart(32, '0')
}

export interface Sealed {
  readonly prepared: Prepared
  readonly values: Readonly<Record<string, Json>>
  readonly id: string
}

export const sealProof = (input: ProofInput, newSalt = saltSequence()): Sealed => ({
  prepared: proofStatic(input, newSalt),
  values: proofValues(input),
  id: input.id,
})
export const sealDpu = (input: DpuInput, newSalt = saltSequence()): Sealed => ({
  prepared: dpuStatic(input, newSalt),
  values: input.values,
  id: input.id,
})
/** An entry outside of any path, with a state of its own. */
export const sealHistory = (input: HistoryInput, newSalt = saltSequence()): Sealed => ({
  prepared: historyStatic(input, () => unitState({ evidenceLevel: 'DRAFT', metadata: null }), newSalt),
  values: input.values,
  id: input.id,
})

export type Change = Pick<HistoryInput, 'id' | 'type' | 'values'>

/** The entries about a unit: each names the one before it and the state that it leaves. `at`: its index, where others come between. */
export function historyOf(
  unit: BuiltEntry,
  changes: readonly (Change & { readonly at?: number })[],
  newSalt = saltSequence(),
  from = 0,
): BuiltEntry[] {
  const content = JSON.parse(unit.content) as ChainContent
  let state: UnitState = {
    evidenceLevel: (content.evidenceLevel ?? unit.values.evidenceLevel ?? 'DRAFT') as string,
    metadata: content.commitments.metadata ?? null,
  }
  let previous: BuiltEntry | null = null
  return changes.map((change, position) => {
    const prepared = historyStatic(
      { ...change, target: content.id, previous: previous?.hash ?? unit.hash },
      (commitments) => {
        state = {
          evidenceLevel: (change.values.evidenceLevel as string | undefined) ?? state.evidenceLevel,
          metadata: commitments.metadata ?? state.metadata,
        }
        return unitState(state)
      },
      newSalt,
    )
    const sealed = { prepared, values: change.values, id: change.id }
    const [entry] = chainOf('history', [sealed], change.at ?? from + position, 42, previous)
    previous = entry as BuiltEntry
    return previous
  })
}

export type BuiltEntry = ChainEntry & StoredEntry

/** A chain of these entries, one second apart, from index `from` on. */
export function chainOf(
  domain: Domain,
  sealed: readonly Sealed[],
  from = 0,
  center = 42,
  after: BuiltEntry | null = null,
): BuiltEntry[] {
  const log = logName('proof.example', center, domain)
  let previousHash = from === 0 ? null : (after?.hash ?? `sha256:${'ab'.repeat(32)}`)
  return sealed.map(({ prepared, values, id }, position) => {
    const index = from + position
    const sealedAt = new Date(Date.UTC(2040, 0, 1, 0, 0, index)).toISOString()
    const content = entryContent(prepared, { log, index, sealedAt })
    const entry = { index, id, hash: entryHash(content, previousHash, sealedAt), previousHash, sealedAt, content }
    previousHash = entry.hash
    return { ...entry, values, salts: prepared.salts }
  })
}

const addresses = {
  eventId: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c',
  exportedAt: '2041-02-03T04:05:06.007Z',
  schemaUrl: 'https://schema.example',
  publicUrl: 'https://public.example',
}
export const exported = (
  record: StoredEntry,
  more: {
    history?: StoredEntry[]
    bindings?: StoredEntry[]
    withContent?: boolean
    anchor?: Anchor
    policyTexts?: string[]
  } = {},
): ExportDocument => exportDocument({ ...addresses, record, ...more })

/** Starts at the genesis or at a later index. */
const start = fc.oneof(fc.constant(0), fc.nat({ max: 1000 }))

const proofDocument = fc
  .tuple(proofInput, start, fc.boolean())
  .map(([input, from, withContent]) =>
    chainOf('proof', [sealProof(input)], from).map((it) => exported(it, { withContent })),
  )

const dpuDocument = fc
  .tuple(dpuInput, fc.array(historyInput, { maxLength: 3 }), start, start)
  .map(([input, changes, from, historyFrom]) => {
    const salts = saltSequence()
    return chainOf('dpu', [sealDpu(input, salts)], from).map((it) =>
      exported(it, { history: historyOf(it, changes, salts, historyFrom) }),
    )
  })

/** The result of JSON.parse: no undefined, no shared parts, and 0 for -0. */
export const document: fc.Arbitrary<ExportDocument> = fc
  .oneof(proofDocument, dpuDocument)
  .map(([made]) => JSON.parse(JSON.stringify(made)) as ExportDocument)

export const chain: fc.Arbitrary<BuiltEntry[]> = fc
  .oneof(
    fc
      .array(proofInput, { minLength: 1, maxLength: 4 })
      .map((all) => ({ domain: 'proof' as const, all: all.map((it) => sealProof(it)) })),
    fc
      .array(dpuInput, { minLength: 1, maxLength: 4 })
      .map((all) => ({ domain: 'dpu' as const, all: all.map((it) => sealDpu(it)) })),
    fc
      .array(historyInput, { minLength: 1, maxLength: 4 })
      .map((all) => ({ domain: 'history' as const, all: all.map((it) => sealHistory(it)) })),
  )
  .map(({ domain, all }) => chainOf(domain, all))

/** A decision with a named approver, the sixth entry of its chain. */
export const loanEntry = (): StoredEntry =>
  chainOf(
    'proof',
    [
      sealProof(
        digested({
          id: 'evd_1',
          actionSalt: 'A'.repeat(43),
          decisionId: 'loan-1',
          evidenceLevel: 'AUDIT_READY',
          event: {
            type: 'ai_recommendation',
            occurredAt: '2039-01-01T00:00:00.000Z',
            actor: { id: 'agent-1', type: 'ai_agent' },
            action: { type: 'loan.approve', input: { amount: 1000 } },
          },
          approval: {
            approver: { id: 'u1', type: 'human', name: 'Ada' },
            result: 'approved',
            identity: { level: 'claim', by: 'key_1' },
          },
        }),
      ),
    ],
    5,
  )[0] as StoredEntry
