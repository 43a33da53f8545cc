/** Adds, lists, tests and removes the channels of a center. */
import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { createNotificationChannel } from '@countersign/contract/notification-channels.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { audit } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { ChatKind } from '../../../delivery/transports/chat.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { type ChannelRow, countChannels, deleteChannel, insertChannel, requestTest } from './queries.ts'

const mostChannels = 10

/** Binds the encrypted URL to its row. */
export const urlContext = (id: string): string => `notification channel ${id}`

export const shownChannel = (row: ChannelRow) => ({
  id: typedId('notificationChannel', row.id),
  kind: row.kind,
  name: row.name,
  host: row.host,
  active: row.active,
  disabledReason: row.disabled_reason,
  createdAt: row.created_at.toISOString(),
  lastSentAt: row.last_sent_at?.toISOString() ?? null,
  lastStatus: row.last_status,
  lastMessage: row.last_message,
})

const unknownChannel = () =>
  new Problem('NOT_FOUND', 'This center has no notification channel with this ID. List its channels to find the ID.')

const change = (action: AuditAction<'settings.updated'>, id: string) =>
  ({ type: 'settings.updated', action, target: { type: 'notification_channel', id } }) as const

export async function addChannel(
  tx: TenantTx,
  needs: { readonly box: SecretBox; readonly transports: Pick<Transports, ChatKind> },
  { kind, name, url }: BodyOf<typeof createNotificationChannel.spec>,
  actorId: string,
): Promise<ChannelRow> {
  const refusal = needs.transports[kind].refusalOf?.(url) ?? null
  if (refusal !== null)
    throw new Problem('VALIDATION_ERROR', `"url": ${refusal}`, { details: { reason: 'address', field: 'url' } })
  if ((await countChannels(tx)) >= mostChannels) {
    throw new Problem(
      'CONFLICT',
      `This center already has ${mostChannels} notification channels, the maximum. Remove one first.`,
      { details: { reason: 'maxChannels' } },
    )
  }
  const id = newUuid()
  const host = new URL(url).hostname
  const sealed = needs.box.seal(url, urlContext(id))
  const row = await insertChannel(tx, { id, kind, name, host, sealed, created_by: actorId })
  await audit(tx, { ...change('channel_added', typedId('notificationChannel', id)), details: { kind, host } })
  return row
}

export async function askForTest(tx: TenantTx, id: string): Promise<ChannelRow> {
  const uuid = uuidOf('notificationChannel', id)
  const row = uuid === null ? undefined : await requestTest(tx, uuid)
  if (!row) throw unknownChannel()
  return row
}

export async function removeChannel(tx: TenantTx, id: string): Promise<void> {
  const uuid = uuidOf('notificationChannel', id)
  if (uuid === null || !(await deleteChannel(tx, uuid))) throw unknownChannel()
  await audit(tx, change('channel_removed', id))
}

export const auditDisabled = (tx: TenantTx, uuid: string, reason: string): Promise<void> =>
  audit(tx, { ...change('channel_disabled', typedId('notificationChannel', uuid)), details: { reason } })
