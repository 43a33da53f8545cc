/** Who looks after an alarm, beside the alarm in the cell. */
import type { Domain } from '@countersign/proof/chain.ts'
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'

export interface Acknowledged {
  readonly name: string
  readonly note: string
  readonly at: Date
}

interface AcknowledgementRow extends Acknowledged {
  readonly center_id: number
  readonly domain: Domain
}

const shown = (row: Acknowledged | undefined) =>
  row === undefined ? null : { name: row.name, note: row.note, at: row.at.toISOString() }

/** While the mark cannot be cleared: an acknowledgement belongs to the alarm that stands. */
export async function brokenNow(tx: TenantTx, domain: Domain): Promise<boolean> {
  const { rows } = await sql`
    select from cell.chain_heads where center_id = ${tx.caller.centerId} and domain = ${domain} and broken_at is not null
    for update`.execute(tx.db)
  return rows.length > 0
}

/** False where an operator has done so. */
export async function insertAcknowledgement(
  tx: TenantTx,
  domain: Domain,
  by: string,
  { name, note, at }: Acknowledged,
) {
  const { rows } = await sql`
    insert into cell.alarm_acknowledgements (domain, acknowledged_by, name, note, acknowledged_at)
    values (${domain}, ${by}, ${name}, ${note}, ${at}) on conflict do nothing returning 1`.execute(tx.db)
  return rows.length === 1
}

export async function acknowledgedIn(tx: TenantTx, domain: Domain) {
  const { rows } = await sql<Acknowledged>`
    select name, note, acknowledged_at as at from cell.alarm_acknowledgements
    where center_id = ${tx.caller.centerId} and domain = ${domain}`.execute(tx.db)
  return shown(rows[0])
}

/** Of all centers of a cell. */
export async function acknowledgedInCell(db: Kysely<never>) {
  const { rows } = await sql<AcknowledgementRow>`
    select center_id, domain, name, note, acknowledged_at as at from cell.alarm_acknowledgements`.execute(db)
  const found = new Map(rows.map((row) => [`${row.center_id} ${row.domain}`, row]))
  return (centerId: number, domain: string) => shown(found.get(`${centerId} ${domain}`))
}
