import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, proveDomain, startDns } from '../../../../../../tests/support/dns.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { checkDomainsJob } from '../../../centers/domains/check-domains.job.ts'

let dns: DnsServer
let server: TestServer
let count = 0

/** `fetch` writes `Host` itself, so the tests name the host as a proxy does. */
beforeAll(async () => {
  dns = await startDns()
  server = await startServer({ env: { WEBHOOK_DNS_SERVERS: dns.address, TRUSTED_PROXIES: '127.0.0.0/8' } })
})
afterAll(async () => {
  await server.close()
  await dns.close()
})

interface Site {
  readonly host: string
  readonly center: Center
  readonly other: Center
  readonly person: Person
  readonly record: { readonly name: string }
}

/** A center with a custom domain, and an ADMIN who is also a member elsewhere, an account of a partner and an operator. */
async function site(isProven = true): Promise<Site> {
  const host = `care-${++count}.example`
  const { world } = server
  const [center, other] = [await world.center({ tenantType: 'WHITE_LABEL' }), await world.center()]
  const person = await world.person({ operator: true, partner: true })
  for (const each of [center, other]) await world.member(person, each, 'ADMIN')
  const { accessToken: token } = await server.signIn(person, center.domain)
  const body = { branding: { customDomain: host } }
  expect((await server.call('PATCH', `/api/centers/${center.id}/settings`, { token, body })).status).toBe(200)
  const path = `/api/centers/${center.id}/domains`
  const { record } = isProven
    ? await proveDomain(server, dns, { token, path, domain: host, purpose: 'site' })
    : { record: { name: '' } }
  return { host, center, other, person, record }
}

const signInAt = (host: string, { email, password }: Person, centerDomain?: string) =>
  server.call('POST', '/api/auth/login', {
    body: { email, password, ...(centerDomain && { centerDomain }) },
    headers: { 'x-forwarded-host': host },
  })

const outcome = async (work: ReturnType<TestServer['call']>) => {
  const { status, body } = await work
  return [status, body?.error?.code]
}

describe('a session that began on a custom domain', () => {
  it('enters its center, and reaches nothing else of the person', async () => {
    const { host, center, other, person } = await site()
    const { status, body } = await signInAt(`${host}:8443`, person)
    expect([status, body.data.center.id]).toEqual([200, center.id])
    const token = body.data.accessToken
    expect((await server.call('GET', '/api/audit', { token })).status).toBe(200)
    for (const [method, path, sent] of [
      ['POST', '/api/auth/switch-center', { centerId: other.id }],
      ['GET', `/api/centers/${other.id}/members`, undefined],
      ['GET', '/api/partner/centers', undefined],
      ['GET', '/api/auth/passkeys', undefined],
      ['POST', '/api/admin/partners/onboard', {}],
    ] as const) {
      expect([path, await outcome(server.call(method, path, { token, ...(sent && { body: sent }) }))]).toEqual([
        path,
        [403, 'FORBIDDEN'],
      ])
    }
    expect(await outcome(signInAt(host, person, other.domain))).toEqual([403, 'FORBIDDEN'])
    const { body: me } = await server.call('GET', '/api/auth/me', { token })
    expect(me.data.authorizedDomains).toEqual([center.domain])
  })

  it('changes data from its own host only', async () => {
    const { host, person, center } = await site()
    const token = (await signInAt(host, person)).body.data.accessToken
    const ordinary = (await server.signIn(person, center.domain)).accessToken
    const logout = (session: string, origin: string) =>
      outcome(server.call('POST', '/api/auth/logout', { headers: { cookie: `auth_token=${session}`, origin } }))
    expect(await logout(token, 'https://evil.example')).toEqual([403, 'FORBIDDEN'])
    expect(await logout(ordinary, `https://${host}`)).toEqual([403, 'FORBIDDEN'])
    expect(await logout(token, `https://${host}`)).toEqual([204, undefined])
  })

  it('ends when the record is absent in three checks over 24 hours, and does not come back', async () => {
    const { host, person, record, center } = await site()
    const { accessToken: token, refreshToken } = (await signInAt(host, person)).body.data
    const values = dns.records.get(record.name)
    dns.records.delete(record.name)
    const started = Date.now()
    const at = async (hours: number) => {
      const restore = useClock(() => started + hours * 3_600_000)
      await checkDomainsJob(server.services).finally(restore)
    }
    for (const hours of [13, 26]) await at(hours)
    expect((await server.call('GET', '/api/audit', { token })).status).toBe(200)
    await at(39)
    await expect.poll(async () => (await server.call('GET', '/api/audit', { token })).status).toBe(401)
    const renew = () => outcome(server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } }))
    expect(await renew()).toEqual([401, 'UNAUTHORIZED'])
    dns.records.set(record.name, values ?? [])
    const admin = (await server.signIn(person, center.domain)).accessToken
    const path = `/api/centers/${center.id}/domains`
    const [domain] = (await server.call('GET', path, { token: admin })).body.data
    await server.call('POST', `${path}/${domain.id}/check`, { token: admin })
    expect(await renew()).toEqual([401, 'UNAUTHORIZED'])
    expect((await signInAt(host, person)).status).toBe(200)
  })
})

it('a domain that is not proven is no host of the center', async () => {
  const { host, person, other } = await site(false)
  expect(await outcome(server.call('GET', `/api/whitelabel/${host}/config`))).toEqual([404, 'CENTER_NOT_FOUND'])
  const token = (await signInAt(host, person)).body.data.accessToken
  const body = { centerId: other.id }
  expect((await server.call('POST', '/api/auth/switch-center', { token, body })).status).toBe(200)
  expect(
    await outcome(server.call('POST', '/api/auth/handoff/start', { headers: { 'x-forwarded-host': host } })),
  ).toEqual([404, 'CENTER_NOT_FOUND'])
})

describe('the way to the host of the service and back', () => {
  async function begun({ host }: Site) {
    const answer = await server.call('POST', '/api/auth/handoff/start', { headers: { 'x-forwarded-host': host } })
    const url = new URL(answer.body.data.url)
    const cookie =
      answer.headers
        .getSetCookie()
        .find((each) => each.startsWith('handoff='))
        ?.split(';')[0] ?? ''
    return { url, handoff: url.searchParams.get('handoff') ?? '', cookie }
  }
  const codeFor = async (person: Person, handoff: string, headers = {}) => {
    const { accessToken: token } = await server.signIn(person)
    return server.call('POST', '/api/auth/handoff/code', { token, body: { handoff }, headers })
  }
  const redeem = (url: string, host: string, cookie: string) =>
    server.call('POST', '/api/auth/handoff/redeem', {
      body: { token: url.split('/').at(-1) },
      headers: { 'x-forwarded-host': host, cookie },
    })

  it('leads to the stored domain, and starts a session of that center there', async () => {
    const own = await site()
    const { url, handoff, cookie } = await begun(own)
    expect(url.origin + url.pathname).toBe(`http://countersign.test/signin/${own.center.domain}`)
    const issued = await codeFor(own.person, handoff, { 'x-forwarded-host': 'evil.example' })
    expect(issued.body.data.url).toMatch(new RegExp(`^https://${own.host}/signin/return/csb_[\\w-]+$`))
    const back = await redeem(issued.body.data.url, own.host, cookie)
    expect([back.status, back.body.data.center.id]).toEqual([200, own.center.id])
    const token = back.body.data.accessToken
    const body = { centerId: own.other.id }
    expect(await outcome(server.call('POST', '/api/auth/switch-center', { token, body }))).toEqual([403, 'FORBIDDEN'])
    expect(await outcome(redeem(issued.body.data.url, own.host, cookie))).toEqual([401, 'UNAUTHORIZED'])
    expect(await outcome(codeFor(own.person, handoff))).toEqual([401, 'UNAUTHORIZED'])
  })

  it.each<
    [
      name: string,
      change: (host: string, cookie: string, elsewhere: Site) => [host: string, cookie: string],
      late?: number,
    ]
  >([
    ['in another browser', (host) => [host, 'handoff=another']],
    ['without a cookie', (host) => [host, '']],
    ['on the host of another center', (_, cookie, { host }) => [host, cookie]],
    ['on the host of the service', (_, cookie) => ['countersign.test', cookie]],
    ['after a minute', (host, cookie) => [host, cookie], 61_000],
  ])('a code is worth nothing %s', async (_, change, late = 0) => {
    const [own, elsewhere] = [await site(), await site()]
    const { handoff, cookie } = await begun(own)
    const { url } = (await codeFor(own.person, handoff)).body.data
    const restore = useClock(() => Date.now() + late)
    expect(await outcome(redeem(url, ...change(own.host, cookie, elsewhere)).finally(restore))).toEqual([
      401,
      'UNAUTHORIZED',
    ])
    // It was used: not even the right browser gets in with it.
    if (late === 0) expect(await outcome(redeem(url, own.host, cookie))).toEqual([401, 'UNAUTHORIZED'])
  })

  it('gives no code to somebody who is no member', async () => {
    const own = await site()
    const { handoff } = await begun(own)
    expect(await outcome(codeFor(await server.world.person(), handoff))).toEqual([401, 'UNAUTHORIZED'])
  })
})
