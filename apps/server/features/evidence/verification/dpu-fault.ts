/**
 * Faults of the record of an entry in the chains `dpu` and `proof`: compares every shown value with its hash or
 * commitment. Returns a message, or null. Pure.
 */
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import type { ChainContent } from '@countersign/proof/chain.ts'
import { priorPattern } from '@countersign/proof/control.ts'
import { fieldList, memberNames, type ProofEvent } from '@countersign/proof/decision-fields.ts'
import { exportDocument } from '@countersign/proof/export.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import type { ApprovalRow, DpuRow } from '../../../governance/rows.ts'
import type { EntryRow } from '../../../integrity/verify-queries.ts'
import { timeOfUuid } from '../../../lib/ids.ts'
import { eventForProof, type HistoryRow, type StoredDpu, storedDpu } from '../dpu/api.ts'
import { committedFault, contentOf, isCommittedBy, redactedPaths } from './committed.ts'
import type { HistoryEntryRow, StoredEvent } from './queries.ts'

export interface DpuFacts {
  readonly entry: EntryRow
  /** All DPUs that claim this index. */
  readonly dpus: readonly DpuRow[]
  readonly event: StoredEvent | null
  readonly approvals: readonly ApprovalRow[]
  /** The last change of each type, and every redaction, oldest first. */
  readonly changes: readonly HistoryEntryRow[]
  /** The entries that bind the passkeys of its approvals and raises. */
  readonly bindings: readonly HistoryRow[]
}

/** A stored value, and its value according to the chain. */
type ComparedValue = readonly [name: string, stored: unknown, sealed: unknown]

export function dpuFault(facts: DpuFacts): string | null {
  const { entry, dpus, event, approvals, changes, bindings } = facts
  const [dpu, another] = dpus
  if (!dpu) return "the entry's record is missing"
  if (another || dpu.id !== entry.id) return "another record claims the entry's place"
  if (dpu.domain === 'proof' && !event) return "the record's decision event is missing"
  const content = contentOf(entry)
  const redacted = redactedPaths(changes)
  const changed = new Set(changes.map((change) => change.type))
  const stored = storedDpu(
    {
      dpu,
      entry,
      predecessor: entry.previous_hash,
      event,
      approvals,
      history: changes.map((change) => ({ ...change, disclosed: change.disclosed ?? {}, salts: change.salts ?? {} })),
    },
    bindings,
  )
  const { proof } = stored
  // A level begins as DRAFT, so its first commitment can always be checked; replaced metadata is deleted.
  const values = { ...proof.values, ...(dpu.domain === 'dpu' && changed.has('level') && { evidenceLevel: 'DRAFT' }) }
  const excused = changed.has('metadata') ? new Set([...redacted, 'metadata']) : redacted
  return (
    firstDifference(dpu.domain === 'dpu' ? dpuPairs(content, facts, dpu) : eventPairs(content, facts, dpu)) ??
    presentFault(dpu, changes) ??
    committedFault(content, values, proof.salts, excused) ??
    signatureFault(stored)
  )
}

/** Signatures of passkeys, by the function that verifies an export; what is hashed or committed is compared above. */
function signatureFault({ proof, bindings }: StoredDpu): string | null {
  if (!isSigned(proof.values)) return null
  const { problems } = verifyExport(
    exportDocument({ record: proof, bindings, eventId: '', exportedAt: proof.sealedAt, schemaUrl: '', publicUrl: '' }),
  )
  const [fault] = problems.filter(
    ({ path, code }) => /passkey|statement|bindings/.test(path) || code.startsWith('passkey'),
  )
  return fault ? `${fault.path} ${fault.message}` : null
}

const isSigned = (values: Readonly<Record<string, Json>>): boolean =>
  Object.keys(values).some(
    (path) => path === 'statement' || path === 'approval.passkey.statement' || isPriorSigned(path, values[path]),
  )

const isPriorSigned = (path: string, value: Json | undefined): boolean =>
  priorPattern.test(path) && typeof value === 'object' && value !== null && Object.hasOwn(value, 'statement')

function dpuPairs(content: ChainContent, { entry, changes }: DpuFacts, dpu: DpuRow): readonly ComparedValue[] {
  const raised = changes.findLast((change) => change.type === 'level')
  return [
    ['referenceType', dpu.reference_type, content.referenceType],
    ['vertical', dpu.vertical, content.vertical],
    ['country', dpu.country, content.country],
    ['region', dpu.region, content.region],
    ['policies', dpu.policies, null],
    ['control', [dpu.control, dpu.prior_controls], [null, null]],
    ['sealedAt', iso(dpu.sealed_at), dpu.evidence_level === 'AUDIT_READY' ? (raised?.sealed_at ?? null) : null],
    ...changePairs(content, { entry, changes }, dpu),
  ]
}

/** What a unit repeats of its newest change, for the next one. */
function changePairs(content: ChainContent, { entry, changes }: Pick<DpuFacts, 'entry' | 'changes'>, dpu: DpuRow) {
  const described = changes.findLast((change) => change.type === 'metadata')
  const commitments = described ? contentOf(described).commitments : content.commitments
  return [
    ['updatedAt', iso(dpu.updated_at), changes.at(-1)?.sealed_at ?? entry.sealed_at],
    ['lastChange', dpu.last_change, changes.at(-1)?.hash],
    ['metadataCommitment', dpu.metadata_commitment, commitments.metadata],
  ] as const
}

/** The texts of a decision are in the event and its approvals; its DPU has none of its own. */
function eventPairs(content: ChainContent, facts: DpuFacts, dpu: DpuRow): readonly ComparedValue[] {
  const { entry, approvals, changes } = facts
  const event = facts.event as StoredEvent
  const sealed = content as unknown as SealedDecision
  const last = approvals.at(-1)
  const changed = (type: string) => changes.findLast((change) => change.type === type)
  const isReady = dpu.evidence_level === 'AUDIT_READY'
  const own = [dpu.content, dpu.reference_type, dpu.reference_id, dpu.tags, dpu.created_by, dpu.origin]
  return [
    ['decisionId', event.decision_id, sealed.decisionId],
    ...clearPairs(eventForProof(event), sealed.event),
    ['actionDigest', event.action_digest, sealed.actionDigest],
    ['event.createdAt', iso(event.created_at), new Date(timeOfUuid(event.id)).toISOString()],
    ['event.updatedAt', iso(event.updated_at), entry.sealed_at],
    ['event.status', event.status, sealed.approval?.result === 'rejected' ? 'rejected' : 'sealed'],
    ['approval.approver', membersOf(last?.approver, ['id', 'name', 'type']), sealed.approval?.approver.type ?? null],
    ['approval.result', last?.result ?? null, sealed.approval?.result ?? null],
    ['approval.identity.level', last?.identity_level, sealed.approval?.identity.level],
    ['approval.channel', last?.channel, sealed.approval?.channel],
    ['approval.openedAt', iso(last?.opened_at), sealed.approval?.openedAt],
    ['approval.decidedAt', iso(last?.decided_at), sealed.approval?.decidedAt],
    ['approval.passkey', last?.passkey ?? null, sealed.approval?.passkey ?? null],
    ['approval.createdAt', iso(last?.created_at), last ? entry.sealed_at : null],
    ['approval.position', approvals.map(({ position }) => position), [...approvals.keys()]],
    ...(changed('level') ? [] : [['evidenceLevel', dpu.evidence_level, sealed.evidenceLevel] as const]),
    ['policies', dpu.policies, sealed.policies ?? null],
    // Each is committed with its approval: so there is one for each earlier approval, and no other.
    ['the controls', numberOf(dpu.prior_controls), dpu.control && approvals.length > 1 ? approvals.length - 1 : null],
    ['the unit', own, own.map(() => null)],
    ...(changed('metadata') ? [] : [['metadata', dpu.metadata, {}] as const]),
    ['sealedAt', iso(dpu.sealed_at), isReady ? (changed('level')?.sealed_at ?? entry.sealed_at) : null],
    ...changePairs(content, facts, dpu),
  ]
}

/** What is hashed in clear of a decision, and that its objects have no member without a commitment. */
const clearPairs = (stored: ProofEvent, sealed: SealedDecision['event']): readonly ComparedValue[] =>
  fieldList.flatMap(({ name, sealed: how }): ComparedValue[] => {
    const [value, hashed] = [stored[name as keyof ProofEvent], sealed[name]]
    if (how === 'clear') return [[`event.${name}`, value, hashed]]
    const members = memberNames[name]
    return members ? [[`event.${name}`, membersOf(value as object, members), typeOf(hashed)]] : []
  })

const typeOf = (members: unknown): unknown => (members as { readonly type?: unknown } | undefined)?.type

interface SealedDecision {
  readonly actionDigest: string
  readonly decisionId: string
  readonly evidenceLevel: string
  readonly event: Readonly<Record<string, unknown>>
  readonly approval?: {
    readonly result: string
    readonly approver: { readonly type: string }
    readonly identity: { readonly level: string }
    readonly channel?: string
    readonly openedAt?: string
    readonly decidedAt?: string
    readonly passkey?: object
  }
  readonly policies?: readonly object[]
}

const numberOf = (list: unknown): unknown => (Array.isArray(list) ? list.length : list)

const iso = (time: string | null | undefined): string | null => (time == null ? null : new Date(time).toISOString())

/** The type of a value, or the name of an unexpected member, which has no commitment. */
function membersOf(thing: object | null | undefined, known: readonly string[]): string | null {
  const members = (thing ?? {}) as Record<string, unknown>
  const added = Object.keys(members).find((member) => !known.includes(member))
  return added === undefined ? ((members.type as string | undefined) ?? null) : `with ${added}, which was added`
}

function firstDifference(pairs: readonly ComparedValue[]): string | null {
  for (const [name, stored, sealed] of pairs) {
    if (canonical((stored ?? null) as Json) !== canonical((sealed ?? null) as Json))
      return `${name} doesn't match what was sealed`
  }
  return null
}

/** Level and metadata must match their last change or, without one, their initial values. */
function presentFault(dpu: DpuRow, changes: readonly HistoryEntryRow[]): string | null {
  const present = { level: ['evidenceLevel', dpu.evidence_level], metadata: ['metadata', dpu.metadata] } as const
  for (const [type, [path, value]] of Object.entries(present)) {
    const last = changes.findLast((change) => change.type === type)
    if (last && !isCommittedBy(last, path, value as Json, changes)) {
      return `${path} doesn't match its last change, entry ${last.idx + 1} of the history`
    }
  }
  return null
}
