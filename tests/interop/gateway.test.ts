/**
 * The gateway in front of servers that others wrote: the filesystem server of the protocol's authors and dbhub on a real
 * PostgreSQL, both installed in exact versions. The policy and the configuration for dbhub are those of the guide.
 */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  agents,
  heldCall,
  openPlace,
  type Place,
  type RunningGateway,
  resultOf,
  startGateway,
  textOf,
  until,
  waitFor,
} from '../../packages/gateway/test/fixture.ts'
import { blocksOf, read } from '../docs/blocks.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { type Era, eras, type McpClient } from '../support/mcp.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { npmPackages, run } from './installed.ts'

let server: TestServer
let place: Place
/** As the guide has it, and one for the filesystem server. */
let guarded: RunningGateway
let filing: RunningGateway
let database: TestDatabase
let rows: pg.Client
let files: string
/** The guide's configuration, with the addresses and folders of this test. */
let guide: Record<string, unknown>
let secrets: Record<string, string>
const open: McpClient[] = []

beforeAll(async () => {
  const installed = await npmPackages('gateway-upstreams', [
    '@modelcontextprotocol/server-filesystem@2026.8.31',
    '@bytebase/dbhub@1.4.0',
  ])
  const program = (name: string) => ({
    command: process.execPath,
    args: [join(installed, 'node_modules', name, 'dist/index.js')],
  })
  server = await startServer()
  place = await openPlace(server)
  database = await cloneDatabase()
  rows = new pg.Client({ connectionString: database.url })
  await rows.connect()
  await rows.query('create table public.invoices (id integer primary key, won integer not null)')
  await rows.query('insert into public.invoices values (1, 82000), (2, 820000)')
  files = realpathSync(place.folder)
  const blocks = ['docs/guides/gateway.md', 'docs/ko/guides/gateway.md'].map((page) =>
    blocksOf(read(page))
      .filter(({ language }) => language === 'json')
      .map(({ text }) => JSON.parse(text)),
  )
  expect(blocks[1]).toEqual(blocks[0])
  const [policy, configuration] = blocks[0] ?? []
  await place.fixture.platform('POST', '/api/policies', policy)
  const { trust } = configuration.countersign
  const { db } = configuration.upstreams
  const dbhub = program('@bytebase/dbhub')
  guide = {
    ...configuration,
    countersign: { url: server.url, trust: { ...trust, center: place.fixture.center.id } },
    // Its arguments after the name of the package.
    upstreams: { db: { ...db, ...dbhub, args: [...dbhub.args, ...db.args.slice(2)] } },
    limits: { waitSeconds: 10 },
  }
  const { id, type } = { id: 'support-agent', type: 'ai_agent' }
  const SUPPORT_KEY = await server.world.key(place.fixture.center, { scopes: ['decide'], boundTo: { id, type } })
  secrets = { SUPPORT_KEY, SUPPORT_TOKEN: agents.clerk, DATABASE_DSN: `${database.url}?sslmode=disable` }
  const filesystem = program('@modelcontextprotocol/server-filesystem')
  filing = await startGateway(place, {
    state: 'state-of-files',
    upstreams: { files: { ...filesystem, args: [...filesystem.args, files] } },
    limits: { waitSeconds: 10, callSeconds: 60 },
  })
}, 600_000)
afterAll(async () => {
  for (const client of open) await client.close().catch(() => {})
  await guarded?.kill()
  await filing?.kill()
  await rows?.end()
  await database?.drop()
  place?.close()
  await server?.close()
})
const clientOf = async (gateway: RunningGateway, era: Era) => {
  // Two strangers start slowly on a busy machine.
  await until(async () => (await fetch(`${gateway.metricsUrl}/ready`)).status === 200, 120_000)
  const client = await gateway.client('clerk', { era })
  open.push(client)
  return client
}

it('the check of the guide shows what the agent would see, and that one tool is not recorded', {
  timeout: 120_000,
}, async () => {
  const main = new URL('../../packages/gateway/main.ts', import.meta.url).pathname
  const args = [main, 'check', '--config', place.configure(guide)]
  const said = await run(process.execPath, args, { env: { ...place.env(), ...secrets }, cwd: place.folder })
  expect(said).toMatch(/^support-agent: sees \d+ tools; not recorded: db_search_objects$/m)
  const { listen: _, ...rest } = guide
  guarded = await startGateway(place, rest, { env: secrets })
})

it.each(eras)(
  'dbhub: a query of a client in %s changes nothing until a person has approved exactly it',
  {
    timeout: 120_000,
  },
  async (era) => {
    const client = await clientOf(guarded, era)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('db_execute_sql')
    const won = async () => (await rows.query('select won from public.invoices where id = 1')).rows[0].won
    const [before, after] = [await won(), era === eras[0] ? 1 : 2]
    const sql = `update public.invoices set won = ${after} where id = 1`
    const { handle, eventId } = await heldCall(client, 'db_execute_sql', { sql })
    expect(await won()).toBe(before)
    const decision = await place.client.decisions.get(eventId)
    expect(decision.action).toMatchObject({ type: 'db.execute_sql', input: { sql } })
    await place.approve(eventId)
    expect((await waitFor(client, handle)).isError ?? false).toBe(false)
    expect(await won()).toBe(after)
    expect((await place.client.decisions.get(eventId)).execution).toMatchObject({ outcome: { status: 'succeeded' } })
  },
)

it('dbhub: what the guide lets pass is answered at once, and not recorded', { timeout: 60_000 }, async () => {
  const client = await clientOf(guarded, eras[1])
  const before = (await place.client.decisions.list({ limit: 1 })).pagination.total
  const result = await client.callTool({
    name: 'db_search_objects',
    arguments: { object_type: 'table', schema: 'public' },
  })
  expect(textOf(result)).toContain('invoices')
  expect((await place.client.decisions.list({ limit: 1 })).pagination.total).toBe(before)
})

it.each(eras)(
  'the filesystem server: a client in %s writes a file once, after its decision',
  {
    timeout: 120_000,
  },
  async (era) => {
    const client = await clientOf(filing, era)
    const path = join(files, `written in ${era}.txt`)
    const result = await resultOf(client, 'files_write_file', { path, content: 'by an agent' })
    expect([result.isError ?? false, readFileSync(path, 'utf8')]).toEqual([false, 'by an agent'])
    const { data } = await place.client.decisions.list({ limit: 1 })
    expect(await place.client.decisions.get(data[0]?.id as string)).toMatchObject({
      action: { type: 'files.write_file', input: { path } },
      execution: { outcome: { status: 'succeeded' } },
    })
    writeFileSync(path, 'changed since')
    expect(textOf(await resultOf(client, 'files_read_text_file', { path }))).toContain('changed since')
  },
)
