/** A stored DPU with its entry and the values that its proof commits to. */

import type { Json } from '@countersign/proof/canonical.ts'
import type { ApprovalControl, PriorApproval } from '@countersign/proof/control.ts'
import {
  type DecisionField,
  type FieldColumns,
  type FieldName,
  fieldList,
  type ProofEvent,
} from '@countersign/proof/decision-fields.ts'
import type { StoredEntry } from '@countersign/proof/export.ts'
import { type ProofApproval, proofValues } from '@countersign/proof/proof-entry.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { ApprovalRow, DpuRow, EventRow } from '../../../governance/rows.ts'
import { typedId, typedIds } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Linked } from '../../../sealing/batch.ts'
import { type Need, need, type RowKind } from '../../../sealing/sealed-rows.ts'
import { bindingsOf } from './bindings.ts'
import { saltsOf } from './packed-salts.ts'
import { type DpuRecord, findDpu, findInChain, type HistoryRow } from './queries.ts'
import { redactedIn } from './redacted.ts'

/** DPUs and redactions in a batch. */
interface DpuKey {
  readonly id: string
  /** Its names in the chain `history`. */
  readonly targets: readonly string[]
}

export const dpuRows: RowKind<DpuRow, DpuKey> = {
  name: 'dpus',
  order: 40,
  load: 'hold_dpus',
  write: 'write_dpus',
  namesOf: ({ id }) => [id],
  updated: ({ center_id, id, vertical, evidence_level, metadata, sealed_at, updated_at, ...row }, loaded) => ({
    ...{ center_id, id, vertical, evidence_level, metadata, sealed_at, updated_at },
    last_change: row.last_change,
    metadata_commitment: row.metadata_commitment,
    was_level: loaded.evidence_level,
  }),
}

export const needDpu = (id: string): Need => need(dpuRows, { id, targets: typedIds(id, 'dpu', 'evidence') })

/** Records that lose values. It is written last: the history names the values, and the rows have their final state. */
export const redactionRows: RowKind<Pick<DpuRow, 'center_id' | 'id'>, { readonly id: string }> = {
  name: 'redactions',
  order: 90,
  load: 'hold_redacted',
  write: 'write_redactions',
  namesOf: ({ id }) => [id],
}

type CommittedDpu = Omit<DpuRow, 'chain_index' | 'salts' | 'packed_salts' | 'updated_at' | 'metadata_commitment'>

/** The values that the entry of a DPU commits to. A value that has changed since is left out. */
export function dpuValues(dpu: CommittedDpu, changed: ReadonlySet<string>): Record<string, Json> {
  const values: Record<string, unknown> = {
    content: dpu.content,
    createdBy: dpu.created_by,
    tags: dpu.tags,
    ...(dpu.reference_id !== null && { referenceId: dpu.reference_id }),
    ...(dpu.origin !== null && { responsibility: dpu.origin }),
    ...(!changed.has('level') && { evidenceLevel: dpu.evidence_level }),
    ...(!changed.has('metadata') && { metadata: dpu.metadata }),
  }
  return values as Record<string, Json>
}

/** The values of these fields under the names that the API has for them; one that is null is left out. */
export function valuesIn(
  row: { readonly [Column in keyof FieldColumns]?: unknown },
  fields: readonly DecisionField[] & readonly { readonly name: FieldName }[],
): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const { name, column, form } of fields) {
    const value = row[column as keyof FieldColumns]
    if (value === null || value === undefined) continue
    values[name] =
      form === 'time' ? isoOf(value as Date) : form === 'decision' ? typedId('decisionEvent', value as string) : value
  }
  return values
}

/** A time as the database or its driver returns it. */
export const isoOf = (time: string | Date): string =>
  typeof time === 'string' && time.endsWith('Z') ? time : new Date(time).toISOString()

const sealedFields = fieldList.filter(({ sealed }) => sealed !== 'no')
export const eventForProof = (event: EventRow) => valuesIn(event, sealedFields) as unknown as ProofEvent

type PasskeyOfProof = NonNullable<ProofApproval['passkey']>
type Seal = Pick<DpuRow, 'control' | 'prior_controls'>

const timeOf = (time: string | null) => (time === null ? undefined : new Date(time).toISOString())

/** `withStatement`: as records of 0.1.0 have it; in later ones the statement is a value of its own. */
export const approvalForProof = (row: ApprovalRow, withStatement = false) => ({
  approver: row.approver,
  result: row.result,
  reason: row.reason ?? undefined,
  submittedBy: row.submitted_by,
  identity: { level: row.identity_level, by: row.identity_by },
  channel: row.channel ?? undefined,
  openedAt: timeOf(row.opened_at),
  decidedAt: timeOf(row.decided_at),
  onBehalfOf: row.on_behalf_of ?? undefined,
  // A statement without an assertion is never stored; shown here, verification finds a forged one.
  ...((row.passkey ?? (withStatement ? row.passkey_statement : null)) && {
    passkey: {
      ...row.passkey,
      ...(withStatement && row.passkey_statement && { statement: row.passkey_statement }),
    } as PasskeyOfProof,
  }),
  ...(row.reason_salt !== null && { reasonSalt: row.reason_salt }),
})

const isRedacted = ({ approver }: ApprovalRow): boolean => Object.keys(approver).length === 0

function membersOf(row: ApprovalRow, withStatement: boolean): Json {
  const members = Object.entries(approvalForProof(row, withStatement)).filter(([, value]) => value !== undefined)
  return { ...Object.fromEntries(members), approvedAt: new Date(row.created_at).toISOString() } as Json
}

/** An approval as later ones sign it and as the seal holds it, without what the seal adds. */
export const givenForProof = (row: ApprovalRow): Json => membersOf(row, false)

/** The earlier approvals as the seal holds them; null where one is redacted. */
export const priorForProof = (
  approvals: readonly ApprovalRow[],
  controls: readonly ApprovalControl[],
): readonly (PriorApproval | null)[] =>
  approvals.map((row, position) =>
    isRedacted(row) || row.salt === null
      ? null
      : {
          approval: givenForProof(row),
          control: controls[position] ?? {},
          ...(row.passkey_statement && { statement: row.passkey_statement as unknown as Json }),
          salt: row.salt,
        },
  )

/** The values of the approvals, in the form of 0.1.0 where the record was sealed by it. */
function approvalsForProof(approvals: readonly ApprovalRow[], { control, prior_controls }: Seal) {
  const last = approvals.at(-1)
  const earlier = approvals.slice(0, -1)
  if (control) {
    return {
      approval: last && approvalForProof(last),
      prior: priorForProof(earlier, prior_controls ?? []),
      statement: last?.passkey_statement ?? undefined,
      control,
    }
  }
  const shown = earlier.filter((row) => !isRedacted(row))
  return {
    approval: last && approvalForProof(last, true),
    priorApprovals: shown.length === 0 ? undefined : shown.map((row) => membersOf(row, true)),
  }
}

/** The name under which a unit is hashed; the entries about its changes name it. */
export const sealedName = ({ id, domain }: Pick<DpuRow, 'id' | 'domain'>): string =>
  typedId(domain === 'proof' ? 'evidence' : 'dpu', id)

/** The hash that the next change of a unit names: of its last change, or of its own entry. */
export function lastHash({ last_change, chain_hash }: DpuRow): string {
  const hash = last_change ?? chain_hash
  if (!hash) throw brokenRecord('its chain entry is missing')
  return hash
}

/** A DPU, its entry and the entries about its changes, with the values and salts that are not redacted. */
export interface StoredDpu {
  readonly record: DpuRecord
  readonly proof: StoredEntry
  readonly history: readonly StoredEntry[]
  /** The entries that bind the passkeys of its approvals and raises. */
  readonly bindings: readonly StoredEntry[]
  /** The redacted paths. */
  readonly redacted: readonly string[]
}

export const parsed = ({ content }: { content: string }) => JSON.parse(content) as { type?: string; index: number }

const storedHistory = (row: HistoryRow): StoredEntry => ({
  content: row.content,
  hash: row.hash,
  previousHash: row.previous_hash,
  sealedAt: row.sealed_at,
  values: (row.disclosed ?? {}) as Record<string, Json>,
  salts: row.salts ?? {},
})

export const unknownDpu = (): Problem =>
  new Problem('DPU_NOT_FOUND', 'This center has no decision proof unit with this ID. Check the ID and the center.')

export const brokenRecord = (why: string): Problem =>
  new Problem(
    'CHAIN_BROKEN',
    `This record can't be verified, so it isn't shown as proof: ${why}. Contact the operator.`,
  )

export function storedDpu(record: DpuRecord, bindings: readonly HistoryRow[] = []): StoredDpu {
  const { dpu, entry, event, approvals, history } = record
  if (!entry) throw brokenRecord('its chain entry is missing')
  const entries = (history ?? []).map(storedHistory)
  const changed = new Set((history ?? []).map((row) => parsed(row).type ?? ''))
  const values =
    dpu.domain === 'dpu'
      ? dpuValues(dpu, changed)
      : event
        ? proofValues({
            event: eventForProof(event),
            ...approvalsForProof(approvals ?? [], dpu),
            vertical: dpu.vertical,
            country: dpu.country ?? undefined,
            region: dpu.region ?? undefined,
            actionSalt: event.action_salt ?? undefined,
          })
        : {}
  return {
    record,
    proof: {
      content: entry.content,
      hash: entry.hash,
      previousHash: entry.previous_hash,
      sealedAt: entry.sealed_at,
      values,
      salts: saltsOf(dpu),
    },
    history: entries,
    bindings: bindings.map(storedHistory),
    redacted: redactedIn(entries),
  }
}

/** A DPU and its index in the chain, without its later changes. */
export interface DpuInChain {
  readonly dpu: DpuRow
  readonly entry: Linked
  readonly event: EventRow | null
  /** The redacted paths. */
  readonly redacted: readonly string[]
}

export async function findDpuInChain(tx: TenantTx, uuid: string | null): Promise<DpuInChain | undefined> {
  const found = uuid === null ? undefined : await findInChain(tx, uuid)
  if (!found) return undefined
  const { dpu, entry, event, redacted } = found
  if (!entry) throw brokenRecord('its chain entry is missing')
  const { hash, previous_hash: previousHash, sealed_at: sealedAt } = entry
  return { dpu, event, redacted, entry: { hash, previousHash, sealedAt } }
}

/** The same with everything that its proof needs. */
export async function findStored(tx: TenantTx, uuid: string | null): Promise<StoredDpu | undefined> {
  const record = uuid === null ? undefined : await findDpu(tx, uuid)
  return record && storedDpu(record, await bindingsOf(tx, record))
}
