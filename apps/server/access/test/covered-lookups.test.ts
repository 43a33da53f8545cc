/** Credentials and centers that are cached for longer than a second because the process receives every change. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { openWire } from '../../../../tests/support/tcp-proxy.ts'
import { type DirectoryChanges, directoryChanges } from '../../data/directory-changes.ts'
import { authenticator } from '../authenticate.ts'
import { centerProfiles } from '../center-profiles.ts'

let server: TestServer
let reads: MockInstance

beforeAll(async () => {
  server = await startServer()
  // Counts the transactions, which run as they are.
  reads = vi.spyOn(server.services.directory, 'identity')
})
beforeEach(() => {
  reads.mockClear()
})
afterAll(async () => {
  reads.mockRestore()
  await server.close()
})

/** How many times the directory was read; writes of the last use of keys do not count. */
const readCount = () => reads.mock.calls.filter(([, , mode]) => mode === 'read').length

const sql = (text: string, values: unknown[]) => server.world.query(text, values)

/** Uses a credential or a center for longer than a value lives without coverage, until no use reads the directory. */
async function untilCovered(use: () => unknown): Promise<void> {
  await expect
    .poll(
      async () => {
        for (const endsAt = performance.now() + 900; performance.now() < endsAt; await sleep(50)) await use()
        reads.mockClear()
        await use()
        return readCount()
      },
      { timeout: 20_000, interval: 10 },
    )
    .toBe(0)
}

/** The first use that was sent a second after the change, or later, shows it. */
async function untilSeen(isSeen: () => Promise<boolean>): Promise<void> {
  const changedAt = performance.now()
  for (;;) {
    const sentAfter = performance.now() - changedAt
    if (await isSeen()) return
    expect(sentAfter).toBeLessThan(1000)
    await sleep(20)
  }
}

async function newMember() {
  const [person, center] = [await server.world.person(), await server.world.center()]
  await server.world.member(person, center)
  const { accessToken: token } = await server.signIn(person)
  return { person, center, token }
}

const statusOf = async (path: string, token: string) => (await server.call('GET', path, { token })).status
const asProgram = (key: string) => statusOf('/api/v1/decision-events', key)
const asPerson = (token: string) => statusOf('/api/auth/me', token)

describe('a change by another process, made with SQL, takes effect within a second', () => {
  it.each([
    ['a revoked key', 'update directory.api_keys set revoked_at = now() where center_id = $1', 401],
    ['a deleted key', 'delete from directory.api_keys where center_id = $1', 401],
    [
      'a key with a narrower scope',
      `update directory.api_keys set scopes = '{events:write}' where center_id = $1`,
      403,
    ],
    ['a suspended center', `update directory.centers set status = 'SUSPENDED' where id = $1`, 403],
  ])('%s', async (_, change, refusal) => {
    const center = await server.world.center()
    const key = await server.world.key(center)
    await untilCovered(async () => expect(await asProgram(key)).toBe(200))
    await sql(change, [center.id])
    await untilSeen(async () => (await asProgram(key)) === refusal)
  })

  it.each([
    ['a revoked session', 'update directory.sessions set revoked_at = now() where actor_id = $2 and $1 > 0', 401],
    [
      'a suspended membership',
      `update directory.memberships set status = 'SUSPENDED' where center_id = $1 and actor_id = $2`,
      403,
    ],
    ['a deleted membership', 'delete from directory.memberships where center_id = $1 and actor_id = $2', 403],
    [
      'a suspended center',
      `update directory.centers set status = 'SUSPENDED' where id = $1 and $2::uuid is not null`,
      403,
    ],
  ])('%s', async (_, change, refusal) => {
    const { person, center, token } = await newMember()
    await untilCovered(() => server.services.authenticate.actor(token))
    await sql(change, [center.id, person.actorId])
    await untilSeen(async () => (await asPerson(token)) === refusal)
  })

  it('the standing of a person in a center that the path names: a new membership, and its end', async () => {
    const { person, token } = await newMember()
    const other = await server.world.center()
    const { authenticate } = server.services
    const standing = async () =>
      (await authenticate.inCenter(await authenticate.actor(token), String(other.id))).entered?.status
    await expect(standing()).resolves.toBeNull()
    await server.world.member(person, other)
    await untilSeen(async () => (await standing()) === 'ACTIVE')
    await untilCovered(standing)
    await server.world.setMembership(person, other, { status: 'ENDED' })
    await untilSeen(async () => (await standing()) === 'ENDED')
  })

  it('a membership of another actor, after a change has given both the same verified address', async () => {
    const { person, token } = await newMember()
    const sibling = await server.world.person()
    const center = await server.world.center()
    await server.world.member(sibling, center)
    const { authenticate } = server.services
    const standing = async () =>
      (await authenticate.inCenter(await authenticate.actor(token), String(center.id))).entered?.status
    await expect(standing()).resolves.toBeNull()
    await untilCovered(() => authenticate.actor(token))
    await sql('update directory.actors set email = $2 where id = $1', [sibling.actorId, person.email])
    await untilSeen(async () => (await standing()) === 'ACTIVE')
  })

  it('the name and the country of a center, for its keys and for its people', async () => {
    const center = await server.world.center()
    const key = await server.world.key(center)
    const { authenticate, centers } = server.services
    await untilCovered(() => Promise.all([authenticate.key(key), centers.profile(center.id)]))
    await sql(`update directory.centers set name = 'Renamed', country = 'FR' where id = $1`, [center.id])
    const renamed = { name: 'Renamed', country: 'FR' }
    await untilSeen(async () => {
      const [principal, profile] = [await authenticate.key(key), await centers.profile(center.id)]
      const seen = [principal.center, profile].map(({ name, country }) => ({ name, country }))
      return JSON.stringify(seen) === JSON.stringify([renamed, renamed])
    })
  })
})

it('a key that expires while it is cached is refused from that moment on', async () => {
  const expiresAt = Date.now() + 2500
  const key = await server.world.key(await server.world.center(), { expiresAt: new Date(expiresAt) })
  while (Date.now() < expiresAt - 100) {
    expect(await asProgram(key)).toBe(200)
    await sleep(50)
  }
  await sleep(Math.max(0, expiresAt - Date.now()))
  const { status, body } = await server.call('GET', '/api/v1/decision-events', { token: key })
  expect([status, body.error.details]).toEqual([401, { reason: 'expired' }])
})

it('an unknown key works within a second after it is created', async () => {
  const center = await server.world.center()
  const key = await server.world.key(center)
  const [row] = await server.world.query<{ hash: Buffer }>(
    'delete from directory.api_keys where center_id = $1 returning *',
    [center.id],
  )
  expect(await asProgram(key)).toBe(401)
  const insert = `insert into directory.api_keys (center_id, id, hash, prefix, name, scopes)
    values ($1, gen_random_uuid(), $2, 'p', 'n', '{proof:read}')`
  await sql(insert, [center.id, row?.hash])
  await untilSeen(async () => (await asProgram(key)) === 200)
})

describe('reads of the directory', () => {
  const decide = (key: string) =>
    server.call('POST', '/api/v1/agents/decide', {
      token: key,
      body: { agent: { id: 'a', name: 'A' }, action: { type: 't', input: {}, output: {} } },
    })

  it('a seal by a new key makes one, and none while the key is cached', async () => {
    const key = await server.world.key(await server.world.center())
    expect((await decide(key)).status).toBe(201)
    expect(readCount()).toBe(1)
    await untilCovered(() => server.services.authenticate.key(key))
    reads.mockClear()
    expect((await decide(key)).status).toBe(201)
    expect(readCount()).toBe(0)
  })

  it('a thousand different keys in one turn of the event loop make two', async () => {
    const center = await server.world.center()
    const keys = await Promise.all(Array.from({ length: 1000 }, () => server.world.key(center)))
    const found = await Promise.all(keys.map((key) => server.services.authenticate.key(key)))
    expect(new Set(found.map(({ keyId }) => keyId)).size).toBe(1000)
    expect(readCount()).toBe(2)
  })
})

describe('a process that does not receive changes', () => {
  /** Reads over the server's own connections; changes arrive through a connection of their own. */
  async function besideListener(url: string) {
    const { config, directory, tokens, log } = server.services
    const changes: DirectoryChanges = directoryChanges(url, config.logins, log)
    const authenticate = authenticator(directory, tokens, log, changes.coverage)
    const centers = centerProfiles(directory, changes.coverage)
    changes.subscribe(authenticate.forget)
    changes.subscribe(centers.forget)
    return { authenticate, centers, changes }
  }

  it.each(['cut', 'freeze'] as const)('refuses a revoked key within a second (%s connection)', async (loss) => {
    const wire = await openWire(server.services.config.databaseUrl)
    const { authenticate, changes } = await besideListener(wire.url)
    const center = await server.world.center()
    const key = await server.world.key(center)
    await untilCovered(() => authenticate.key(key))
    await wire[loss]()
    await sql('update directory.api_keys set revoked_at = now() where center_id = $1', [center.id])
    const isRefused = async () => {
      try {
        await authenticate.key(key)
        return false
      } catch {
        return true
      }
    }
    await untilSeen(isRefused)
    // What was cached before the connection was lost is not covered by the next connection.
    await wire.mend()
    await untilCovered(isRefused)
    await sql('update directory.api_keys set revoked_at = null where center_id = $1', [center.id])
    await untilSeen(async () => !(await isRefused()))
    await changes.stop()
    await wire.close()
  })

  it('still serves a center that was changed during the loss with its new name', async () => {
    const wire = await openWire(server.services.config.databaseUrl)
    const { centers, changes } = await besideListener(wire.url)
    const center = await server.world.center()
    await untilCovered(() => centers.profile(center.id))
    await wire.cut()
    await sql(`update directory.centers set name = 'Changed meanwhile' where id = $1`, [center.id])
    await wire.mend()
    await untilSeen(async () => (await centers.profile(center.id)).name === 'Changed meanwhile')
    await changes.stop()
    await wire.close()
  })
})
