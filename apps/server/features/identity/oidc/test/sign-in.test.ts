import { useClock } from '@countersign/server/lib/clock.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DnsServer, startDns } from '../../../../../../tests/support/dns.ts'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startProvider, type TestProvider } from '../../../../../../tests/support/oidc.ts'
import { addProvider, finish, linkByPassword, start } from '../../../../../../tests/support/oidc-sign-in.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Partner, Person } from '../../../../../../tests/support/world.ts'

let dns: DnsServer
let mailbox: Mailbox
let idp: TestProvider
let server: TestServer
let partner: Partner
let admin: Person
let [own, sister, stranger] = [] as unknown as [Center, Center, Center]
let provider: Awaited<ReturnType<typeof addProvider>>

const address = (name: string) => `${name}@haneul.example`

/** A partner with two centers and a provider; a third center belongs to nobody. */
beforeAll(async () => {
  ;[dns, mailbox, idp] = [await startDns(), await openMailbox(), await startProvider()]
  server = await startServer({
    env: { WEBHOOK_DNS_SERVERS: dns.address, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', SMTP_URL: mailbox.url },
  })
  const { world } = server
  partner = await world.partner()
  ;[own, sister, stranger] = [await world.center({ partner }), await world.center({ partner }), await world.center()]
  admin = await world.person()
  await world.account(admin, partner)
  provider = await addProvider(server, dns, { partner, admin }, idp, 'haneul.example')
  idp.serve([provider.redirectUri])
})
afterAll(async () => {
  await server.close()
  await Promise.all([idp.close(), mailbox.close(), dns.close()])
})

let count = 0
/** A person of the provider who is a member of all three centers, an account of the partner and an operator. */
async function member() {
  const name = `person-${++count}`
  const person = await server.world.person({ email: address(name), operator: true })
  for (const center of [own, sister, stranger]) await server.world.member(person, center, 'ADMIN')
  await server.world.account(person, partner)
  idp.people.set(name, { sub: name, email: address(name), email_verified: true })
  return { person, subject: name }
}

async function signIn(subject: string, center: Center = own) {
  const started = await start(server, provider.id, center.domain)
  const returned = await idp.signIn(started.url, subject)
  expect(returned.origin + returned.pathname).toBe(provider.redirectUri)
  return {
    answer: await finish(server, provider.id, returned.search, started.cookie),
    cookie: started.cookie,
    returned,
  }
}

async function linkedSession() {
  const { person, subject } = await member()
  const first = await signIn(subject)
  expect(first.answer.status).toBe(202)
  const linked = await linkByPassword(server, person, first.answer.body.data.ticket, first.cookie)
  expect([linked.status, linked.body.data]).toEqual([201, { provider: 'Haneul', email: person.email }])
  const { answer } = await signIn(subject)
  expect(answer.status).toBe(200)
  return { person, subject, session: answer.body.data, token: answer.body.data.accessToken as string }
}

describe('signing in', () => {
  it('a linked account enters the center, and has one entry in the audit', async () => {
    const { person, session } = await linkedSession()
    expect(session).toMatchObject({ actor: { id: person.actorId, role: 'ADMIN' }, center: { id: own.id } })
    const rows = await server.world.query(
      `select details from directory.audit_entries where actor_id = $1 and details ->> 'provider' is not null order by occurred_at`,
      [person.actorId],
    )
    expect(rows.map(({ details }) => details.action)).toEqual(['sign_in.linked', 'start'])
  })

  it('a later change of the address at the provider does not change the account', async () => {
    const { person, subject } = await linkedSession()
    const other = await server.world.person({ email: address('other-person') })
    await server.world.member(other, own)
    idp.people.set(subject, { sub: subject, email: other.email, email_verified: true })
    expect((await signIn(subject)).answer.body.data.actor.id).toBe(person.actorId)
  })

  it('is offered where the center has it, without its secret', async () => {
    const options = async (center: Center) =>
      (await server.call('GET', `/api/auth/oidc/providers?centerDomain=${center.domain}`)).body.data
    const url = `http://countersign.test/signin/${own.domain}`
    expect(await options(own)).toEqual([{ id: provider.id, name: 'Haneul', url }])
    expect(await options(stranger)).toEqual([])
    const { body } = await server.call('GET', provider.path, { token: provider.token })
    expect(JSON.stringify(body)).not.toContain(idp.clientSecret)
    const none = await server.call('POST', '/api/auth/oidc/start', {
      body: { providerId: provider.id, centerDomain: stranger.domain },
    })
    expect([none.status, none.body.error.code]).toEqual([404, 'NOT_FOUND'])
  })

  it('nobody without a membership gets in', async () => {
    const person = await server.world.person({ email: address('outsider') })
    idp.people.set('outsider', { sub: 'outsider', email: person.email, email_verified: true })
    const { answer, cookie } = await signIn('outsider')
    await linkByPassword(server, person, answer.body.data.ticket, cookie)
    const later = await signIn('outsider')
    expect([later.answer.status, later.answer.body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
  })
})

describe('linked accounts', () => {
  const accounts = '/api/auth/oidc/accounts'
  const codeOf = ({ status, body }: Awaited<ReturnType<TestServer['call']>>) => [status, body?.error?.code]

  it('are listed, and unlinked by their person: sign-in needs a new link, and sessions end', async () => {
    const { person, subject, token: provided } = await linkedSession()
    const { accessToken: token } = await server.signIn(person)
    const { body } = await server.call('GET', accounts, { token })
    const [{ id }] = body.data
    expect(body.data).toEqual([
      {
        id,
        provider: { id: provider.id, name: 'Haneul', issuer: idp.issuer },
        emailDomain: 'haneul.example',
        linkedAt: expect.stringMatching(/Z$/),
      },
    ])
    const { accessToken: other } = await server.signIn((await member()).person)
    expect((await server.call('GET', accounts, { token: other })).body.data).toEqual([])
    expect(codeOf(await server.call('DELETE', `${accounts}/${id}`, { token: other }))).toEqual([404, 'NOT_FOUND'])
    for (const [method, path] of [
      ['GET', accounts],
      ['DELETE', `${accounts}/${id}`],
    ] as const) {
      expect(codeOf(await server.call(method, path, { token: provided }))).toEqual([403, 'FORBIDDEN'])
    }
    const all = await Promise.all(
      Array.from({ length: 5 }, () => server.call('DELETE', `${accounts}/${id}`, { token })),
    )
    expect(all.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404])
    expect(codeOf(await server.call('GET', '/api/auth/me', { token: provided }))[0]).toBe(401)
    expect((await server.call('GET', '/api/auth/me', { token })).status).toBe(200)
    expect((await signIn(subject)).answer.status).toBe(202)
    const [entry] = await server.world.query(
      `select details from directory.audit_entries where actor_id = $1 and details ->> 'action' = 'sign_in.unlinked'`,
      [person.actorId],
    )
    expect(entry?.details).toMatchObject({ provider: provider.id })
  })

  it('409: without a password and a passkey nothing is unlinked', async () => {
    const { person } = await linkedSession()
    const { accessToken: token } = await server.signIn(person)
    const [{ id }] = (await server.call('GET', accounts, { token })).body.data
    await server.world.query('delete from directory.login_identifiers where actor_id = $1', [person.actorId], true)
    await server.world.query('delete from directory.credentials where actor_id = $1', [person.actorId], true)
    const refused = await server.call('DELETE', `${accounts}/${id}`, { token })
    expect(codeOf(refused)).toEqual([409, 'CONFLICT'])
    expect(refused.body.error.message).toContain('Set a password')
    expect((await server.call('GET', accounts, { token })).body.data).toHaveLength(1)
  })
})

describe('linking', () => {
  it('by a mailed link, in the browser that began', async () => {
    const { person, subject } = await member()
    const { answer, cookie } = await signIn(subject)
    const mail = { body: { ticket: answer.body.data.ticket }, headers: { cookie } }
    expect((await server.call('POST', '/api/auth/oidc/link/mail', mail)).status).toBe(202)
    // One mail for each ticket.
    expect((await server.call('POST', '/api/auth/oidc/link/mail', mail)).status).toBe(401)
    const body = { token: await mailbox.token(person.email, 'csm') }
    const confirmed = await server.call('POST', '/api/auth/oidc/link/confirm', { body, headers: { cookie } })
    expect([confirmed.status, confirmed.body.data?.actor.id]).toEqual([200, person.actorId])
    expect((await server.call('POST', '/api/auth/oidc/link/confirm', { body, headers: { cookie } })).status).toBe(401)
    expect((await signIn(subject)).answer.status).toBe(200)
  })

  it('an address without an account gets the same answer, and a mail without a link', async () => {
    idp.people.set('nobody', { sub: 'nobody', email: address('nobody'), email_verified: true })
    const { answer, cookie } = await signIn('nobody')
    expect(answer.status).toBe(202)
    const mail = { body: { ticket: answer.body.data.ticket }, headers: { cookie } }
    expect((await server.call('POST', '/api/auth/oidc/link/mail', mail)).status).toBe(202)
    const received = () => mailbox.messages.find(({ to }) => to.includes(address('nobody')))
    await expect.poll(received).toBeDefined()
    expect(received()?.text).not.toContain('csm_')
  })

  it('is refused in another browser, to another account, and long after the sign-in', async () => {
    const { person, subject } = await member()
    const { answer, cookie } = await signIn(subject)
    const { ticket } = answer.body.data
    const outcome = async (work: ReturnType<TestServer['call']>) => {
      const { status, body } = await work
      return [status, body.error?.code]
    }
    expect(await outcome(linkByPassword(server, person, ticket, 'oidc_login=another'))).toEqual([401, 'UNAUTHORIZED'])
    const other = await server.world.person()
    expect(await outcome(linkByPassword(server, other, ticket, cookie))).toEqual([403, 'FORBIDDEN'])
    const { accessToken } = await server.signIn(person)
    const restore = useClock(() => Date.now() + 11 * 60_000)
    const stale = server.call('POST', '/api/auth/oidc/link', {
      token: accessToken,
      body: { ticket },
      headers: { cookie },
    })
    expect(await outcome(stale.finally(restore))).toEqual([403, 'FORBIDDEN'])
    expect(await outcome(linkByPassword(server, person, ticket, cookie))).toEqual([201, undefined])
  })
})

describe('a session of a provider', () => {
  it('reaches the centers of the provider and nothing else of the person', async () => {
    const { token } = await linkedSession()
    const outcomes: [method: string, path: string, body: object | undefined, status: number][] = [
      ['GET', '/api/audit', undefined, 200],
      ['GET', `/api/centers/${sister.id}/members`, undefined, 200],
      ['GET', `/api/centers/${stranger.id}/members`, undefined, 403],
      ['GET', `/api/centers/${stranger.domain}`, undefined, 403],
      ['POST', '/api/auth/switch-center', { centerId: stranger.id }, 403],
      ['POST', '/api/auth/switch-center', { centerId: 999_999 }, 403],
      ['GET', '/api/partner/centers', undefined, 403],
      ['GET', '/api/auth/passkeys', undefined, 403],
      ['POST', '/api/auth/passkeys/register/options', undefined, 403],
      ['GET', '/api/auth/me/children', undefined, 403],
      ['POST', '/api/auth/oidc/link', { ticket: 'csl_any' }, 403],
    ]
    for (const [method, path, body, status] of outcomes) {
      const answer = await server.call(method, path, { token, ...(body && { body }) })
      expect([method, path, answer.status]).toEqual([method, path, status])
      if (status === 403) expect(answer.body.error.code).toBe('FORBIDDEN')
    }
    const onboard = { partner: { name: 'P', kind: 'franchise' }, center: {}, admin: {} }
    expect((await server.call('POST', '/api/admin/partners/onboard', { token, body: onboard })).status).toBe(403)
    const { body: me } = await server.call('GET', '/api/auth/me', { token })
    expect(me.data.authorizedDomains.toSorted()).toEqual([own.domain, sister.domain].toSorted())
    expect(me.data.memberships).toHaveLength(2)
    const { body: centers } = await server.call('GET', '/api/centers', { token })
    expect(centers.data).toHaveLength(2)
  })

  it('stays one after a change of the center and a refresh', async () => {
    const { session } = await linkedSession()
    const refreshed = await server.call('POST', '/api/auth/refresh-token', {
      body: { refreshToken: session.refreshToken },
    })
    const switched = await server.call('POST', '/api/auth/switch-center', {
      token: refreshed.body.data.accessToken,
      body: { centerId: sister.id },
    })
    expect([switched.status, switched.body.data.center.id]).toEqual([200, sister.id])
    const { accessToken: token, refreshToken } = switched.body.data
    const away = await server.call('POST', '/api/auth/switch-center', { token, body: { centerId: stranger.id } })
    expect([away.status, away.body.error.code]).toEqual([403, 'FORBIDDEN'])
    expect((await server.call('GET', '/api/partner/centers', { token })).status).toBe(403)
    // A center that leaves the partner is out of reach at once.
    await server.world.query('update directory.centers set partner_id = null where id = $1', [sister.id])
    await server.world.query('select pg_sleep(1.1)')
    expect((await server.call('GET', '/api/audit', { token })).status).toBe(403)
    expect((await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).status).toBe(403)
    await server.world.query('update directory.centers set partner_id = $2 where id = $1', [sister.id, partner.id])
  })

  it('ends with the provider, and no longer begins where its domain counts no longer', async () => {
    const second = await startProvider()
    const center = await server.world.center()
    const { person, subject } = await member()
    await server.world.member(person, center, 'ADMIN')
    second.people.set(subject, { sub: subject, email: person.email, email_verified: true })
    const added = await addProvider(server, dns, { center, admin: person }, second, 'haneul.example')
    second.serve([added.redirectUri])
    const enter = async () => {
      const started = await start(server, added.id, center.domain)
      const { search } = await second.signIn(started.url, subject)
      return { answer: await finish(server, added.id, search, started.cookie), cookie: started.cookie }
    }
    const { answer, cookie } = await enter()
    await linkByPassword(server, person, answer.body.data.ticket, cookie)
    const session = (await enter()).answer.body.data
    await server.call('DELETE', `/api/centers/${center.id}/domains/${added.domainId}`, { token: added.token })
    expect((await enter()).answer.body.error.code).toBe('FORBIDDEN')
    const { accessToken: token, refreshToken } = session
    expect((await server.call('GET', '/api/audit', { token })).status).toBe(200)
    await server.call('DELETE', `${added.path}/${added.id}`, { token: added.token })
    expect((await server.call('GET', '/api/audit', { token })).status).toBe(401)
    expect((await server.call('POST', '/api/auth/refresh-token', { body: { refreshToken } })).status).toBe(401)
    await second.close()
  })
})
