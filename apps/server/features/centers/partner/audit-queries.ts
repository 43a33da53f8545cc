/** Audit entries of many centers, in the directory or in one cell: both have the same table. */
import { type RawBuilder, sql } from 'kysely'
import type { CentersTx } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'

export interface AuditRow {
  readonly id: string
  readonly center_id: number
  readonly type: string
  readonly occurred_at: Date
  readonly actor_id: string | null
  readonly target_type: string
  readonly target_id: string
  readonly details: Record<string, unknown>
}

/** Whole days in UTC, both included; null means unbounded. */
export interface Days {
  readonly from: string | null
  readonly to: string | null
}

type Tx = PartnerTx | CentersTx

const tableOf = (tx: Tx) => sql.table(`${tx.store}.audit_entries`)

const within = ({ from, to }: Days): RawBuilder<unknown> => sql`
  ${from === null ? sql`true` : sql`occurred_at >= ${from}::date::timestamp at time zone 'UTC'`}
  and ${to === null ? sql`true` : sql`occurred_at < (${to}::date + 1)::timestamp at time zone 'UTC'`}`

const byDay = async (tx: Tx, whose: RawBuilder<unknown>, days: Days) =>
  (
    await sql<{ day: string; entries: number }>`
      select to_char(day, 'YYYY-MM-DD') as day, count(*)::int as entries
      from (select (occurred_at at time zone 'UTC')::date as day from ${tableOf(tx)} where ${whose} and ${within(days)}) e
      group by e.day`.execute((tx as PartnerTx).db)
  ).rows

const newest = (tx: Tx, whose: RawBuilder<unknown>, days: Days, most: number) => sql<AuditRow>`
  select id, center_id, type, occurred_at, actor_id, target_type, target_id, details from ${tableOf(tx)}
  where ${whose} and ${within(days)} order by occurred_at desc, id desc limit ${most}`

/** An index orders each center's entries by time: the newest few of each center are read and merged. */
export const ofCenters = (tx: Tx, centerIds: readonly number[]) => ({
  byDay: (days: Days) => byDay(tx, sql`center_id = any (${centerIds}::integer[])`, days),
  newest: async (days: Days, most: number): Promise<AuditRow[]> =>
    (
      await sql<AuditRow>`
        select e.* from unnest(${centerIds}::integer[]) center (id)
        cross join lateral (${newest(tx, sql`center_id = center.id`, days, most)}) e
        order by e.occurred_at desc, e.id desc limit ${most}`.execute((tx as PartnerTx).db)
    ).rows,
})

/** Entries about the partner itself, in no center. */
export const ofPartner = (tx: PartnerTx) => {
  const whose = sql`center_id = 0 and target_type = 'partner' and target_id = ${tx.partnerId}`
  return {
    byDay: (days: Days) => byDay(tx, whose, days),
    newest: async (days: Days, most: number) => (await newest(tx, whose, days, most).execute(tx.db)).rows,
  }
}
