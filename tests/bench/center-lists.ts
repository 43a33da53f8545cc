/**
 * The first page, and a page by cursor, of the lists that the staff of a center reads: members, audit entries, units and appointments. Each
 * is filled without the service, as its triggers and its sequencer would have filled it; totals are compared with a count.
 */
import type { World } from '../support/world.ts'

export interface CenterList {
  readonly path: (centerId: number) => string
  readonly fill: (world: World, centerId: number, rows: number) => Promise<void>
  /** The query of each measured request, and the condition that counts the same rows. */
  readonly filters: Readonly<Record<string, readonly [query: string, condition: string]>>
  readonly tables: readonly string[]
}

/** Without triggers, so that a million rows are filled in one statement each. */
const quietly = (world: World, ...statements: string[]) =>
  world.query(`begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`)

const members: CenterList = {
  path: (centerId) => `/api/centers/${centerId}/members`,
  tables: ['directory.memberships'],
  fill: async (world, center, rows) => {
    await quietly(
      world,
      `insert into directory.memberships (center_id, id, actor_id, role, status, name, address)
       select ${center}, gen_random_uuid(), gen_random_uuid(), case when i % 1000 = 0 then 'INSTRUCTOR' else 'PARENT' end,
         case when (i / 7) % 500 = 0 then 'SUSPENDED' when (i / 7) % 3 = 0 then 'ENDED' else 'ACTIVE' end,
         lpad(to_hex(i), 6, '0'), 'm' || i || '@people.example' from generate_series(1, ${rows}) i`,
      `insert into directory.member_words (center_id, word, membership_id)
       select m.center_id, w, m.id from directory.memberships m cross join lateral directory.words_of_member(m.name, m.address) w
       where m.center_id = ${center} and m.name <> 'boss' on conflict do nothing`,
      `insert into directory.member_counts as k (center_id, role, status, members)
       select center_id, role, status, count(*) from directory.memberships where center_id = ${center} group by 1, 2, 3
       on conflict (center_id, role, status) do update set members = excluded.members`,
    )
  },
  filters: {
    none: ['', 'true'],
    'role, rare': ['role=INSTRUCTOR', `role = 'INSTRUCTOR'`],
    'status, common': ['status=ACTIVE', `status = 'ACTIVE'`],
    'status, rare': ['status=SUSPENDED', `status = 'SUSPENDED'`],
    both: ['role=INSTRUCTOR&status=ENDED', `role = 'INSTRUCTOR' and status = 'ENDED'`],
    'search, one': ['search=m4711@people', `address like 'm4711@%'`],
  },
}

const auditRows = (store: string, center: number, rows: number) => `
  insert into ${store}.audit_entries (center_id, id, type, occurred_at, request_id, actor_id, target_type, target_id, details)
  select ${center}, gen_random_uuid(), case when i % 1000 = 0 then 'policy.changed' when i % 3 = 0 then 'dpu.changed' else 'decision.sealed' end,
    now() - interval '1 day' - (i % 400) * interval '1 day' - i * interval '1 millisecond', 'req',
    case when i <= 50 then 'rare' else 'key_common' end, 'dpu', 'dpu_' || i / 20, '{"action":"created"}'
  from generate_series(1, ${rows}) i`

const audit: CenterList = {
  path: () => '/api/audit',
  tables: ['cell.audit_entries', 'directory.audit_entries'],
  fill: async (world, center, rows) => {
    await world.query(auditRows('cell', center, rows))
    await world.query(auditRows('directory', center, Math.ceil(rows / 10)))
  },
  filters: {
    none: ['', 'true'],
    'type, common': ['type=decision.sealed', `type = 'decision.sealed'`],
    'type, rare': ['type=policy.changed', `type = 'policy.changed'`],
    actor: ['actorId=rare', `actor_id = 'rare'`],
    target: ['targetId=dpu_7', `target_id = 'dpu_7'`],
    'a year': [`to=${new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10)}T00:00:00Z`, ''],
  },
}

const units: CenterList = {
  path: () => '/api/dpu',
  tables: ['cell.dpus'],
  fill: async (world, center, rows) => {
    await quietly(
      world,
      `insert into cell.dpus (center_id, id, domain, chain_index, vertical, content, reference_type, reference_id, tags,
         evidence_level, salts, sealed_at, updated_at, origin)
       select ${center}, gen_random_uuid(), 'dpu', i, 'education', 'A decision', 'demo', 'ref-' || i / 20,
         array(select 't-' || n from unnest(array[2, 5000]) n where i % n = 0),
         case when i % 1000 = 0 then 'DOCUMENTED' when i % 3 = 0 then 'AUDIT_READY' else 'DRAFT' end, '{}',
         case when i % 1000 <> 0 and i % 3 = 0 then now() end, now(), '{}' from generate_series(1, ${rows}) i`,
      `insert into cell.dpu_labels (center_id, label, id)
       select center_id, 'tag:' || t, id from cell.dpus, unnest(tags) t where center_id = ${center}
       union all select center_id, 'reference:' || reference_id, id from cell.dpus where center_id = ${center}`,
      `insert into cell.dpu_counts (center_id, vertical, evidence_level, dpus)
       select center_id, vertical, evidence_level, count(*) from cell.dpus where center_id = ${center} group by 1, 2, 3`,
    )
  },
  filters: {
    none: ['', 'true'],
    'level, common': ['evidenceLevel=DRAFT', `evidence_level = 'DRAFT'`],
    'level, rare': ['evidenceLevel=DOCUMENTED', `evidence_level = 'DOCUMENTED'`],
    reference: ['referenceId=ref-7', `reference_id = 'ref-7'`],
  },
}

const days = ['2019-03-04', '2019-03-05'] as const

/** Five hundred clients with one appointment an hour, each with another of five hundred instructors. */
const bookings: CenterList = {
  path: (centerId) => `/api/centers/${centerId}/bookings`,
  tables: ['cell.bookings'],
  fill: async (world, center, rows) => {
    await quietly(
      world,
      `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at, status)
       select ${center}, gen_random_uuid(), md5('i' || i % 500)::uuid, md5('c' || i % 500)::uuid, md5('c' || i % 500)::uuid, at,
         at + interval '50 minutes', now(), case when i % 1000 = 0 then 'no_show' when i % 3 = 0 then 'canceled' else 'attended' end
       from generate_series(1, ${rows}) i
         cross join lateral (select timestamptz '2019-03-04T00:00Z' + (i / 500) * interval '1 hour') t (at)`,
      `insert into cell.booking_counts (center_id, status, bookings)
       select center_id, status, count(*) from cell.bookings where center_id = ${center} group by 1, 2`,
    )
  },
  filters: {
    none: ['', 'true'],
    'status, common': ['status=attended', `status = 'attended'`],
    'status, rare': ['status=no_show', `status = 'no_show'`],
    'a few hours': [
      `from=${days[0]}T00:00:00Z&to=${days[0]}T05:00:00Z`,
      `starts_at >= '${days[0]}T00:00Z' and starts_at < '${days[0]}T05:00Z'`,
    ],
    'a person in a day': [
      `clientId=a9f7e979-65d6-cf79-9a52-9102a973b8b9&to=${days[1]}T00:00:00Z`,
      `booked_for = 'a9f7e979-65d6-cf79-9a52-9102a973b8b9' and starts_at < '${days[1]}T00:00Z'`,
    ],
  },
}

export const centerLists: Readonly<Record<string, CenterList>> = { members, audit, units, bookings }

/** Null where the condition is the clock's. */
export async function exactTotal(world: World, list: CenterList, centerId: number, condition: string) {
  if (condition === '') return null
  let total = 0
  for (const table of list.tables) {
    const [row] = await world.query<{ n: number }>(
      `select count(*)::int as n from ${table} where center_id = $1 and (${condition})`,
      [centerId],
    )
    total += row?.n ?? 0
  }
  return total
}
