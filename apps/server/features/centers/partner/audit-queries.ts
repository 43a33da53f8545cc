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

export type Unit = 'day' | 'minute' | 'second'

/** Whole units of time in UTC, both included; null means unbounded. */
export interface Span {
  readonly unit: Unit
  readonly from: string | null
  readonly to: string | null
}

type Tx = PartnerTx | CentersTx

const tableOf = (tx: Tx) => sql.table(`${tx.store}.audit_entries`)

const within = ({ unit, from, to }: Span): RawBuilder<unknown> => sql`
  ${from === null ? sql`true` : sql`occurred_at >= ${from}::timestamp at time zone 'UTC'`}
  and ${to === null ? sql`true` : sql`occurred_at < (${to}::timestamp + ${`1 ${unit}`}::interval) at time zone 'UTC'`}`

/** The number of entries in each unit of a span. */
const counts = async (tx: Tx, whose: RawBuilder<unknown>, span: Span, unit: Unit) =>
  (
    await sql<{ start: string; entries: number }>`
      select to_char(start, 'YYYY-MM-DD HH24:MI:SS') as start, count(*)::int as entries
      from (select date_trunc(${unit}, occurred_at at time zone 'UTC') as start from ${tableOf(tx)}
        where ${whose} and ${within(span)}) e
      group by e.start`.execute((tx as PartnerTx).db)
  ).rows

const newest = (tx: Tx, whose: RawBuilder<unknown>, span: Span, most: number) => sql<AuditRow>`
  select id, center_id, type, occurred_at, actor_id, target_type, target_id, details from ${tableOf(tx)}
  where ${whose} and ${within(span)} order by occurred_at desc, id desc limit ${most}`

/** An index orders each center's entries by time: the newest few of each center are read and merged. */
export const ofCenters = (tx: Tx, centerIds: readonly number[]) => ({
  counts: (span: Span, unit: Unit) => counts(tx, sql`center_id = any (${centerIds}::integer[])`, span, unit),
  newest: async (span: Span, most: number): Promise<AuditRow[]> =>
    (
      await sql<AuditRow>`
        select e.* from unnest(${centerIds}::integer[]) center (id)
        cross join lateral (${newest(tx, sql`center_id = center.id`, span, most)}) e
        order by e.occurred_at desc, e.id desc limit ${most}`.execute((tx as PartnerTx).db)
    ).rows,
})

/** Entries about the partner itself, in no center. */
export const ofPartner = (tx: PartnerTx) => {
  const whose = sql`center_id = 0 and target_type = 'partner' and target_id = ${tx.partnerId}`
  return {
    counts: (span: Span, unit: Unit) => counts(tx, whose, span, unit),
    newest: async (span: Span, most: number) => (await newest(tx, whose, span, most).execute(tx.db)).rows,
  }
}
