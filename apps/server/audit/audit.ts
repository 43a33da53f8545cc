/**
 * Writes an audit entry in the transaction and the database of the change, so that no change is committed without its
 * entry.
 */

import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { AuditType } from '@countersign/contract/enums.ts'
import type { Kysely } from 'kysely'
import type { DB as CellDB } from '../data/cell.generated.ts'
import type { TenantTx } from '../data/cells.ts'
import type { Caller, DirectoryTx, IdentityTx, OperatorTx } from '../data/directory.ts'
import { now } from '../lib/clock.ts'
import { newUuid, typedId } from '../lib/ids.ts'
import type { Batch } from '../sealing/batch.ts'
import type { RowKind } from '../sealing/sealed-rows.ts'
import { packedId } from './packed-id.ts'

/** Audit entries of a batch. */
const auditRows: RowKind<ReturnType<typeof auditRow>, never> = {
  name: 'audit',
  order: 80,
  write: 'write_audit',
  namesOf: ({ id }) => [id],
}

/** The entries commit with what the batch seals. */
export function auditInBatch(batch: Batch, caller: Caller, ...entries: readonly AuditEntry[]): void {
  for (const entry of entries) batch.rows(auditRows).insert(auditRow(caller, entry))
}

/** The narrow entry of a seal; its list shows it like the others. */
const sealRows: RowKind<ReturnType<typeof sealRow>, never> = {
  name: 'seal audit',
  order: 81,
  write: 'write_seal_entries',
  namesOf: ({ event_id }) => [event_id],
}

const sealActions: Readonly<Record<SealedDecision['action'], number>> = { approved: 1, rejected: 2, completed: 3 }

interface SealedDecision {
  readonly centerId: number
  readonly eventId: string
  readonly decisionId: string
  readonly action: 'approved' | 'rejected' | 'completed'
  readonly index: number
  readonly hash: string
  readonly sealedAt: string
}

const sealRow = ({ requestId, actorId }: Caller, seal: SealedDecision) => ({
  center_id: seal.centerId,
  occurred_at: seal.sealedAt,
  chain_index: seal.index,
  event_id: seal.eventId,
  action: sealActions[seal.action],
  chain_hash: seal.hash,
  request: packedId(requestId),
  actor: actorId === null ? null : packedId(actorId),
  decision_id: seal.decisionId === typedId('decision', seal.eventId) ? null : seal.decisionId,
})

export function auditSealInBatch(batch: Batch, caller: Caller, seal: SealedDecision): void {
  batch.rows(sealRows).insert(sealRow(caller, seal))
}

type Plain = string | number | boolean | null

export interface Change {
  readonly field: string
  readonly old: Plain
  readonly new: Plain
}

interface EntryOf<Type extends AuditType> {
  readonly type: Type
  readonly action: AuditAction<Type>
  readonly target: { readonly type: string; readonly id: string }
  /** Ids and states only, never secrets or contents. Texts are cut, so that a page of entries is bounded in bytes. */
  readonly details?: Readonly<Record<string, Plain>>
  /** Settings with their old and new values. */
  readonly changes?: readonly Change[]
  /**
   * Set where the actor differs from the caller of the transaction, as at sign-in, where the caller is unknown at
   * first.
   */
  readonly actorId?: string
  readonly centerId?: number
}

export type AuditEntry = { readonly [Type in AuditType]: EntryOf<Type> }[AuditType]

const maxText = 1000
const maxChanges = 100

const shortened = (value: Plain): Plain => (typeof value === 'string' ? value.slice(0, maxText) : value)

const cut = (details: AuditEntry['details'] = {}) =>
  Object.fromEntries(Object.entries(details).map(([name, value]) => [name, shortened(value)]))

export const auditRow = (caller: Caller, entry: AuditEntry) => ({
  center_id: entry.centerId ?? caller.centerId,
  id: newUuid(),
  type: entry.type,
  occurred_at: now(),
  request_id: caller.requestId,
  actor_id: entry.actorId ?? caller.actorId,
  target_type: entry.target.type,
  target_id: entry.target.id,
  details: {
    action: entry.action,
    ...cut(entry.details),
    ...(entry.changes && {
      changes: entry.changes
        .slice(0, maxChanges)
        .map((each) => ({ field: each.field, old: shortened(each.old), new: shortened(each.new) })),
    }),
  },
})

export async function audit(
  tx: TenantTx | DirectoryTx | IdentityTx | OperatorTx,
  ...entries: readonly AuditEntry[]
): Promise<void> {
  if (entries.length === 0) return
  const db = tx.db as Kysely<CellDB>
  await db
    .insertInto('audit_entries')
    .values(
      entries.map((entry) => {
        const { details, ...row } = auditRow(tx.caller, entry)
        return { ...row, details: JSON.stringify(details) }
      }),
    )
    .execute()
}
