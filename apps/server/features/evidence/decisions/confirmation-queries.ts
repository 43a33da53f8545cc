/** What was approved in an emergency and is to be confirmed, for those who are to, and for administrators. */
import { sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { ConfirmationRow, EmergencyRow } from '../decision-events/api.ts'

/** With what was said, as the chain `history` discloses it. */
export interface ShownConfirmation extends ConfirmationRow {
  readonly reason: string | null
}

/** With what of the seal decides who confirms. */
export interface ShownEmergency extends EmergencyRow {
  readonly confirmations: readonly ShownConfirmation[]
  readonly told: number | null
  readonly risk_score: number | null
  /** Null once it is redacted. */
  readonly actor_id: string | null
  readonly sealed_policies: readonly { readonly id: string; readonly version: number; readonly digest: string }[] | null
  readonly sealed_at: string
}

/** Of a row `m` of cell.emergencies. */
export const shownEmergency = sql`
  m.*, d.risk_score, d.actor ->> 'id' as actor_id, u.policies as sealed_policies, s.sealed_at,
  (select coalesce(json_agg(row_to_json(c) order by c.position), '[]') from (
    select c.*, h.disclosed ->> 'reason' as reason from cell.confirmations c
      left join cell.history h on h.center_id = c.center_id and h.idx = c.history_index
    where c.center_id = m.center_id and c.event_id = m.event_id) c) as confirmations`

export const emergencyTables = sql`
  cell.emergencies m
    join cell.decision_events d on d.center_id = m.center_id and d.id = m.event_id
    join cell.dpus u on u.center_id = m.center_id and u.id = m.event_id
    join cell.chain_entries s on s.center_id = u.center_id and s.domain = u.domain and s.idx = u.chain_index`

const readAs = (where: ReturnType<typeof sql>) => async (tx: TenantTx) => {
  const { rows } = await sql<{ row: ShownEmergency }>`
    select row_to_json(x) as row from (
      select ${shownEmergency} from ${emergencyTables} where m.center_id = ${tx.caller.centerId} and ${where}) x`.execute(
    tx.db,
  )
  return rows.map(({ row }) => row)
}

/** Those that can still be confirmed, the next to end first. */
export const toBeConfirmed = (tx: TenantTx, at: Date, most: number): Promise<readonly ShownEmergency[]> =>
  readAs(sql`m.state = 'open' and m.confirm_by >= ${at} order by m.confirm_by limit ${most}`)(tx)

/** Those of which nobody, or not everybody whose turn it is, was noted as to be told. */
export const untoldConfirmations = (tx: TenantTx, at: Date, most: number): Promise<readonly ShownEmergency[]> =>
  readAs(sql`m.state = 'open' and m.confirm_by >= ${at} and m.told is distinct from (
    select count(*)::int from cell.confirmations c where c.center_id = m.center_id and c.event_id = m.event_id)
    order by m.event_id limit ${most}`)(tx)

export async function noteToldConfirmations(
  tx: TenantTx,
  rows: readonly { readonly event_id: string; readonly told: number }[],
): Promise<void> {
  await sql`
    update cell.emergencies m set told = t.told
    from json_to_recordset(${JSON.stringify(rows)}::json) as t (event_id uuid, told integer)
    where m.center_id = ${tx.caller.centerId} and m.event_id = t.event_id`.execute(tx.db)
}

/** Those whose time is over, and of which that is not sealed. */
export async function lapsedEmergencies(tx: TenantTx, at: Date, most: number): Promise<readonly string[]> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from cell.emergencies
    where center_id = ${tx.caller.centerId} and state = 'open' and confirm_by < ${at}
    order by confirm_by limit ${most}`.execute(tx.db)
  return rows.map(({ event_id }) => event_id)
}

export interface UnmailedEmergency {
  readonly event_id: string
  readonly state: 'objected' | 'unconfirmed'
  readonly state_at: Date
}

export async function unmailedEmergencies(tx: TenantTx, most: number): Promise<readonly UnmailedEmergency[]> {
  const { rows } = await sql<UnmailedEmergency>`
    select event_id, state, state_at from cell.emergencies
    where center_id = ${tx.caller.centerId} and not mailed order by state_at limit ${most}`.execute(tx.db)
  return rows
}

export async function noteMailedEmergency(tx: TenantTx, eventId: string): Promise<void> {
  await sql`
    update cell.emergencies set mailed = true
    where center_id = ${tx.caller.centerId} and event_id = ${eventId}`.execute(tx.db)
}

/** The oldest one of these accounts that keeps them from giving another. */
export async function unsettledOf(tx: TenantTx, ids: readonly string[], at: Date): Promise<string | null> {
  const { rows } = await sql<{ event_id: string }>`
    select event_id from cell.emergencies
    where center_id = ${tx.caller.centerId} and used_by && ${ids}::text[] and state <> 'confirmed' and closed_at is null
      and (state <> 'open' or confirm_by < ${at}) order by confirm_by limit 1`.execute(tx.db)
  return rows[0]?.event_id ?? null
}
