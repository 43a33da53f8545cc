import { type Kysely, sql } from 'kysely'
import type { Lease } from '../../../concurrency/leases.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Health } from '../../../delivery/health.ts'
import { heldRow, type LeasedTable } from '../../../delivery/lease-queries.ts'
import type { ChatKind } from '../../../delivery/transports/chat.ts'
import { now } from '../../../lib/clock.ts'

export interface ChannelRow {
  readonly id: string
  readonly kind: ChatKind
  readonly name: string
  readonly host: string
  readonly active: boolean
  readonly disabled_reason: string | null
  readonly created_at: Date
  readonly last_sent_at: Date | null
  readonly last_status: 'success' | 'failed' | null
  readonly last_message: string | null
}

const shownColumns = [
  'id',
  'kind',
  'name',
  'host',
  'active',
  'disabled_reason',
  'created_at',
  'last_sent_at',
  'last_status',
  'last_message',
] as const

/** Takes a lock, so that concurrent requests cannot exceed the limit of the center. */
export async function countChannels(tx: TenantTx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('cell.notification_channels'), ${tx.caller.centerId})`.execute(tx.db)
  const row = await tx.db
    .selectFrom('notification_channels')
    .select((eb) => eb.fn.countAll<number>().as('channels'))
    .where('center_id', '=', tx.caller.centerId)
    .executeTakeFirstOrThrow()
  return Number(row.channels)
}

export interface NewChannel {
  readonly id: string
  readonly kind: ChatKind
  readonly name: string
  readonly host: string
  readonly sealed: Buffer
  readonly created_by: string
}

export const insertChannel = (tx: TenantTx, channel: NewChannel): Promise<ChannelRow> =>
  tx.db
    .insertInto('notification_channels')
    .values({ ...channel, center_id: tx.caller.centerId, created_at: now() })
    .returning(shownColumns)
    .executeTakeFirstOrThrow() as Promise<ChannelRow>

export const listChannels = (tx: TenantTx): Promise<ChannelRow[]> =>
  tx.db
    .selectFrom('notification_channels')
    .select(shownColumns)
    .where('center_id', '=', tx.caller.centerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute() as Promise<ChannelRow[]>

export const requestTest = (tx: TenantTx, id: string): Promise<ChannelRow | undefined> =>
  tx.db
    .updateTable('notification_channels')
    .set({ testing: true })
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .returning(shownColumns)
    .executeTakeFirst() as Promise<ChannelRow | undefined>

export const deleteChannel = async (tx: TenantTx, id: string): Promise<boolean> =>
  (await tx.db
    .deleteFrom('notification_channels')
    .where('center_id', '=', tx.caller.centerId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()) !== undefined

/** Returns how many channels have to be notified. */
export async function oweMessages(tx: TenantTx, decisions: number): Promise<number> {
  const { rows } = await sql`
    update cell.notification_channels set owed = owed + ${decisions}
    where center_id = ${tx.caller.centerId} and active returning id`.execute(tx.db)
  return rows.length
}

export interface DueChannel extends Lease, Health {
  readonly center_id: number
  readonly id: string
  readonly kind: ChatKind
  readonly sealed: Buffer
  readonly active: boolean
  readonly disabled_reason: string | null
  readonly testing: boolean
  readonly owed: string
}

/** The job takes them without a center. */
export const channels: LeasedTable = {
  name: 'cell.notification_channels',
  key: ['center_id', 'id'],
  lease: 'lease_until',
  epoch: 'lease_epoch',
  due: (at) => sql`(testing or active and told < owed and (not_before is null or not_before <= ${at}))
    and (lease_until is null or lease_until <= ${at})`,
  order: `coalesce(not_before, '-infinity')`,
  perCenter: 5,
  columns: `r.center_id, r.id, r.kind, r.sealed, r.active, r.disabled_reason, to_json(r.not_before) as not_before, r.testing,
    r.owed, r.failures, to_json(r.failing_since) as failing_since`,
}

export interface Ended extends Health {
  readonly testing: boolean
  readonly told: string | null
  readonly active: boolean
  readonly disabled_reason: string | null
  /** Null where nothing was sent. */
  readonly last: { readonly at: Date; readonly status: 'success' | 'failed'; readonly message: string | null } | null
}

/** Does nothing if another worker has taken the lease. A test that was requested in the meantime stays pending. */
export async function endLease(tx: TenantTx, channel: DueChannel, ended: Ended): Promise<boolean> {
  const { last } = ended
  const { rows } = await sql`
    update cell.notification_channels set lease_until = null,
      testing = testing and not ${ended.testing}::boolean,
      told = greatest(told, coalesce(${ended.told}::bigint, told)),
      active = ${ended.active}, disabled_reason = ${ended.disabled_reason}, not_before = ${ended.not_before},
      failures = ${ended.failures}, failing_since = ${ended.failing_since},
      last_sent_at = coalesce(${last?.at ?? null}, last_sent_at),
      last_status = case when ${last !== null}::boolean then ${last?.status ?? null} else last_status end,
      last_message = case when ${last !== null}::boolean then ${last?.message ?? null} else last_message end
    where ${heldRow(channels, channel)} returning id`.execute(tx.db)
  return rows.length > 0
}

export interface NewestWaiting {
  readonly id: string
  readonly action: { readonly type: string; readonly description?: string }
  readonly total: number
}

/** The newest announced decision that still waits, with the number of such decisions. */
export async function newestAnnounced(tx: TenantTx, at: Date): Promise<NewestWaiting | undefined> {
  const { rows } = await sql<NewestWaiting>`
    select d.id, d.action, count(*) over ()::int as total
    from cell.waiting_decisions w join cell.decision_events d on d.center_id = w.center_id and d.id = w.event_id
    where w.center_id = ${tx.caller.centerId} and w.announced and (w.expires_at is null or w.expires_at > ${at})
    order by w.seq desc limit 1`.execute(tx.db)
  return rows[0]
}

export interface SealedUrl {
  readonly center_id: number
  readonly id: string
  readonly sealed: Buffer
}

/** URLs that another key encrypts than the current one; bytes 1 to 4 of a box name its key. */
export async function sealedOtherwise(db: Kysely<never>, keyId: Buffer): Promise<readonly SealedUrl[]> {
  const { rows } = await sql<SealedUrl>`
    select center_id, id, sealed from cell.notification_channels where substr(sealed, 2, 4) <> ${keyId} limit 100`.execute(
    db,
  )
  return rows
}

export async function sealAgain(db: Kysely<never>, { center_id, id }: SealedUrl, sealed: Buffer): Promise<void> {
  await sql`
    update cell.notification_channels set sealed = ${sealed} where center_id = ${center_id} and id = ${id}`.execute(db)
}
