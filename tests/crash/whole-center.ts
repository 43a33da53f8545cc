/** The rows that exist for an ordered center. */
import type { World } from '../support/world.ts'

export interface Parts {
  readonly parts: 'all' | 'none' | 'some'
  readonly rows: Readonly<Record<string, number>>
}

/** The number of rows that a complete center has in each table. */
const whole = { centers: 1, orders: 1, admins: 1, subscriptions: 1, mappings: 1, roles: 4, audited: 1, words: 1 }

/** Counts orphans too: rows found by the order and rows found by its subdomain must belong together. */
export async function completeness(world: World, order: { orderId: string; subdomain: string }): Promise<Parts> {
  const [rows = {}] = await world.query<Record<string, number>>(
    `with c as (select id from directory.centers where domain = $2)
     select (select count(*) from c)::int as centers,
       (select count(*) from directory.provisioning_orders o where o.order_id = $1)::int as orders,
       (select count(*) from directory.memberships m where m.center_id in (select id from c)
         and m.role = 'ADMIN' and m.status = 'ACTIVE')::int as admins,
       (select count(*) from directory.subscriptions s where s.center_id in (select id from c) and s.seat_used = 1)::int as subscriptions,
       (select count(*) from directory.tenant_mappings t where t.center_id in (select id from c))::int as mappings,
       (select count(*) from directory.center_roles r where r.center_id in (select id from c))::int as roles,
       (select count(*) from directory.audit_entries a where a.type = 'center.provisioned' and a.details ->> 'orderId' = $1)::int as audited,
       (select least(count(*), 1) from directory.center_words w where w.center_id in (select id from c))::int as words`,
    [order.orderId, order.subdomain],
  )
  const orphans = await world.query(
    `select 'role' from directory.center_roles r where not exists (select from directory.centers c where c.id = r.center_id)
     union all select 'order' from directory.provisioning_orders o where not exists (select from directory.centers c where c.id = o.center_id)`,
  )
  const counts = Object.entries(whole)
  const parts = counts.every(([name]) => rows[name] === 0)
    ? 'none'
    : counts.every(([name, n]) => rows[name] === n)
      ? 'all'
      : 'some'
  return { parts: orphans.length > 0 ? 'some' : parts, rows: { ...rows, orphans: orphans.length } }
}
