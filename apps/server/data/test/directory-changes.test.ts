/** Which changes of the directory send which notifications, and when a process may rely on them. */
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { directoryChanges } from '../directory-changes.ts'

let server: TestServer
let listener: pg.Client
let received: string[] = []

beforeAll(async () => {
  server = await startServer()
  listener = new pg.Client({ connectionString: server.services.config.databaseUrl })
  await listener.connect()
  listener.on('notification', ({ payload = '' }) => received.push(payload))
  await listener.query('listen directory_changes')
})
afterAll(async () => {
  await listener.end()
  await server.close()
})

/** The tags that `change` sends. They arrive before the answer to a later query of the listener. */
async function tagsOf(change: () => Promise<unknown>): Promise<string[]> {
  await listener.query('select 1')
  received = []
  await change()
  await listener.query(`notify directory_changes, 'last'`)
  await expect.poll(() => received.at(-1)).toBe('last')
  return received.slice(0, -1).sort()
}

describe('a notification', () => {
  it.each([
    ['update directory.centers set name = name || $2 where id = $1', ['center']],
    [`update directory.centers set settings = '{"country": "FR"}' where id = $1 and $2 <> ''`, ['center']],
    ["update directory.centers set name = name where id = $1 and $2 <> ''", []],
    ["update directory.api_keys set revoked_at = now() where center_id = $1 and $2 <> ''", ['key', 'keys']],
    ["update directory.api_keys set last_used_at = now() where center_id = $1 and $2 <> ''", []],
    [`update directory.memberships set role = 'PARENT' where center_id = $1 and $2 <> ''`, ['center']],
    [`update directory.memberships set status = 'ENDED' where center_id = $1 and $2 <> ''`, ['center']],
    ["update directory.sessions set revoked_at = now() where center_id = $1 and $2 <> ''", ['session']],
    ["update directory.sessions set last_used_at = now() where center_id = $1 and $2 <> ''", []],
    ["delete from directory.memberships where center_id = $1 and $2 <> ''", ['center', 'members', 'people']],
    ["delete from directory.api_keys where center_id = $1 and $2 <> ''", ['key']],
  ])('%s', async (change, kinds) => {
    const [person, center] = [await server.world.person(), await server.world.center()]
    await server.world.member(person, center)
    await server.world.key(center)
    await server.signIn(person)
    const tags = await tagsOf(() => server.world.query(change, [center.id, 'x']))
    expect(tags.map((tag) => tag.split(':')[0])).toEqual(kinds)
    for (const tag of tags) if (tag.startsWith('center:')) expect(tag).toBe(`center:${center.id}`)
  })

  it('is sent for a new membership, a changed person and an account of a partner', async () => {
    const [person, center] = [await server.world.person(), await server.world.center()]
    expect(await tagsOf(() => server.world.member(person, center))).toEqual([
      ...[`center:${center.id}`, `members:${center.id}`, 'people'],
    ])
    const rename = `update directory.actors set name = 'Other' where id = $1`
    expect(await tagsOf(() => server.world.query(rename, [person.actorId]))).toEqual(['people'])
    const partner = await server.world.partner()
    expect(await tagsOf(() => server.world.account(person, partner))).toEqual([`actor:${person.actorId}`])
  })

  it('is not sent by signing in, refreshing a session and using a key', async () => {
    const [person, center] = [await server.world.person(), await server.world.center()]
    await server.world.member(person, center)
    const key = await server.world.key(center)
    const tags = await tagsOf(async () => {
      const { accessToken, refreshToken } = await server.signIn(person)
      expect((await server.call('GET', '/api/auth/me', { token: accessToken })).status).toBe(200)
      expect((await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).status).toBe(200)
      expect((await server.call('GET', '/api/v1/decision-events', { token: key })).status).toBe(200)
      const used = () => server.world.query('select from directory.api_keys where last_used_at is not null')
      await expect.poll(async () => (await used()).length, { timeout: 10_000 }).toBeGreaterThan(0)
    })
    expect(tags).toEqual([])
  })
})

const openChanges = (url: string) => directoryChanges(url, server.services.config.logins, server.services.log)

describe('coverage', () => {
  it('begins after the first lookup, and follows the clock while lookups go on', async () => {
    const changes = openChanges(server.services.config.databaseUrl)
    const { coverage } = changes
    expect(coverage.since).toBe(Number.POSITIVE_INFINITY)
    const age = () => {
      coverage.want()
      return Date.now() - coverage.until
    }
    await expect.poll(age, { timeout: 10_000 }).toBeLessThan(500)
    expect(coverage.since).toBeLessThanOrEqual(Date.now())
    const { until } = coverage
    await expect.poll(() => age() >= 0 && coverage.until, { timeout: 10_000 }).toBeGreaterThan(until)
    await changes.stop()
  })

  it('ends with the connection, and begins again with the next one', async () => {
    const changes = openChanges(server.services.config.databaseUrl)
    const { coverage } = changes
    const since = () => {
      coverage.want()
      return coverage.since
    }
    await expect.poll(since, { timeout: 10_000 }).toBeLessThan(Number.POSITIVE_INFINITY)
    const first = coverage.since
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'countersign changes' and datname = current_database()`
    await server.world.query(end)
    await expect.poll(() => coverage.since).toBe(Number.POSITIVE_INFINITY)
    await expect.poll(since, { timeout: 10_000 }).toBeLessThan(Number.POSITIVE_INFINITY)
    expect(coverage.since).toBeGreaterThan(first)
    await changes.stop()
  })

  it('does not begin through a pooler, which has process ids of its own', async () => {
    const pooler = await openPooler(server.services.config.databaseUrl)
    const changes = openChanges(pooler.url)
    const logged = () => {
      changes.coverage.want()
      return server.logs.some((line) => line.includes('a connection pooler, which may lose notifications'))
    }
    await expect.poll(logged, { timeout: 10_000 }).toBe(true)
    expect(changes.coverage.since).toBe(Number.POSITIVE_INFINITY)
    await changes.stop()
    pooler.close()
  })
})

/** Answers with another process id in BackendKeyData, as PgBouncer does. */
async function openPooler(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets: Socket[] = []
  const proxy = createServer((near) => {
    const far = connect(Number(target.port || 5432), target.hostname)
    sockets.push(near, far)
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => {
      const at = data.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]))
      if (at >= 0) data.writeUInt32BE(data.readUInt32BE(at + 5) ^ 1, at + 5)
      near.write(data)
    })
    for (const socket of [near, far]) socket.on('error', () => {})
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(proxy.address() as { port: number }).port}`
  return {
    url: url.href,
    close() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
