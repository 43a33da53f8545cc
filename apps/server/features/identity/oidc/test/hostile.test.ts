import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../../../../../../tests/support/dns.ts'
import { type HostileIssuer, startHostileIssuer, unsigned } from '../../../../../../tests/support/hostile-issuer.ts'
import {
  addProvider,
  finish,
  linkByPassword,
  type Started,
  start,
} from '../../../../../../tests/support/oidc-sign-in.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'

type Provider = Awaited<ReturnType<typeof addProvider>>

let dns: DnsServer
let server: TestServer
let issuer: HostileIssuer
let center: Center
let otherCenter: Center
let victim: Person
let provider: Provider
/** Another configuration, of another center, at the same issuer. */
let otherProvider: Provider

const linkedSubject = 'linked'

beforeAll(async () => {
  dns = await startDns()
  issuer = await startHostileIssuer()
  server = await startServer({
    env: { WEBHOOK_DNS_SERVERS: dns.address, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
  })
  const { world } = server
  ;[center, otherCenter] = [await world.center(), await world.center()]
  victim = await world.person({ email: 'victim@haneul.example' })
  const admin = await world.person({ email: 'admin@elsewhere.example' })
  for (const each of [center, otherCenter]) {
    await world.member(victim, each, 'INSTRUCTOR')
    await world.member(admin, each, 'ADMIN')
  }
  provider = await addProvider(server, dns, { center, admin }, issuer, 'haneul.example')
  otherProvider = await addProvider(server, dns, { center: otherCenter, admin }, issuer, 'haneul.example')
  const { answer, cookie } = await signIn(known())
  expect((await linkByPassword(server, victim, answer.body.data.ticket, cookie)).status).toBe(201)
})
afterAll(async () => {
  await server.close()
  await Promise.all([issuer.close(), dns.close()])
})
beforeEach(() => {
  issuer.forge = null
  issuer.discovery = {}
})

async function signIn(claims: Record<string, unknown>) {
  const started = await start(server, provider.id, center.domain)
  issuer.claims = { nonce: started.nonce, ...claims }
  return { ...started, answer: await finish(server, provider.id, `code=any&state=${started.state}`, started.cookie) }
}

const known = () => ({ sub: linkedSubject, email: victim.email, email_verified: true })
const wrongKey = async (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign((await generateKeyPair('ES256')).privateKey)
const withSecret = (claims: JWTPayload) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('a secret'))

it('the linked account signs in, with PKCE and the secret of the client', async () => {
  const { answer, url } = await signIn(known())
  expect([answer.status, answer.body.data.actor.id]).toEqual([200, victim.actorId])
  const sent = issuer.asked.at(-1)
  expect(sent?.get('code_verifier')).toMatch(/^[\w-]{43,}$/)
  expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
})

describe('ID tokens that prove nothing', () => {
  it.each<[name: string, claims: () => Record<string, unknown>, forge?: HostileIssuer['forge']]>([
    ['of another issuer', () => ({ ...known(), iss: 'https://login.example' })],
    ['for another client', () => ({ ...known(), aud: 'another' })],
    ['with another nonce', () => ({ ...known(), nonce: 'another' })],
    ['without a nonce', () => ({ ...known(), nonce: undefined })],
    ['that has expired', () => ({ ...known(), exp: Math.floor(Date.now() / 1000) - 600 })],
    ['without a subject', () => ({ ...known(), sub: undefined })],
    ['with the algorithm none', known, async (claims) => unsigned(claims)],
    ['signed by another key', known, wrongKey],
    ['signed with the secret of the client', known, withSecret],
    ['that is no token', known, async () => 'nothing'],
  ])('%s', async (_, claims, forge = null) => {
    issuer.forge = forge
    const { answer } = await signIn(claims())
    expect([answer.status, answer.body.error.code]).toEqual([401, 'UNAUTHORIZED'])
    expect(answer.headers.getSetCookie().filter((each) => each.startsWith('auth_token'))).toEqual([])
  })
})

describe('addresses that the provider may not vouch for', () => {
  it.each<[name: string, claims: Record<string, unknown>]>([
    ['of a domain of others', { email: 'director@others.example' }],
    ['of a domain below the proven one', { email: 'victim@sub.haneul.example' }],
    ['of a domain that ends like the proven one', { email: 'victim@nothaneul.example' }],
    ['with two domains', { email: 'victim@others.example@haneul.example' }],
    ['that looks like the proven one', { email: 'victim@hаneul.example' }],
    ['not verified', { email: 'victim@haneul.example', email_verified: false }],
    ['verified, as a text', { email: 'victim@haneul.example', email_verified: 'true' }],
    ['without a word about verification', { email: 'victim@haneul.example', email_verified: undefined }],
    ['none', { email: undefined }],
    ['a list', { email: ['victim@haneul.example'] }],
    ['blank', { email: '@haneul.example' }],
  ])('%s', async (_, claims) => {
    const { answer } = await signIn({ email_verified: true, ...claims, sub: 'a stranger' })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'FORBIDDEN'])
  })
})

it('another subject with the address of a linked account gets a ticket and no session', async () => {
  const { answer, cookie } = await signIn({ ...known(), sub: 'another' })
  expect(answer.status).toBe(202)
  expect(Object.keys(answer.body.data).toSorted()).toEqual(['email', 'expiresAt', 'provider', 'ticket'])
  // Only the person links it: the ticket alone, and an account of the attacker, do not.
  const { ticket } = answer.body.data
  expect((await server.call('POST', '/api/auth/oidc/link', { body: { ticket }, headers: { cookie } })).status).toBe(401)
  const attacker = await server.world.person()
  expect((await linkByPassword(server, attacker, ticket, cookie)).status).toBe(403)
})

describe('answers that belong to another sign-in', () => {
  const refused = async (begun: Started, providerId: string, query: string, cookie: string) => {
    issuer.claims = { ...known(), nonce: begun.nonce }
    const { status, body } = await finish(server, providerId, query, cookie)
    expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED'])
  }
  const begin = () => start(server, provider.id, center.domain)

  it('a state that was used', async () => {
    const begun = await signIn(known())
    expect(begun.answer.status).toBe(200)
    await refused(begun, provider.id, `code=any&state=${begun.state}`, begun.cookie)
  })

  it('a state that was used with a failure', async () => {
    const begun = await begin()
    await refused(begun, provider.id, `error=access_denied&state=${begun.state}`, begun.cookie)
    await refused(begun, provider.id, `code=any&state=${begun.state}`, begun.cookie)
  })

  it('the state and the code of another browser', async () => {
    const [attacker, person] = [await begin(), await begin()]
    await refused(attacker, provider.id, `code=any&state=${attacker.state}`, person.cookie)
    await refused(attacker, provider.id, `code=any&state=${attacker.state}`, '')
  })

  it('an unknown state, no state, and two states', async () => {
    const begun = await begin()
    await refused(begun, provider.id, 'code=any&state=unknown', begun.cookie)
    await refused(begun, provider.id, 'code=any', begun.cookie)
    await refused(begun, provider.id, `code=any&state=${begun.state}&state=unknown`, begun.cookie)
  })

  it('an answer that came to the address of another configuration', async () => {
    const begun = await begin()
    await refused(begun, otherProvider.id, `code=any&state=${begun.state}`, begun.cookie)
  })

  it('an answer that names another issuer', async () => {
    const begun = await begin()
    await refused(begun, provider.id, `code=any&state=${begun.state}&iss=https%3A%2F%2Flogin.example`, begun.cookie)
  })
})

it('an account of one configuration is none of another, although issuer and subject are the same', async () => {
  const begun = await start(server, otherProvider.id, otherCenter.domain)
  issuer.claims = { ...known(), nonce: begun.nonce }
  const answer = await finish(server, otherProvider.id, `code=any&state=${begun.state}`, begun.cookie)
  expect(answer.status).toBe(202)
})

describe('discovery documents', () => {
  it.each<[name: string, discovery: Record<string, unknown>]>([
    ['of another issuer', { issuer: 'https://login.example' }],
    ['with a script in place of the page', { authorization_endpoint: 'javascript:alert(1)' }],
    ['with a page inside the network', { authorization_endpoint: 'http://10.0.0.1/authorize' }],
    ['without a page', { authorization_endpoint: undefined }],
  ])('%s', async (_, discovery) => {
    issuer.discovery = discovery
    // A new secret is a new configuration: nothing of the document is remembered.
    const { accessToken: token } = await server.signIn(
      { email: 'admin@elsewhere.example', password: victim.password, actorId: '' },
      center.domain,
    )
    const body = { clientSecret: 'a secret' }
    await server.call('PATCH', `${provider.path}/${provider.id}`, { token, body })
    const answer = await server.call('POST', '/api/auth/oidc/start', {
      body: { providerId: provider.id, centerDomain: center.domain },
    })
    expect(answer.status).toBe(503)
    issuer.discovery = {}
    await server.call('PATCH', `${provider.path}/${provider.id}`, { token, body })
  })

  it.each(['http://login.haneul.example', 'https://127.0.0.1.nip.io?x=1', 'https://localhost', 'ftp://x.example'])(
    'the issuer %s is refused',
    async (url) => {
      const body = { name: 'x', issuer: url, clientId: 'x', clientSecret: 'x' }
      const { status } = await server.call('POST', provider.path, { token: provider.token, body })
      expect(status).toBe(400)
    },
  )
})
