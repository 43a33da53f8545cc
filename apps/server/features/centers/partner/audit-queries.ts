/** Audit entries of many centers, in the directory or in one cell: both have the same table, and a cell has one of seals too. */
import { type RawBuilder, sql } from 'kysely'
import { packedId } from '../../../audit/packed-id.ts'
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

/** Which entries a reader chose. */
export interface Chosen {
  readonly type?: string | undefined
  readonly actorId?: string | undefined
}

const matching = ({ type, actorId }: Chosen): RawBuilder<unknown> => sql`
  ${type === undefined ? sql`true` : sql`type = ${type}`}
  and ${actorId === undefined ? sql`true` : sql`actor_id = ${actorId}`}`

/** Of the seals; null where none can match. */
const matchingSeals = (tx: Tx, { type, actorId }: Chosen): RawBuilder<unknown> | null =>
  tx.store !== 'cell' || (type !== undefined && type !== 'decision.sealed')
    ? null
    : actorId === undefined
      ? sql`true`
      : sql`actor = ${packedId(actorId)}::bytea`

/** The number of entries in each unit of a span. */
const counts = async (tx: Tx, from: RawBuilder<unknown>, unit: Unit) =>
  (
    await sql<{ start: string; entries: number }>`
      select to_char(start, 'YYYY-MM-DD HH24:MI:SS') as start, count(*)::int as entries
      from (select date_trunc(${unit}, occurred_at at time zone 'UTC') as start from (${from}) e) e
      group by e.start`.execute((tx as PartnerTx).db)
  ).rows

const columns = sql`id, center_id, type, occurred_at, actor_id, target_type, target_id, details`
const newest = (tx: Tx, whose: RawBuilder<unknown>, span: Span, most: number) => sql<AuditRow>`
  select ${columns} from ${tableOf(tx)}
  where ${whose} and ${within(span)} order by occurred_at desc, id desc limit ${most}`

/** An index orders each center's entries by time: the newest few of each center are read and merged. */
export function ofCenters(tx: Tx, centerIds: readonly number[], chosen: Chosen) {
  const seals = matchingSeals(tx, chosen)
  const any = sql`center_id = any (${centerIds}::integer[])`
  return {
    counts: (span: Span, unit: Unit) =>
      counts(
        tx,
        sql`select occurred_at from ${tableOf(tx)} where ${any} and ${matching(chosen)} and ${within(span)}
          ${seals ? sql`union all select occurred_at from cell.seal_entries where ${any} and ${seals} and ${within(span)}` : sql``}`,
        unit,
      ),
    newest: async (span: Span, most: number): Promise<AuditRow[]> => {
      const stored = newest(tx, sql`center_id = center.id and ${matching(chosen)}`, span, most)
      // In the order of their ids.
      const sealed =
        seals &&
        sql`union all (select ${columns} from cell.seal_audit_entries
          where center_id = center.id and ${seals} and ${within(span)} order by occurred_at desc, chain_index desc limit ${most})`
      return (
        await sql<AuditRow>`
          select e.* from unnest(${centerIds}::integer[]) center (id)
          cross join lateral ((${stored}) ${sealed ?? sql``}) e
          order by e.occurred_at desc, e.id desc limit ${most}`.execute((tx as PartnerTx).db)
      ).rows
    },
  }
}

/** Entries about the partner itself, in no center. */
export const ofPartner = (tx: PartnerTx, chosen: Chosen) => {
  const whose = sql`center_id = 0 and target_type = 'partner' and target_id = ${tx.partnerId} and ${matching(chosen)}`
  return {
    counts: (span: Span, unit: Unit) =>
      counts(tx, sql`select occurred_at from ${tableOf(tx)} where ${whose} and ${within(span)}`, unit),
    newest: async (span: Span, most: number) => (await newest(tx, whose, span, most).execute(tx.db)).rows,
  }
}

interface NameRow {
  readonly id: string
  readonly name: string
}

/** Of members of the partner's centers, by person and by membership, and of its own people. */
export async function namesOf(
  tx: PartnerTx,
  centerIds: readonly number[],
  { actors, memberships }: Readonly<Record<'actors' | 'memberships', readonly string[]>>,
): Promise<readonly NameRow[]> {
  const { rows } = await sql<NameRow>`
    select actor_id as id, name from directory.memberships
      where center_id = any (${centerIds}::integer[]) and actor_id = any (${actors}::uuid[]) and accepted
    union all select id, name from directory.memberships
      where center_id = any (${centerIds}::integer[]) and id = any (${memberships}::uuid[])
    union all select o.actor_id, a.name from directory.partner_accounts o join directory.actors a on a.id = o.actor_id
      where o.partner_id = ${tx.partnerId} and o.actor_id = any (${actors}::uuid[])`.execute(tx.db)
  return rows
}
