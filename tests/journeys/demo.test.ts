/** `npm run demo -- --json`: the output that people and tests rely on. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verticals } from '@countersign/contract/enums.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../tools/demo-data.ts'
import { sampleEvent } from '../support/samples.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { inShell, plainEnvironment } from './shell.ts'

const folder = new URL('../../', import.meta.url).pathname
let server: TestServer
let demo: Demo

const npm = (command: string, extra: Record<string, string> = {}) => {
  const { databaseUrl, port } = server.services.config
  return inShell(
    { folder, env: plainEnvironment({ DATABASE_URL: databaseUrl, PORT: String(port), ...extra }) },
    command,
  )
}
const makeDemo = async (): Promise<Demo> => JSON.parse(await npm('npm run --silent demo -- --json'))

beforeAll(async () => {
  server = await startServer()
  demo = await makeDemo()
})
afterAll(() => server.close())

const account = (name: string) => demo.accounts[name] as Demo['accounts'][string]
const signIn = (name: string, centerDomain?: string) => {
  const { email, password } = account(name)
  return server.call('POST', '/api/auth/login', { body: { email, password, ...(centerDomain && { centerDomain }) } })
}

describe('the output', () => {
  it('is one JSON object in one line', async () => {
    const printed = await npm('npm run --silent demo -- --json')
    expect(printed).toMatch(/^\{.*\}\n$/)
    expect(typeof JSON.parse(printed)).toBe('object')
  })

  it('is nothing else, except the lines in which npm prints the command', async () => {
    const lines = (await npm('npm run demo -- --json'))
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('> '))
    expect(lines).toHaveLength(1)
    expect(Object.keys(JSON.parse(lines[0] as string))).toEqual(Object.keys(demo))
  })

  it('has the promised shape', () => {
    expect(Object.keys(demo).toSorted()).toEqual(['accounts', 'apiKeys', 'baseUrl', 'centers', 'publicUrl'])
    expect(demo.baseUrl).toBe(`http://localhost:${server.services.config.port}/api`)
    expect(demo.publicUrl).toMatch(/^https?:\/\//)
    expect(demo.centers.map(({ vertical }) => vertical).toSorted()).toEqual([...verticals].toSorted())
    for (const center of demo.centers) {
      expect(center).toEqual({
        id: expect.any(Number),
        domain: expect.any(String),
        name: expect.any(String),
        vertical: expect.any(String),
      })
    }
    expect(Object.keys(demo.accounts).toSorted()).toEqual(
      [
        'admin',
        'secondAdmin',
        'instructor',
        'parent',
        'child',
        'invited',
        'pending',
        'suspended',
        'ended',
        'multi',
        'outsider',
        'otherAdmin',
        'partnerAdmin',
        'partnerOperator',
        'otherPartnerAdmin',
        'operator',
      ].toSorted(),
    )
    for (const each of Object.values(demo.accounts)) {
      expect(Object.keys(each).toSorted()).toEqual(['actorId', 'centerDomain', 'centerId', 'email', 'password'])
    }
    expect(Object.keys(demo.apiKeys).toSorted()).toEqual([
      'agent',
      'approve',
      'expired',
      'otherApprove',
      'otherWrite',
      'read',
      'sandbox',
      'write',
    ])
  })

  it('for people is a table with every account and key', async () => {
    const printed = await npm('npm run --silent demo')
    for (const { email, password } of Object.values(demo.accounts)) {
      expect(printed).toContain(email)
      expect(printed).toContain(password)
    }
    expect(printed.match(/csk_live_/g)).toHaveLength(7)
    expect(printed.match(/csk_test_/g)).toHaveLength(1)
    demo = await makeDemo()
  })
})

describe('every account matches its name', () => {
  it.each([
    ['admin', 'admin_dashboard', 0, 'ADMIN'],
    ['instructor', 'workspace', 0, 'INSTRUCTOR'],
    ['parent', 'workspace', 0, 'PARENT'],
    ['child', 'workspace', 0, 'CHILD'],
    ['otherAdmin', 'admin_dashboard', 1, 'ADMIN'],
  ] as const)('%s arrives at %s', async (name, destination, index, role) => {
    const center = demo.centers[index]
    const { status, body } = await signIn(name)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      destination,
      actor: { id: account(name).actorId, role },
      center: { id: center?.id, domain: center?.domain, name: center?.name },
    })
    expect(account(name)).toMatchObject({ centerId: center?.id, centerDomain: center?.domain })
  })

  it.each([
    ['invited', 'waiting', 'NO_MEMBERSHIP'],
    ['pending', 'waiting', 'NO_MEMBERSHIP'],
    ['suspended', 'onboarding', 'MEMBERSHIP_SUSPENDED'],
    ['ended', 'onboarding', 'MEMBERSHIP_ENDED'],
  ] as const)(
    '%s of the first center gets as far as %s, and into the center not: %s',
    async (name, destination, code) => {
      expect(account(name).centerDomain).toBe(demo.centers[0]?.domain)
      const { status, body } = await signIn(name)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ destination, center: null })
      const refused = await signIn(name, demo.centers[0]?.domain)
      expect([refused.status, refused.body.error.code]).toEqual([403, code])
    },
  )

  it('asks multi for a center, and lets it enter both', async () => {
    expect((await signIn('multi')).body.data).toMatchObject({ destination: 'tenant_picker', center: null })
    for (const { domain } of demo.centers.slice(0, 2)) {
      expect((await signIn('multi', domain)).body.data.center.domain).toBe(domain)
    }
  })

  it.each([
    ['outsider', 'onboarding'],
    ['operator', 'onboarding'],
    ['partnerAdmin', 'partner_dashboard'],
    ['partnerOperator', 'partner_dashboard'],
    ['otherPartnerAdmin', 'partner_dashboard'],
  ] as const)('%s belongs to no center and arrives at %s', async (name, destination) => {
    expect(account(name)).toMatchObject({ centerId: null, centerDomain: null })
    expect((await signIn(name)).body.data).toMatchObject({ destination, center: null })
    const refused = await signIn(name, demo.centers[0]?.domain)
    expect([refused.status, refused.body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
  })

  it('refuses the password of another account', async () => {
    const { status } = await server.call('POST', '/api/auth/login', {
      body: { email: account('admin').email, password: account('instructor').password },
    })
    expect(status).toBe(401)
  })

  it('has partner accounts and an operator in the directory', async () => {
    const rows = await server.world.query<{ email: string; role: string; partner: string; centers: number }>(
      `select a.email, p.role, p.partner_id as partner, (select count(*)::int from directory.centers c where c.partner_id = p.partner_id) as centers
       from directory.partner_accounts p join directory.actors a on a.id = p.actor_id`,
    )
    const of = (name: string) => rows.find((row) => row.email === account(name).email)
    expect(of('partnerAdmin')).toMatchObject({ role: 'PARTNER_ADMIN', centers: 2 })
    expect(of('partnerOperator')).toMatchObject({ role: 'PARTNER_OPERATOR', partner: of('partnerAdmin')?.partner })
    expect(of('otherPartnerAdmin')).toMatchObject({ role: 'PARTNER_ADMIN', centers: 3 })
    expect(of('otherPartnerAdmin')?.partner).not.toBe(of('partnerAdmin')?.partner)
    const firstTwo = await server.world.query('select id from directory.centers where partner_id = $1 order by id', [
      of('partnerAdmin')?.partner,
    ])
    expect(firstTwo.map(({ id }) => id)).toEqual(demo.centers.slice(0, 2).map(({ id }) => id))
    const operators = await server.world.query('select id from directory.actors where is_operator')
    expect(operators).toEqual([{ id: account('operator').actorId }])
  })
})

describe('every key has the rights of its name', () => {
  const path = '/api/v1/decision-events'
  const record = (key: keyof Demo['apiKeys'], tag: string) =>
    server.call('POST', path, { token: demo.apiKeys[key], body: sampleEvent({ tags: [tag] }) })
  const total = async (key: keyof Demo['apiKeys'], tag: string) =>
    (await server.call('GET', `${path}?tag=${tag}`, { token: demo.apiKeys[key] })).body.pagination.total

  it('agent asks as the refund agent, and as nobody else', async () => {
    const ask = (id: string) =>
      server.call('POST', '/api/v1/agents/decide', {
        token: demo.apiKeys.agent,
        body: { agent: { id }, action: { type: 'note.write' } },
      })
    expect([(await ask('refund-agent')).status, (await ask('agent-7')).status]).toEqual([201, 403])
  })

  it('write can record and read', async () => {
    expect((await record('write', 'w')).status).toBe(201)
    expect(await total('write', 'w')).toBe(1)
  })

  it('read can read and cannot record', async () => {
    expect(await total('read', 'w')).toBe(1)
    expect((await record('read', 'w')).status).toBe(403)
  })

  it('expired is refused', async () => {
    expect((await record('expired', 'w')).status).toBe(401)
  })

  it('otherWrite can record in the other center', async () => {
    expect((await record('otherWrite', 'o')).status).toBe(201)
    expect([await total('otherWrite', 'o'), await total('read', 'o'), await total('otherWrite', 'w')]).toEqual([
      1, 0, 0,
    ])
  })
})

it('keeps accounts, passwords and centers when run again, and the last three sets of keys stay valid', async () => {
  const before = demo
  const rows = () =>
    server.world.query(`select
      (select count(*) from directory.actors) as actors, (select count(*) from directory.memberships) as memberships,
      (select count(*) from directory.audit_entries where request_id = 'demo') as entries, (select count(*) from cell.bookings) as bookings`)
  const made = await rows()
  const runs = [before]
  for (let run = 0; run < 3; run++) runs.push(await makeDemo())
  expect(await rows()).toEqual(made)
  for (const { accounts, centers } of runs) {
    expect(accounts).toEqual(before.accounts)
    expect(centers).toEqual(before.centers)
  }
  expect(new Set(runs.flatMap(({ apiKeys }) => Object.values(apiKeys))).size).toBe(32)
  expect((await signIn('admin')).status).toBe(200)
  // Another process changed the keys; the cache of this server is at most one second old.
  await sleep(1000)
  const list = async (token: string) => (await server.call('GET', '/api/v1/decision-events', { token })).status
  expect(await Promise.all(runs.map(({ apiKeys }) => list(apiKeys.write)))).toEqual([401, 200, 200, 200])
  expect(await Promise.all(runs.map(({ apiKeys }) => list(apiKeys.otherWrite)))).toEqual([401, 200, 200, 200])
})

it('is refused in production, and writes nothing', async () => {
  const written = () => server.world.query('select count(*) as keys, max(created_at) as last from directory.api_keys')
  const before = await written()
  const key = () => randomBytes(32).toString('base64')
  const refused = await npm('npm run --silent demo -- --json', {
    NODE_ENV: 'production',
    SECRET_KEY: key(),
    TLOG_KEY: key(),
    TLOG_FENCE: 'none',
    PUBLIC_URL: 'https://countersign.example',
  }).then(
    () => null,
    (error: Error) => error.message,
  )
  expect(refused).toContain('NODE_ENV=production')
  expect(refused).not.toContain('password"')
  expect(await written()).toEqual(before)
})
