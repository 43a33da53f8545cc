import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { tenancyFaults } from './catalog.ts'
import { globalTables, tenantTables } from './tables.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await cloneDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

describe('the current schema', () => {
  it('follows every tenancy rule in every table, view, function and role', async () => {
    expect(await tenancyFaults(client)).toEqual([])
  })

  it('lists each table once', () => {
    expect(Object.keys(tenantTables).filter((name) => name in globalTables)).toEqual([])
  })
})

/** The faults that a change would cause; the change is rolled back. */
async function faultsAfter(change: string): Promise<string[]> {
  await client.query('begin')
  try {
    await client.query(change)
    return await tenancyFaults(client)
  } finally {
    await client.query('rollback')
  }
}

const plantedTable = `
  set local role cs_owner;
  create table cell.planted (center_id integer, id uuid not null, primary key (center_id, id));
  select countersign.give_tenancy('cell.planted'); reset role`
const events = 'cell.recorded_decisions'

describe('the catalog check', () => {
  it.each([
    ['an unlisted table', plantedTable, 'cell.planted: is listed neither as tenant nor as global'],
    ['a table outside both schemas', 'create table public.planted ()', 'public.planted: a table outside'],
    ['a table with another owner', `alter table ${events} owner to current_user`, `${events}: belongs to`],
    ['row-level security that is not forced', `alter table ${events} no force row level security`, 'is not forced'],
    ['disabled row-level security', 'alter table directory.sessions disable row level security', 'is not forced'],
    ['a tenant table without its policy', `drop policy tenant on ${events}`, 'lacks the policy tenant'],
    ['a batch policy that admits all rows', `alter policy batch on ${events} using (true)`, 'lacks the policy batch'],
    ['a policy that checks no insert', `alter policy tenant on ${events} with check (true)`, 'lacks the policy tenant'],
    [
      'a policy that fails without a context',
      `alter policy tenant on ${events} using (center_id = current_setting('app.center_id', true)::integer)`,
      'lacks the policy tenant',
    ],
    [
      'an additional policy',
      `create policy more on ${events} to cs_public using (true)`,
      'unlisted policy more for ALL',
    ],
    [
      'an additional policy on a global table',
      'create policy more on directory.actors for select to cs_api using (true)',
      'unlisted policy more for SELECT to cs_api',
    ],
    ['a missing default', `alter table ${events} alter center_id drop default`, 'has not the default'],
    [
      'a primary key that does not begin with center_id',
      `alter table ${events} drop constraint recorded_decisions_pkey, add primary key (id, center_id)`,
      'its primary key does not begin with center_id',
    ],
    ['an index across centers', `create unique index planted on ${events} (decision_id)`, 'cell.planted is across'],
    ['a view of its owner', `create view cell.planted as select * from ${events}`, 'cell.planted: a view'],
    [
      'a security definer function',
      `create function cell.planted() returns int security definer language sql as 'select 1'`,
      'cell.planted: a function that runs with the rights of its owner',
    ],
    [
      'a security definer function that PUBLIC may call',
      'grant execute on function cell.keep_webhook_weeks to public',
      'cell.keep_webhook_weeks: PUBLIC may call it',
    ],
    [
      'a security definer function with a search path of the caller',
      'alter function cell.keep_webhook_weeks reset search_path',
      'cell.keep_webhook_weeks: its search path is not empty',
    ],
    [
      'a partition of an unlisted partitioned table',
      'create table cell.planted (center_id int) partition by list (center_id); create table cell.part partition of cell.planted default',
      'cell.part: is an unlisted part of cell.planted',
    ],
    [
      'a partition without row-level security',
      'alter table cell.webhook_attempts_other disable row level security',
      'cell.webhook_attempts_other: row-level security is not forced',
    ],
    [
      'a partition that a role may read',
      'grant select (id) on cell.webhook_events_other to cs_jobs',
      'cell.webhook_events_other: a part that cs_jobs has a right to',
    ],
    [
      'a partition with a policy',
      'create policy more on cell.webhook_events_other using (true)',
      'unlisted policy more for ALL',
    ],
    [
      'a role that bypasses row-level security',
      'alter role cs_public bypassrls',
      'cs_public: a role that is superuser',
    ],
    ['an owner that can log in', 'alter role cs_owner login', 'cs_owner: an owner that can log in'],
    ['an unlisted role', `grant select on ${events} to pg_monitor`, 'pg_monitor: a role with rights here'],
    ['a role that may become another', 'grant cs_operator to cs_api', 'cs_api: a role that may become cs_operator'],
    [
      'a role that owns an object',
      'create sequence cell.planted; alter sequence cell.planted owner to cs_api',
      'cs_api: owns sequence',
    ],
    ['a TRUNCATE grant', `grant truncate on ${events} to cs_api`, `${events}: TRUNCATE for cs_api`],
    ['a grant to PUBLIC', `grant select on ${events} to public`, `${events}: SELECT for PUBLIC`],
    ['jobs open to the API', 'grant select on pgboss.job to cs_api', 'pgboss.job: open to cs_api'],
    ['a schema with a CREATE grant', 'grant create on schema cell to cs_api', 'cell: cs_api may create objects'],
  ])('reports %s', async (_, change, fault) => {
    expect(await faultsAfter(change)).toContainEqual(expect.stringContaining(fault))
  })

  it('accepts a view that runs as its caller', async () => {
    expect(await faultsAfter(`create view cell.fine with (security_invoker) as select * from ${events}`)).toEqual([])
  })
})
