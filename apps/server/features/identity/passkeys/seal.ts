/** What a center seals about a passkey. An entry and the row of the key are one commit. */

import type { Json } from '@countersign/proof/canonical.ts'
import { historyStatic, passkeyState } from '@countersign/proof/history-entry.ts'
import type { ConfirmStatement, PasskeyAssertion, PasskeyKey, RegisterStatement } from '@countersign/proof/passkey.ts'
import { auditInBatch } from '../../../audit/audit.ts'
import type { Caller } from '../../../data/directory.ts'
import { newSalt, newUuid, typedId } from '../../../lib/ids.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { type Confirmed, type PasskeyRow, passkeyRows } from './signed.ts'

/** A key as the directory knows it. */
export interface BoundPasskey {
  readonly id: string
  readonly actor_id: string
  readonly key: PasskeyKey
  readonly thumbprint: string
  readonly aaguid: string
  readonly backup_eligible: boolean
  readonly backed_up: boolean
  readonly statement: RegisterStatement
  readonly assertion: PasskeyAssertion
  readonly confirmed_by: string | null
  readonly confirmation: PasskeyAssertion | null
}

export type Confirmation =
  | {
      readonly how: 'admin'
      readonly confirmerId: string
      readonly level: 'session' | 'passkey'
      readonly binding?: string
      readonly statement?: ConfirmStatement
      readonly assertion?: PasskeyAssertion
    }
  | { readonly how: 'partner'; readonly confirmerId: string }
  | { readonly how: 'operator' }

type Values = Readonly<Record<string, Json>>

function append(
  batch: Batch,
  id: string,
  state: Parameters<typeof passkeyState>[0],
  previous: string | null,
  values: Values,
) {
  const entryId = newUuid()
  const target = typedId('passkey', id)
  const prepared = historyStatic(
    { id: typedId('history', entryId), type: 'passkey', target, previous, values },
    () => passkeyState(state),
    newSalt,
  )
  return batch.appendHistory(entryId, prepared, values)
}

const auditOf = (
  id: string,
  action: 'bound' | 'removed' | 'confirmed',
  details: Readonly<Record<string, string>> = {},
) => ({
  type: 'settings.updated' as const,
  action: `passkey.${action}` as const,
  target: { type: 'passkey', id: typedId('passkey', id) },
  details,
})

/**
 * An older key confirms only where this center knows it. Elsewhere, as after its removal, the new key is confirmed by
 * mail alone.
 */
function confirmedBy(batch: Batch, { confirmed_by, confirmation }: BoundPasskey) {
  const older = confirmed_by === null ? undefined : batch.rows(passkeyRows).find(confirmed_by)
  if (!older || older.removed || confirmation === null)
    return { how: 'mail', counts: false, value: { how: 'mail' } } as const
  const value = { how: 'passkey', binding: older.last_entry, assertion: confirmation } as const
  return { how: 'passkey', counts: older.counts, value } as const
}

/** Binds a key that this center does not know yet; a repeated call changes nothing. */
export function bind(batch: Batch, caller: Caller, key: BoundPasskey): PasskeyRow {
  const rows = batch.rows(passkeyRows)
  const known = rows.find(key.id)
  if (known) return known
  const { how, counts, value } = confirmedBy(batch, key)
  const { aaguid, backup_eligible: backupEligible, backed_up: backedUp } = key
  const entry = append(batch, key.id, { passkey: 'bound', confirmed: how }, null, {
    action: 'bound',
    actorId: key.actor_id,
    key: { ...key.key },
    statement: { ...key.statement },
    assertion: { ...key.assertion },
    authenticator: { aaguid, backupEligible, backedUp },
    confirmation: value as unknown as Json,
  })
  const row: PasskeyRow = {
    ...{ center_id: caller.centerId, id: key.id, actor_id: key.actor_id },
    ...{ key: key.key, thumbprint: key.thumbprint, backup_eligible: backupEligible },
    ...{ confirmed: how, counts, removed: false, bound_at: entry.sealedAt, last_entry: entry.hash },
  }
  rows.insert(row)
  auditInBatch(batch, caller, auditOf(key.id, 'bound', { actorId: key.actor_id, confirmed: how }))
  return row
}

/** Removes a key that this center knows; a repeated call changes nothing. */
export function unbind(batch: Batch, caller: Caller, id: string): void {
  const rows = batch.rows(passkeyRows)
  const row = rows.find(id)
  if (!row || row.removed) return
  const { actor_id: actorId, confirmed, last_entry: previous } = row
  const entry = append(batch, id, { passkey: 'removed', confirmed }, previous, {
    action: 'removed',
    actorId,
    by: { id: actorId },
  })
  rows.update({ ...row, removed: true, last_entry: entry.hash })
  auditInBatch(batch, caller, auditOf(id, 'removed', { actorId }))
}

export function confirm(batch: Batch, caller: Caller, row: PasskeyRow, confirmation: Confirmation): PasskeyRow {
  const confirmed: Confirmed = confirmation.how
  const entry = append(batch, row.id, { passkey: 'bound', confirmed }, row.last_entry, {
    action: 'confirmed',
    actorId: row.actor_id,
    confirmation: confirmation as unknown as Json,
  })
  const changed = { ...row, confirmed, counts: true, last_entry: entry.hash }
  batch.rows(passkeyRows).update(changed)
  const level = confirmation.how === 'admin' ? { level: confirmation.level } : {}
  auditInBatch(batch, caller, auditOf(row.id, 'confirmed', { actorId: row.actor_id, confirmed, ...level }))
  return changed
}
