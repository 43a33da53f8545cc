/** Schedules as the workers keep them: a copy from definitions and centers, with the next due time. */
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { IdentityTx } from '../../../data/directory.ts'

export interface ScheduledCenterRow {
  readonly id: number
  readonly vertical: string
  readonly status: string
  readonly settings: unknown
}

/** Centers of every status: the schedules of an inactive center are deleted. */
export const centersOfCell = (
  tx: IdentityTx,
  cell: string,
  after: number,
  most: number,
): Promise<ScheduledCenterRow[]> =>
  tx.db
    .selectFrom('centers')
    .select(['id', 'vertical', 'status', 'settings'])
    .where('cell', '=', cell)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute()

/** Those of these centers that are in the cell. */
export const namedCenters = (tx: IdentityTx, cell: string, ids: readonly number[]): Promise<ScheduledCenterRow[]> =>
  tx.db
    .selectFrom('centers')
    .select(['id', 'vertical', 'status', 'settings'])
    .where('cell', '=', cell)
    .where('id', 'in', [...ids])
    .execute()

export async function countCenters(tx: IdentityTx, cell: string): Promise<number> {
  const { rows } = await sql<{ centers: number }>`
    select count(*)::integer as centers from directory.centers where cell = ${cell}`.execute(tx.db)
  return rows[0]?.centers ?? 0
}

/** What changed since a look, and from which mark on the next look reads. */
export interface Changes {
  readonly horizon: number
  readonly centerIds: readonly number[]
}

const changes = (rows: readonly { horizon: number; id: number | null }[]): Changes => ({
  horizon: rows[0]?.horizon as number,
  centerIds: rows.flatMap(({ id }) => id ?? []),
})

/** Centers whose row has this mark or a later one; with null, none. */
export async function centersSince(tx: IdentityTx, cell: string, from: number | null): Promise<Changes> {
  const { rows } = await sql<{ horizon: number; id: number | null }>`
    select n.horizon, c.id from (select countersign.horizon() as horizon) n
      left join directory.centers c on c.cell = ${cell} and c.changed >= ${from}::bigint`.execute(tx.db)
  return changes(rows)
}

/** The same for what centers have chosen for their workflows. */
export async function settingsSince(db: Kysely<never>, from: number | null): Promise<Changes> {
  const { rows } = await sql<{ horizon: number; id: number | null }>`
    select distinct n.horizon, s.center_id as id from (select countersign.horizon() as horizon) n
      left join cell.workflow_settings s on s.changed >= ${from}::bigint`.execute(db)
  return changes(rows)
}

/** A schedule without a due time is deleted. */
export interface WantedSchedule
  extends Pick<ScheduleRow, 'center_id' | 'workflow_key'>,
    Partial<Pick<ScheduleRow, 'cron' | 'timezone'>> {
  readonly next_at: Date | null
}

export async function putSchedules(db: Kysely<never>, wanted: readonly WantedSchedule[]): Promise<void> {
  await sql`select cell.put_schedules(${JSON.stringify(wanted)})`.execute(db)
}

export interface ScheduleRow {
  readonly center_id: number
  readonly workflow_key: string
  readonly cron: string
  readonly timezone: string
  readonly next_at: Date
  readonly last_due: Date | null
}

export async function schedulesOf(db: Kysely<never>, centerIds: readonly number[]): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select center_id, workflow_key, cron, timezone, next_at, last_due from cell.workflow_schedules
    where center_id = any (${centerIds}::integer[])`.execute(db)
  return rows
}

export async function dueSchedules(
  db: Kysely<never>,
  keys: readonly string[],
  at: Date,
  most: number,
): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select center_id, workflow_key, cron, timezone, next_at, last_due from cell.workflow_schedules
    where next_at <= ${at} and workflow_key = any (${keys}::text[]) order by next_at limit ${most}`.execute(db)
  return rows
}

export async function putSchedule(
  tx: TenantTx,
  { workflow_key, cron, timezone, next_at }: Omit<ScheduleRow, 'center_id' | 'last_due'>,
): Promise<void> {
  await tx.db
    .insertInto('workflow_schedules')
    .values({ center_id: tx.caller.centerId, workflow_key, cron, timezone, next_at })
    .onConflict((conflict) => conflict.columns(['center_id', 'workflow_key']).doUpdateSet({ cron, timezone, next_at }))
    .execute()
}

export async function deleteSchedule(tx: TenantTx, key: string): Promise<void> {
  await tx.db
    .deleteFrom('workflow_schedules')
    .where('center_id', '=', tx.caller.centerId)
    .where('workflow_key', '=', key)
    .execute()
}

/** False where another worker was first: one of the workers that see a due time moves it on. */
export async function moveOn(tx: TenantTx, seen: ScheduleRow, due: Date, next: Date): Promise<boolean> {
  const moved = await tx.db
    .updateTable('workflow_schedules')
    .set({ next_at: next, last_due: due, skipped: false })
    .where('center_id', '=', tx.caller.centerId)
    .where('workflow_key', '=', seen.workflow_key)
    .where('next_at', '=', seen.next_at)
    .returning('next_at')
    .executeTakeFirst()
  return moved !== undefined
}

export async function noteSkipped(tx: TenantTx, key: string): Promise<void> {
  await tx.db
    .updateTable('workflow_schedules')
    .set({ skipped: true })
    .where('center_id', '=', tx.caller.centerId)
    .where('workflow_key', '=', key)
    .execute()
}
