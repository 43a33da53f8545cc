/** What migrations after the first release make of rows that are there. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../../tests/support/database.ts'
import { openWorld, type World } from '../../../../tests/support/world.ts'
import { withClient } from '../../../../tools/postgres.ts'

let database: TestDatabase
let world: World

beforeAll(async () => {
  database = await cloneDatabase()
  world = await openWorld(database.url)
})
afterAll(async () => {
  await world.close()
  await database.drop()
})

const apply = (file: string) =>
  withClient(database.url, async (client) => {
    await client.query('begin')
    await client.query(readFileSync(new URL(`../../database/${file}`, import.meta.url), 'utf8'))
    await client.query('commit')
  })

it('keys that are bound to an actor keep webhooks, others and later ones do not', async () => {
  const center = await world.center()
  const boundTo = { id: 'agent-7', type: 'ai_agent' }
  await world.query('alter table directory.api_keys drop column keeps_webhooks')
  await world.key(center, { boundTo })
  await world.key(center)
  await apply('directory/0045_key_scopes.sql')
  await world.key(center, { scopes: ['decide'], boundTo })
  const keys = await world.query<{ keeps_webhooks: boolean }>(
    'select bound_to is not null as bound, scopes[1] as scope, keeps_webhooks from directory.api_keys where center_id = $1 order by id',
    [center.id],
  )
  expect(keys).toEqual([
    { bound: true, scope: 'proof:write', keeps_webhooks: true },
    { bound: false, scope: 'proof:write', keeps_webhooks: false },
    { bound: true, scope: 'decide', keeps_webhooks: false },
  ])
})

it('a deputy until 9999 stands in for 90 days more, a shorter one as long as before', async () => {
  const center = await world.center()
  const put = (interval: string, until: string) =>
    world.query(
      `insert into cell.deputies (center_id, actor_id, deputy_id, starts_at, ends_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), now() + $2::interval, $3)`,
      [center.id, interval, until],
    )
  const soon = new Date(Date.now() + 86_400_000).toISOString()
  await put('-1 year', '9999-12-31T00:00:00Z')
  await put('-1 year', soon)
  await put('30 days', '9999-12-31T00:00:00Z')
  await apply('cell/0045_deputies.sql')
  const rows = await world.query<{ days: number }>(
    'select round(extract(epoch from ends_at - now()) / 86400)::int as days from cell.deputies where center_id = $1 order by 1',
    [center.id],
  )
  expect(rows.map(({ days }) => days)).toEqual([1, 90, 120])
})

it('leaves both tables under their policies', async () => {
  const rows = await world.query<{ relforcerowsecurity: boolean }>(
    `select relforcerowsecurity from pg_class where oid in ('directory.api_keys'::regclass, 'cell.deputies'::regclass)`,
  )
  expect(rows.map((row) => row.relforcerowsecurity)).toEqual([true, true])
})
