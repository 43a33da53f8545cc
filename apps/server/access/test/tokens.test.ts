import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Person } from '../../../../tests/support/world.ts'
import { useClock } from '../../lib/clock.ts'
import { tokens } from '../tokens.ts'
import { openForge } from './forge.ts'

const minute = 60_000
const servers: TestServer[] = []
let restoreClock = () => {}

afterEach(async () => {
  restoreClock()
  // The process that joined another one's database first.
  for (const server of servers.splice(0).reverse()) await server.close()
})

async function open(options: Parameters<typeof startServer>[0] = {}): Promise<TestServer> {
  const server = await startServer(options)
  servers.push(server)
  return server
}

/** A clock that moves only when the test advances it. */
function stopClock(): (ms: number) => void {
  let at = Date.now()
  restoreClock = useClock(() => at)
  return (ms) => {
    at += ms
  }
}

async function newMember(server: TestServer): Promise<Person> {
  const person = await server.world.person()
  await server.world.member(person, await server.world.center())
  return person
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid as string
const signedInWith = async (server: TestServer, person: Person) => kidOf((await server.signIn(person)).accessToken)
const me = async (server: TestServer, token: string) => (await server.call('GET', '/api/auth/me', { token })).status
const published = async (server: TestServer): Promise<string[]> => {
  const { body } = await server.call('GET', '/.well-known/jwks.json')
  return body.keys.map((key: { kid: string }) => key.kid)
}
const keysInDirectory = (server: TestServer) =>
  server.world.query<{ kid: string }>('select kid from directory.signing_keys')

describe('the published key set', () => {
  it('holds public keys only, each with its kid, algorithm and use', async () => {
    const { status, body } = await (await open()).call('GET', '/.well-known/jwks.json')
    expect(status).toBe(200)
    expect(body).toEqual({
      keys: [
        {
          kty: 'EC',
          crv: 'P-256',
          x: expect.any(String),
          y: expect.any(String),
          kid: expect.any(String),
          alg: 'ES256',
          use: 'sig',
        },
      ],
    })
  })

  it('starts with one key when many processes start on an empty directory at once', async () => {
    const { services, ...server } = await open()
    const processes = Array.from({ length: 8 }, () => tokens(services.config, services.directory, services.box))
    const sets = await Promise.all(processes.map((each) => each.jwks()))
    const kids = new Set(sets.flatMap(({ keys }) => keys.map(({ kid }) => kid)))
    expect(kids.size).toBe(1)
    expect(await keysInDirectory({ services, ...server })).toHaveLength(1)
  })

  it('excludes private keys, which are stored encrypted: the directory alone cannot sign', async () => {
    const server = await open()
    await published(server)
    const rows = await server.world.query<{ row: string; private_sealed: Buffer }>(
      'select k::text as row, private_sealed from directory.signing_keys k',
    )
    for (const { row, private_sealed } of rows) {
      expect(row).not.toContain('"d"')
      expect(private_sealed.includes('"d"')).toBe(false)
    }
  })
})

describe('rotation', () => {
  it('publishes the new key at once, and signs with it ten minutes later', async () => {
    const server = await open()
    const person = await newMember(server)
    const passTime = stopClock()
    const first = await signedInWith(server, person)
    await server.services.tokens.rotate()
    const kids = await published(server)
    expect(kids).toHaveLength(2)
    expect(kids).toContain(first)
    passTime(9.9 * minute)
    expect(await signedInWith(server, person)).toBe(first)
    passTime(0.2 * minute)
    expect(await signedInWith(server, person)).toBe(kids.find((kid) => kid !== first))
  })

  it('leaves tokens of the old key valid until they expire', async () => {
    const server = await open()
    const person = await newMember(server)
    const passTime = stopClock()
    await published(server)
    await server.services.tokens.rotate()
    passTime(9.9 * minute)
    const { accessToken } = await server.signIn(person)
    passTime(0.2 * minute)
    expect(await signedInWith(server, person)).not.toBe(kidOf(accessToken))
    expect(await me(server, accessToken)).toBe(200)
    passTime(14.6 * minute)
    expect(await me(server, accessToken)).toBe(200)
    passTime(1 * minute)
    const late = await server.call('GET', '/api/auth/me', { token: accessToken })
    expect([late.status, late.body.error.code]).toEqual([401, 'TOKEN_EXPIRED'])
  })

  it('withdraws the old key when its last token has expired', async () => {
    const server = await open()
    const person = await newMember(server)
    const passTime = stopClock()
    const old = await signedInWith(server, person)
    await server.services.tokens.rotate()
    passTime(10 * minute)
    const current = await signedInWith(server, person)
    passTime(15 * minute)
    expect(await published(server)).toEqual([old, current])
    passTime(2 * minute)
    expect(await published(server)).toEqual([current])
  })

  it('refuses tokens signed with a withdrawn key, even recent ones', async () => {
    const server = await open()
    const person = await newMember(server)
    let at = Date.now()
    restoreClock = useClock(() => at)
    const forge = await openForge(server, (await server.signIn(person)).accessToken)
    const signedNow = () => forge.ours({ iat: Math.floor(at / 1000), exp: Math.floor(at / 1000) + 900 })
    await server.services.tokens.rotate()
    at += 24 * minute
    expect(await me(server, signedNow())).toBe(200)
    at += 3 * minute
    expect(await me(server, signedNow())).toBe(401)
  })

  it('takes effect at once after a leak', async () => {
    const server = await open()
    const person = await newMember(server)
    const first = await signedInWith(server, person)
    await server.services.tokens.rotate({ atOnce: true })
    expect(await signedInWith(server, person)).not.toBe(first)
  })

  it('applies to a process that has not signed anything yet', async () => {
    const server = await open()
    const [first] = await published(server)
    const { config, directory, box } = server.services
    const shell = tokens(config, directory, box)
    await shell.rotate()
    expect((await shell.jwks()).keys.map(({ kid }) => kid)).toContain(first)
    expect(await keysInDirectory(server)).toHaveLength(2)
  })

  it('happens automatically when the newest key is old, and only then', async () => {
    const server = await open()
    const passTime = stopClock()
    await published(server)
    expect(await server.services.tokens.rotateIfOlderThan(30)).toBe(false)
    passTime(31 * 24 * 60 * minute)
    expect(await server.services.tokens.rotateIfOlderThan(30)).toBe(true)
    expect(await server.services.tokens.rotateIfOlderThan(30)).toBe(false)
    expect(await keysInDirectory(server)).toHaveLength(2)
  })
})

describe('several processes', () => {
  it("verify each other's tokens, including those of a key published a moment ago", async () => {
    const one = await open()
    const two = await open({ beside: one })
    const person = await newMember(one)
    expect(await me(two, (await one.signIn(person)).accessToken)).toBe(200)
    await one.services.tokens.rotate({ atOnce: true })
    // An unknown key is looked up at most once a second.
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const { accessToken } = await one.signIn(person)
    expect(await me(two, accessToken)).toBe(200)
  })

  it('keep signing after the clock was set back', async () => {
    const server = await open()
    const person = await newMember(server)
    const passTime = stopClock()
    await published(server)
    passTime(-5000)
    expect(await me(server, (await server.signIn(person)).accessToken)).toBe(200)
  })

  it('report a SECRET_KEY that differs from that of the others', async () => {
    const one = await open()
    await published(one)
    const two = await open({ beside: one, env: { SECRET_KEY: randomBytes(32).toString('base64') } })
    const person = await newMember(two)
    const { status, body } = await two.call('POST', '/api/auth/login', {
      body: { email: person.email, password: person.password },
    })
    expect([status, body.error.code]).toEqual([500, 'INTERNAL_ERROR'])
    expect(two.logs.join('\n')).toContain('is SECRET_KEY the same everywhere?')
  })

  it('accept a new SECRET_KEY while the old one is still configured', async () => {
    const one = await open()
    const person = await newMember(one)
    const { accessToken } = await one.signIn(person)
    const old = (one.services.config.secretKeys[0] as Buffer).toString('base64')
    const two = await open({ beside: one, env: { SECRET_KEY: `${randomBytes(32).toString('base64')},${old}` } })
    expect(await me(two, accessToken)).toBe(200)
    expect(await signedInWith(two, person)).toBe(kidOf(accessToken))
  })
})
