/** What waits for a partner: in the directory, and in the cells of its centers. */
import type { PartnerTaskKind } from '@countersign/contract/partner-tasks.ts'
import { sql } from 'kysely'
import type { CentersTx } from '../../../data/cells.ts'
import type { PartnerTx } from '../../../data/directory.ts'

export interface Task {
  readonly kind: PartnerTaskKind
  readonly center_id: number | null
  /** A membership, an event, or what the domain is called; nothing of a subscription. */
  readonly about: string | null
  readonly since: Date
}

/** A site's host or a sender's domain that no name server proves; and subscriptions whose payment is late. */
export async function directoryTasks(tx: PartnerTx, most: number): Promise<Task[]> {
  const { rows } = await sql<Task>`
    (select 'PAST_DUE' as kind, s.center_id, null as about, s.current_period_end as since
      from directory.subscriptions s join directory.centers c on c.id = s.center_id
      where c.partner_id = ${tx.partnerId} and s.status = 'PAST_DUE' order by 4 limit ${most})
    union all
    (select 'DOMAIN', d.center_id, d.domain, d.created_at from directory.domains d
      where d.proven_at is null and (d.partner_id = ${tx.partnerId} or d.center_id in (
        select c.id from directory.centers c where c.partner_id = ${tx.partnerId} and c.status <> 'INACTIVE'))
      order by 4 limit ${most})`.execute(tx.db)
  return rows
}

/**
 * Roles that do not count yet, and emergency approvals that went unconfirmed, where the center has nobody else: an administrator
 * whose role counts, and whose matter it is not.
 */
export async function centerTasks(
  tx: CentersTx,
  centerIds: readonly number[],
  at: Date,
  most: number,
): Promise<Task[]> {
  const others = sql`select from cell.eligibilities o
    where o.center_id = m.center_id and o.active and o.role = 'ADMIN' and o.counts_from <= ${at}`
  const { rows } = await sql<Task>`
    (select 'ROLE' as kind, m.center_id, m.id::text as about, m.since_at as since from cell.eligibilities m
      where m.center_id = any (${centerIds}::integer[]) and m.active and m.counts_from > ${at}
        and not exists (${others} and o.actor_id <> m.actor_id and not o.actor_id = any (m.makers))
      order by m.counts_from limit ${most})
    union all
    (select 'EMERGENCY', m.center_id, m.event_id::text, m.state_at from cell.emergencies m
      where m.center_id = any (${centerIds}::integer[]) and m.state in ('objected', 'unconfirmed') and m.closed_at is null
        and not exists (${others} and not o.actor_id::text = any (m.used_by))
      order by m.state_at limit ${most})`.execute(tx.db)
  return rows
}

export interface TaskMember {
  readonly id: string
  readonly name: string
  readonly role: string
}

export const membersOfTasks = (tx: PartnerTx, ids: readonly string[]): Promise<TaskMember[]> =>
  tx.db
    .selectFrom('memberships')
    .select(['id', 'name', 'role'])
    .where('id', 'in', [...ids])
    .execute()
