import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { offenders } from '../support/offenders.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { attempt, insertRow, type Outcome, refused, rowOf, updatableColumn } from './attempts.ts'
import { appendOnlyTables, changesAcross, looksAcross, partedTables, seesWhatItNames, tenantTables } from './tables.ts'
import { filledCenter } from './two-centers.ts'

const tables = Object.keys(tenantTables)
const roles = ['cs_api', 'cs_jobs', 'cs_recorder', 'cs_sequencer', 'cs_public'] as const

let server: TestServer
let client: pg.Client
let mine: number
let theirs: number

beforeAll(async () => {
  server = await startServer()
  mine = (await filledCenter(server)).id
  theirs = (await filledCenter(server)).id
  client = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await server.close()
})

const may = async (role: string, table: string, right: string): Promise<boolean> => {
  const schema = table.split('.')[0]
  // A grant on some columns allows seeing rows; inserting a complete row needs a grant on the table.
  const privilege = right === 'select' ? 'has_any_column_privilege' : 'has_table_privilege'
  const { rows } = await client.query(
    `select has_schema_privilege($1, $2, 'usage') and ${privilege}($1, $3::regclass, $4) as may`,
    [role, schema, table, right],
  )
  return rows[0].may
}

const looks = (role: string, table: string): boolean => `${role} ${table}` in looksAcross

const harmless = (outcome: Outcome): boolean => outcome === 0 || outcome === refused

/** A function of the owner reads hashes here, and compares the center itself; nobody signs in as the owner. */
const readByOwner = new Set(['cell.decision_words'])

const overTables = (rule: (table: string) => Promise<void>) => offenders(tables, String, rule)

it('every table holds rows of both centers', async () => {
  expect(tables.length).toBeGreaterThan(50)
  const empty = await overTables(async (table) => {
    for (const center of [mine, theirs]) {
      const rows = await server.world.query(`select 1 from ${table} where center_id = $1`, [center])
      expect(rows.length).toBeGreaterThan(0)
    }
  })
  expect(empty).toEqual([])
})

it('a table that its rows can be seen of is listed', async () => {
  const seen = await overTables(async (table) => {
    const as = { role: table === 'cell.recorded_decisions' ? 'none' : 'cs_api', center: mine }
    expect(harmless(await attempt(client, as, `select from ${table} where center_id <> ${mine}`))).toBe(true)
  })
  expect(seen).toEqual([expect.stringMatching(/^cell\.recorded_decisions: /)])
})

describe('as one center, against another', () => {
  it.each(roles)('%s sees only its own rows', async (role) => {
    const broken = await overTables(async (table) => {
      const as = { role, center: mine }
      expect(harmless(await attempt(client, as, `select from ${table} where center_id <> ${mine}`))).toBe(true)
      const own = await attempt(client, as, `select from ${table}`)
      // A role with a grant sees its own rows: so the empty result above is due to the other center.
      if (`${role} ${table}` in seesWhatItNames) expect(own).toBe(0)
      else if (await may(role, table, 'select')) expect(own).toBeGreaterThan(0)
      else if (!looks(role, table)) expect(own).toBe(refused)
    })
    expect(broken).toEqual([])
  })

  it.each(roles)('%s can change no row', async (role) => {
    const broken = await overTables(async (table) => {
      const as = { role, center: mine }
      const column = await updatableColumn(client, role, table)
      const change = `update ${table} set ${column} = ${column}`
      expect(harmless(await attempt(client, as, `${change} where center_id = ${theirs}`))).toBe(true)
      const all = await attempt(client, as, change)
      const own = await server.world.query(`select from ${table} where center_id = $1`, [mine])
      expect(all === refused || all === own.length).toBe(true)
    })
    expect(broken).toEqual([])
  })

  it.each(roles)('%s can move no row to another center', async (role) => {
    const broken = await overTables(async (table) => {
      const give = `update ${table} set center_id = ${theirs} where center_id = ${mine}`
      expect(await attempt(client, { role, center: mine }, give)).toBe(refused)
    })
    expect(broken).toEqual([])
  })

  it.each(roles)('%s can delete no row', async (role) => {
    const broken = await overTables(async (table) => {
      const remove = `delete from ${table} where center_id = ${theirs}`
      expect(harmless(await attempt(client, { role, center: mine }, remove))).toBe(true)
    })
    expect(broken).toEqual([])
  })

  it.each(roles)('%s can insert no row', async (role) => {
    const broken = await overTables(async (table) => {
      const row = await rowOf(client, table, theirs)
      expect(await attempt(client, { role, center: mine }, await insertRow(client, table), [row])).toBe(refused)
      // In its own context the same row fails only at the primary key: so the center was the reason of the refusal.
      const inOwnContext = await attempt(client, { role, center: theirs }, await insertRow(client, table), [row])
      expect(inOwnContext).toBe((await may(role, table, 'insert')) ? '23505' : refused)
    })
    expect(broken).toEqual([])
  })
})

describe('without a center', () => {
  it.each(roles)('%s reaches no row', async (role) => {
    const broken = await overTables(async (table) => {
      const nowhere = { role, center: null }
      const column = await updatableColumn(client, role, table)
      const seen = await attempt(client, nowhere, `select from ${table}`)
      if (looks(role, table)) expect(seen).toBeGreaterThan(0)
      else expect(harmless(seen)).toBe(true)
      const changed = await attempt(client, nowhere, `update ${table} set ${column} = ${column}`)
      if (`${role} ${table}` in changesAcross) {
        expect(changed).toBeGreaterThan(0)
        expect(await attempt(client, nowhere, `update ${table} set center_id = ${theirs}`)).toBe(refused)
      } else expect(harmless(changed)).toBe(true)
      expect(harmless(await attempt(client, nowhere, `delete from ${table}`))).toBe(true)
      const row = await rowOf(client, table, mine)
      expect(await attempt(client, nowhere, await insertRow(client, table), [row])).toBe(refused)
    })
    expect(broken).toEqual([])
  })

  it('resets a setting of one transaction before the next on the same connection', async () => {
    const look = 'select from cell.decision_events'
    expect(await attempt(client, { role: 'cs_api', center: mine }, look)).toBe(6)
    const { rows } = await client.query(`select current_setting('app.center_id', true) as left`)
    expect(rows[0].left).toBe('')
    expect(await attempt(client, { role: 'cs_api', center: null }, look)).toBe(0)
  })
})

describe('the exceptions', () => {
  it('housekeeping sees and deletes only expired rows, of any center', async () => {
    for (const table of ['cell.idempotency_records', 'directory.idempotency_records']) {
      const nowhere = { role: 'cs_jobs', center: null }
      await server.world.query(`update ${table} set expires_at = now() - interval '1 second' where center_id = $1`, [
        theirs,
      ])
      expect(await attempt(client, nowhere, `select from ${table} where center_id = ${mine}`)).toBe(0)
      expect(await attempt(client, nowhere, `delete from ${table}`)).toBe(1)
      expect(await attempt(client, nowhere, await insertRow(client, table), [await rowOf(client, table, theirs)])).toBe(
        refused,
      )
      await server.world.query(`update ${table} set expires_at = now() + interval '1 day' where center_id = $1`, [
        theirs,
      ])
    }
  })

  it('deletes old rows of webhooks in all centers, and no younger ones', async () => {
    const nowhere = { role: 'cs_jobs', center: null }
    const tables = {
      'cell.webhook_deliveries': 'created_at',
      'cell.webhook_event_ids': 'created_at',
      // A running recovery is never old.
      'cell.webhook_recoveries': 'completed_at',
    }
    for (const [table, since] of Object.entries(tables)) {
      const set = (time: string) =>
        server.world.query(`update ${table} set ${since} = ${time} where center_id = $1`, [theirs])
      expect(await attempt(client, nowhere, `delete from ${table}`)).toBe(0)
      await set(`now() - interval '31 days'`)
      expect(await attempt(client, nowhere, `delete from ${table} where center_id = ${mine}`)).toBe(0)
      expect(await attempt(client, nowhere, `delete from ${table}`)).toBe(1)
      await set(`now() - interval '29 days'`)
      expect(await attempt(client, nowhere, `delete from ${table}`)).toBe(0)
    }
  })

  it.each(partedTables)('no role can access the partitions of %s directly', async (table) => {
    const { rows } = await client.query<{ part: string }>(
      'select inhrelid::regclass::text as part from pg_inherits where inhparent = $1::regclass',
      [table],
    )
    expect(rows.length).toBeGreaterThan(5)
    for (const { part } of rows) {
      for (const role of [...roles, 'cs_auth', 'cs_operator']) {
        for (const text of [`select from ${part}`, `delete from ${part}`, `update ${part} set center_id = 1`]) {
          expect([part, role, await attempt(client, { role, center: mine }, text)]).toEqual([part, role, refused])
        }
      }
    }
  })

  it('the public role sums the DPUs of all centers without seeing their centers', async () => {
    const publicRole = { role: 'cs_public', center: null }
    const sum = 'select vertical, evidence_level, sum(dpus) from cell.dpu_counts group by 1, 2'
    expect(await attempt(client, publicRole, sum)).toBeGreaterThan(0)
    for (const text of [
      'select center_id from cell.dpu_counts',
      'select vertical from cell.dpu_counts where center_id > 0',
      'select count(*) from cell.dpu_counts group by center_id',
    ]) {
      expect(await attempt(client, publicRole, text)).toBe(refused)
    }
  })

  it('centers can read global policies and cannot write them', async () => {
    for (const role of ['cs_api', 'cs_sequencer']) {
      const as = { role, center: mine }
      expect(await attempt(client, as, 'select from cell.shared_policies')).toBe(0)
      expect(await attempt(client, as, 'delete from cell.shared_policies')).toBe(refused)
      const insert = `insert into cell.shared_policies values (gen_random_uuid(), 1, '{}', 'x')`
      expect(await attempt(client, as, insert)).toBe(refused)
    }
  })

  it("centers can read the operator's stops and cannot write them", async () => {
    for (const role of ['cs_api', 'cs_sequencer']) {
      const as = { role, center: mine }
      expect(await attempt(client, as, 'select from cell.shared_freezes')).toBe(0)
      expect(await attempt(client, as, 'delete from cell.shared_freezes')).toBe(refused)
      expect(await attempt(client, as, 'update cell.shared_freezes set lifted_at = now()')).toBe(refused)
      const insert = `insert into cell.shared_freezes values (gen_random_uuid(), '{"center":true}', 'x', 'x')`
      expect(await attempt(client, as, insert)).toBe(refused)
    }
  })

  it.each(['cs_auth', 'cs_operator'])('%s, which reads across centers, has no access to a cell', async (role) => {
    for (const table of tables.filter((name) => name.startsWith('cell.'))) {
      for (const text of [`select from ${table}`, `delete from ${table}`]) {
        expect(await attempt(client, { role, center: theirs }, text)).toBe(refused)
      }
    }
  })

  it('the owner of a table sees no row', async () => {
    const seen = await overTables(async (table) => {
      if (!readByOwner.has(table))
        expect(await attempt(client, { role: 'cs_owner', center: mine }, `select from ${table}`)).toBe(0)
      const off = `set local row_security = off; select from ${table}`
      expect(await attempt(client, { role: 'cs_owner', center: mine }, off)).toBe(refused)
    })
    expect(seen).toEqual([])
  })
})

describe('the tables to which rows are only added', () => {
  const superuser = 'none'
  const count = async (table: string) => (await server.world.query(`select from ${table}`)).length

  it.each(['update', 'delete', 'truncate'])('cannot be changed by their owner or by a superuser: %s', async (kind) => {
    const changed = await offenders(appendOnlyTables, String, async (table) => {
      const text =
        { update: `update ${table} set center_id = center_id`, delete: `delete from ${table}` }[kind] ??
        // Cascades: otherwise foreign keys would cause the refusal.
        `truncate ${table} cascade`
      const before = await count(table)
      expect(before).toBeGreaterThan(1)
      expect(harmless(await attempt(client, { role: 'cs_owner', center: mine }, text))).toBe(true)
      expect(await attempt(client, { role: superuser, center: mine }, text)).toBe(refused)
      expect(await count(table)).toBe(before)
    })
    expect(changed).toEqual([])
  })

  it('cannot be truncated by their owner', async () => {
    const truncated = await offenders(appendOnlyTables, String, async (table) => {
      await expect(
        (async () => {
          await client.query('begin; set local role cs_owner')
          await client.query(`truncate ${table} cascade`)
        })().finally(() => client.query('rollback')),
      ).rejects.toThrow(/append-only/)
    })
    expect(truncated).toEqual([])
  })
})
