/** The entry point of this feature: creates DPUs, and assembles stored ones with their proofs. */
import type { Json } from '@countersign/proof/canonical.ts'
import { entryHash } from '@countersign/proof/chain.ts'
import { dpuStatic } from '@countersign/proof/dpu-entry.ts'
import { type Anchor, type ExportDocument, exportDocument, type StoredEntry } from '@countersign/proof/export.ts'
import { proofValues } from '@countersign/proof/proof-entry.ts'
import { verifyExport } from '@countersign/proof/verify-export.ts'
import type { Config } from '../../../config.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch, Entry, Linked } from '../../../sealing/batch.ts'
import type { CenterProfile } from '../../../sealing/item.ts'
import type { ApprovalRow, EventRow, UnitRow } from '../../../sealing/rows.ts'
import { anchorFor, type Watching } from '../transparency/api.ts'
import { findInChain, findUnit, type HistoryRow, type UnitRecord } from './queries.ts'
import { lostValue, redactedIn } from './redacted.ts'

export type ExportConfig = Pick<Config, 'publicUrl' | 'schemaUrl'>

export interface NewUnit {
  /** Set where the id was chosen before, so that retries create the DPU once. */
  readonly id?: string
  readonly content: string
  readonly referenceType: string
  readonly referenceId: string | null
  readonly tags: readonly string[]
  readonly createdBy: NonNullable<UnitRow['created_by']>
  /** Its origin, where a workflow or a model created it. */
  readonly origin: object | null
  readonly metadata: Record<string, unknown>
}

/** Adds the DPU to the chain as a DRAFT. Each later change is an entry of the chain `history`. */
export function createUnit(batch: Batch, center: CenterProfile, unit: NewUnit): { row: UnitRow; entry: Entry } {
  const uuid = unit.id ?? newUuid()
  const drafted = {
    center_id: center.centerId,
    id: uuid,
    domain: 'dpu',
    vertical: center.vertical,
    content: unit.content,
    reference_type: unit.referenceType,
    reference_id: unit.referenceId,
    tags: unit.tags,
    created_by: unit.createdBy,
    origin: unit.origin,
    evidence_level: 'DRAFT',
    metadata: unit.metadata,
    policies: null,
    sealed_at: null,
  } as const
  const prepared = dpuStatic(
    {
      id: typedId('dpu', uuid),
      referenceType: unit.referenceType,
      vertical: center.vertical,
      values: unitValues(drafted, new Set()),
    },
    newSalt,
  )
  const entry = batch.append(center.centerId, 'dpu', uuid, prepared)
  const row = { ...drafted, chain_index: entry.index, salts: prepared.salts, updated_at: entry.sealedAt }
  batch.addUnit(row)
  return { row, entry }
}

type CommittedUnit = Omit<UnitRow, 'chain_index' | 'salts' | 'updated_at'>

/** The values that the entry of a DPU commits to. A value that has changed since is left out. */
export function unitValues(unit: CommittedUnit, changed: ReadonlySet<string>): Record<string, Json> {
  const values: Record<string, unknown> = {
    content: unit.content,
    createdBy: unit.created_by,
    tags: unit.tags,
    ...(unit.reference_id !== null && { referenceId: unit.reference_id }),
    ...(unit.origin !== null && { responsibility: unit.origin }),
    ...(!changed.has('level') && { evidenceLevel: unit.evidence_level }),
    ...(!changed.has('metadata') && { metadata: unit.metadata }),
  }
  return values as Record<string, Json>
}

export const eventForProof = (event: EventRow) => ({
  type: event.type,
  occurredAt: new Date(event.occurred_at).toISOString(),
  actor: event.actor,
  action: event.action as { type: string; input?: Json; output?: Json },
  aiContext: event.ai_context ?? undefined,
  tags: event.tags,
  reason: event.reason ?? undefined,
  riskScore: event.risk_score ?? undefined,
})

export const approvalForProof = ({ approver, result, reason, submitted_by }: ApprovalRow) => ({
  approver,
  result,
  reason: reason ?? undefined,
  submittedBy: submitted_by,
})

/** Undefined without metadata, or when all of it is redacted. */
export function priorApprovalsForProof(approvals: readonly ApprovalRow[]): Json | undefined {
  const prior = approvals.filter(({ approver }) => Object.keys(approver).length > 0)
  return prior.length === 0
    ? undefined
    : prior.map((row) => {
        const { reason, ...rest } = approvalForProof(row)
        return {
          ...rest,
          ...(reason !== undefined && { reason }),
          approvedAt: new Date(row.created_at).toISOString(),
        } as Json
      })
}

/** A DPU, its entry and the entries about its changes, with the values and salts that are not redacted. */
export interface StoredUnit {
  readonly record: UnitRecord
  readonly proof: StoredEntry
  readonly history: readonly StoredEntry[]
  /** The redacted paths. */
  readonly redacted: readonly string[]
}

const parsed = ({ content }: { content: string }) => JSON.parse(content) as { type?: string; index: number }

const storedHistory = (row: HistoryRow): StoredEntry => ({
  content: row.content,
  hash: row.hash,
  previousHash: row.previous_hash,
  sealedAt: row.sealed_at,
  values: (row.disclosed ?? {}) as Record<string, Json>,
  salts: row.salts ?? {},
})

export const unknownUnit = (): Problem =>
  new Problem('DPU_NOT_FOUND', 'There is no decision proof unit with this id in this center.')

export const brokenRecord = (why: string): Problem =>
  new Problem('CHAIN_BROKEN', `This record does not hold: ${why}. It is not shown as proof; tell the operator.`)

export function storedUnit(record: UnitRecord): StoredUnit {
  const { unit, entry, event, approvals, history } = record
  if (!entry) throw brokenRecord('its chain entry is missing')
  const entries = (history ?? []).map(storedHistory)
  const last = approvals?.at(-1)
  const changed = new Set((history ?? []).map((row) => parsed(row).type ?? ''))
  const values =
    unit.domain === 'dpu'
      ? unitValues(unit, changed)
      : event
        ? proofValues({
            event: eventForProof(event),
            approval: last && approvalForProof(last),
            priorApprovals: priorApprovalsForProof(approvals?.slice(0, -1) ?? []),
            vertical: unit.vertical,
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
      salts: unit.salts,
    },
    history: entries,
    redacted: redactedIn(entries),
  }
}

/** A DPU and its index in the chain, without its later changes. */
export interface UnitInChain {
  readonly unit: UnitRow
  readonly entry: Linked
  readonly event: EventRow | null
  /** The redacted paths. */
  readonly redacted: readonly string[]
}

export async function findUnitInChain(tx: TenantTx, uuid: string | null): Promise<UnitInChain | undefined> {
  const found = uuid === null ? undefined : await findInChain(tx, uuid)
  if (!found) return undefined
  const { unit, entry, event, redacted } = found
  if (!entry) throw brokenRecord('its chain entry is missing')
  const { hash, previous_hash: previousHash, sealed_at: sealedAt } = entry
  return { unit, event, redacted, entry: { hash, previousHash, sealedAt } }
}

/** The same with everything that its proof needs. */
export async function findStored(tx: TenantTx, uuid: string | null): Promise<StoredUnit | undefined> {
  const record = uuid === null ? undefined : await findUnit(tx, uuid)
  return record && storedUnit(record)
}

/**
 * The portable proof, verified before it is sent: a proof that does not hold is never sent. A DPU has a content; for a
 * decision it is the hashed text, included where the caller asks for a DPU.
 */
export function exportOf(
  stored: StoredUnit,
  config: ExportConfig,
  withContent = false,
  anchor: Anchor | null = null,
): ExportDocument {
  const { schemaUrl, publicUrl } = config
  const { record, proof, history } = stored
  if (record.predecessor !== proof.previousHash) throw brokenRecord('it does not follow the entry before it')
  if (entryHash(proof.content, proof.previousHash, proof.sealedAt) !== proof.hash) {
    throw brokenRecord('its hash is not that of its content')
  }
  const kind = record.unit.domain === 'proof' ? 'decisionEvent' : 'dpu'
  const eventId = typedId(kind, record.unit.id)
  let document: ExportDocument
  try {
    document = exportDocument({
      record: proof,
      history,
      withContent,
      anchor: anchor ?? undefined,
      eventId,
      exportedAt: now().toISOString(),
      schemaUrl,
      publicUrl,
    })
  } catch (error) {
    throw brokenRecord(`its entry cannot be read (${(error as Error).message})`)
  }
  const {
    problems: [problem],
    undisclosed,
  } = verifyExport(document)
  if (problem) throw brokenRecord(`${problem.path} ${problem.message}`)
  const lost = lostValue(document, undisclosed)
  if (lost !== undefined) throw brokenRecord(`${lost} is gone, and no redaction says so`)
  return document
}

export interface ExportNeeds {
  readonly config: ExportConfig
  readonly watching: Watching
}

/** Adds the inclusion proofs of the record and of each change. */
export async function anchoredExport(
  tx: TenantTx,
  { config, watching }: ExportNeeds,
  stored: StoredUnit,
  withContent = false,
): Promise<ExportDocument> {
  const { domain, chain_index: index } = stored.record.unit
  const changes = stored.history.map((entry) => parsed(entry).index)
  return exportOf(stored, config, withContent, await anchorFor(tx, watching, domain, index, changes))
}
