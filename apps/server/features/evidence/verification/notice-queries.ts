/** Alarms and declared losses that a center has not been notified of yet. */
import type { Domain } from '@countersign/proof/chain.ts'
import { type Kysely, sql } from 'kysely'
import type { TenantTx } from '../../../data/cells.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'

/** Centers with something to tell, and those whose alarm was cleared. */
export async function centersToTell(db: Kysely<never>): Promise<readonly number[]> {
  const { rows } = await sql<{ center_id: number }>`
    select h.center_id from cell.chain_heads h where h.broken_at is not null and not exists (
      select from cell.integrity_notices n
      where (n.center_id, n.domain, n.kind, n.number) = (h.center_id, h.domain, 'alarm', h.broken_at))
    union select g.center_id from cell.log_generations g where not exists (
      select from cell.integrity_notices n
      where (n.center_id, n.domain, n.kind, n.number) = (g.center_id, g.domain, 'loss', g.generation))
    union select n.center_id from cell.integrity_notices n where n.mailed_at is null
    union select n.center_id from cell.integrity_notices n join cell.chain_heads h using (center_id, domain)
      where n.kind = 'alarm' and h.broken_at is distinct from n.number`.execute(db)
  return rows.map(({ center_id }) => center_id)
}

export interface AlarmRow {
  readonly domain: Domain
  readonly broken_at: number
}

export interface LossRow {
  readonly domain: Domain
  readonly generation: number
  readonly restored_size: number
  readonly lost_size: number
  readonly reason: string
  readonly declared_by: string
  readonly declared_at: Date
}

/** A cleared alarm is forgotten, so that the next one at the same index is announced again. */
export async function forgetCleared(tx: TenantTx): Promise<void> {
  await sql`
    delete from cell.integrity_notices n using cell.chain_heads h
    where n.center_id = ${tx.caller.centerId} and n.kind = 'alarm' and (h.center_id, h.domain) = (n.center_id, n.domain)
      and h.broken_at is distinct from n.number`.execute(tx.db)
}

/** Each with its notice, which this transaction has made: of two workers one gets it. */
export async function takeAlarms(tx: TenantTx): Promise<readonly AlarmRow[]> {
  const { rows } = await sql<AlarmRow>`
    with taken as (
      insert into cell.integrity_notices (center_id, domain, kind, number, told_at)
      select center_id, domain, 'alarm', broken_at, ${now()} from cell.chain_heads
      where center_id = ${tx.caller.centerId} and broken_at is not null
      on conflict do nothing returning domain, number)
    select domain, number as broken_at from taken order by domain`.execute(tx.db)
  return rows
}

export async function takeLosses(tx: TenantTx): Promise<readonly LossRow[]> {
  const { rows } = await sql<LossRow>`
    with taken as (
      insert into cell.integrity_notices (center_id, domain, kind, number, told_at)
      select center_id, domain, 'loss', generation, ${now()} from cell.log_generations
      where center_id = ${tx.caller.centerId} on conflict do nothing returning domain, number)
    select g.domain, g.generation, g.restored_size, g.lost_size, g.reason, g.declared_by, g.declared_at
    from taken t join cell.log_generations g on g.center_id = ${tx.caller.centerId} and g.domain = t.domain
      and g.generation = t.number order by g.domain, g.generation`.execute(tx.db)
  return rows
}

export interface Unmailed {
  readonly domain: Domain
  readonly kind: 'alarm' | 'loss'
  readonly number: number
  /** When it was found: the same alarm, found again after it was cleared, is another one. */
  readonly told_at: Date
  readonly restored_size: number | null
  readonly lost_size: number | null
}

export async function unmailed(tx: TenantTx): Promise<readonly Unmailed[]> {
  const { rows } = await sql<Unmailed>`
    select n.domain, n.kind, n.number, n.told_at, g.restored_size, g.lost_size
    from cell.integrity_notices n left join cell.log_generations g
      on n.kind = 'loss' and (g.center_id, g.domain, g.generation) = (n.center_id, n.domain, n.number)
    where n.center_id = ${tx.caller.centerId} and n.mailed_at is null order by n.domain, n.kind, n.number`.execute(
    tx.db,
  )
  return rows
}

export async function settleMailed(tx: TenantTx, { domain, kind, number }: Unmailed): Promise<void> {
  await sql`
    update cell.integrity_notices set mailed_at = ${now()}
    where center_id = ${tx.caller.centerId} and domain = ${domain} and kind = ${kind} and number = ${number}`.execute(
    tx.db,
  )
}

/** The addresses of its active ADMINs, each with the domain of the center. */
export async function adminAddresses(tx: DirectoryTx): Promise<readonly { email: string; domain: string }[]> {
  const { rows } = await sql<{ email: string; domain: string }>`
    select a.email, (select c.domain from directory.centers c where c.id = m.center_id) as domain from directory.memberships m join directory.actors a on a.id = m.actor_id
    where m.center_id = ${tx.caller.centerId} and m.role = 'ADMIN' and m.status = 'ACTIVE' and a.email is not null
    order by a.email`.execute(tx.db)
  return rows
}
