import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import type { ChannelKind } from './message.ts'

export interface ChannelRow {
  readonly id: string
  readonly kind: ChannelKind
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
  readonly kind: ChannelKind
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

/** Returns how many channels are to be told. */
export async function oweMessages(tx: TenantTx, decisions: number): Promise<number> {
  const { rows } = await sql`
    update cell.notification_channels set owed = owed + ${decisions}
    where center_id = ${tx.caller.centerId} and active returning id`.execute(tx.db)
  return rows.length
}

export interface DueChannel {
  readonly center_id: number
  readonly id: string
  readonly kind: ChannelKind
  readonly sealed: Buffer
  readonly active: boolean
  readonly disabled_reason: string | null
  readonly not_before: Date | null
  readonly testing: boolean
  readonly owed: string
  readonly failures: number
  readonly failing_since: Date | null
  readonly lease_epoch: string
}

/** Leases channels that are due; a worker that dies leaves a lease that expires. The job runs without a center here. */
export async function leaseDue(db: Kysely<never>, at: Date, until: Date, most: number): Promise<readonly DueChannel[]> {
  const { rows } = await sql<DueChannel>`
    update cell.notification_channels c set lease_epoch = c.lease_epoch + 1, lease_until = ${until}
    from (
      select center_id, id from cell.notification_channels
      where (testing or active and told < owed and (not_before is null or not_before <= ${at}))
        and (lease_until is null or lease_until <= ${at})
      order by not_before nulls first, center_id, id limit ${most} for update skip locked) d
    where c.center_id = d.center_id and c.id = d.id
    returning c.center_id, c.id, c.kind, c.sealed, c.active, c.disabled_reason, c.not_before, c.testing, c.owed,
      c.failures, c.failing_since, c.lease_epoch`.execute(db)
  return rows
}

export interface Ended {
  readonly testing: boolean
  readonly told: string | null
  readonly active: boolean
  readonly disabled_reason: string | null
  readonly not_before: Date | null
  readonly failures: number
  readonly failing_since: Date | null
  /** Null where nothing was sent. */
  readonly last: { readonly at: Date; readonly status: 'success' | 'failed'; readonly message: string | null } | null
}

/** Does nothing for a worker whose lease another one has taken. A test that was asked for meanwhile is still owed. */
export async function endLease(tx: TenantTx, { id, lease_epoch }: DueChannel, ended: Ended): Promise<boolean> {
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
    where center_id = ${tx.caller.centerId} and id = ${id} and lease_epoch = ${lease_epoch} returning id`.execute(tx.db)
  return rows.length > 0
}

export interface NewestWaiting {
  readonly id: string
  readonly action: { readonly type: string; readonly description?: string }
  readonly total: number
}

/** The newest decision that channels were told of and that still waits, with the number of those. */
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
