/** Valid calls of the operations on domains, on sign-in providers and of sign-in by OpenID Connect. */
import { begin } from '@countersign/server/features/identity/oidc/attempts.ts'
import { newId, newUuid, typedId } from '@countersign/server/lib/ids.ts'
import { type HostileIssuer, startHostileIssuer } from '../../support/hostile-issuer.ts'
import { start } from '../../support/oidc-sign-in.ts'
import type { TestServer } from '../../support/server.ts'
import type { Cast } from './cast.ts'
import type { Sample, SampleCall } from './sample.ts'

const at = ({ center }: Cast): SampleCall => ({ params: { center: center.domain } })
const named = ({ center }: Cast, id: string): SampleCall => ({ params: { center: center.domain, id } })
/** One dot. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const unique = () => newUuid().slice(-12)

let issuer: HostileIssuer | undefined

/** Owners have few of them: those of earlier samples are removed. */
async function made(
  server: TestServer,
  { center, partner }: Cast,
  owner: 'center' | 'partner',
  what: 'domain' | 'provider',
) {
  const { world } = server
  const isCenter = owner === 'center'
  const [centerId, partnerId] = isCenter ? [center.id, null] : [null, partner.id]
  const table = what === 'domain' ? 'domains' : 'oidc_providers'
  await world.query(`delete from directory.${table} where center_id = $1 or partner_id = $2`, [centerId, partnerId])
  const id = newUuid()
  if (what === 'domain') {
    await world.query(
      `insert into directory.domains (id, center_id, partner_id, purpose, domain, token, created_at)
       values ($1, $2, $3, 'email', $4, 'token', now())`,
      [id, centerId, partnerId, `${unique()}.example`],
    )
    return id
  }
  issuer ??= await startHostileIssuer()
  const sealed = server.services.box.seal(issuer.clientSecret, `oidc provider ${id}`)
  await world.query(
    `insert into directory.oidc_providers (id, center_id, partner_id, name, issuer, client_id, sealed, created_at, updated_at)
     values ($1, $2, $3, 'Haneul', $4, $5, $6, now(), now())`,
    [id, centerId, partnerId, issuer.issuer, issuer.clientId, sealed],
  )
  await world.query(
    `insert into directory.domains (id, center_id, purpose, domain, token, created_at, proven_at, next_check_at)
     select gen_random_uuid(), $1, 'email', 'people.example', 'token', now(), now(), now() + interval '1 day'
     where $1::integer is not null on conflict do nothing`,
    [centerId],
  )
  return id
}

const idOf = async (server: TestServer, cast: Cast, owner: 'center' | 'partner', what: 'domain' | 'provider') =>
  typedId(what === 'domain' ? 'domain' : 'signInProvider', await made(server, cast, owner, what))

const ofCenter = (what: 'domain' | 'provider', status: number, body?: object): Sample => ({
  call: async (server, cast) => ({ ...named(cast, await idOf(server, cast, 'center', what)), ...(body && { body }) }),
  status,
  nowhere: (cast) => ({
    ...named(cast, newId(what === 'domain' ? 'domain' : 'signInProvider')),
    ...(body && { body }),
  }),
})

const ofPartner = (what: 'domain' | 'provider', status: number, body?: object): Sample => ({
  call: async (server, cast) => ({ params: { id: await idOf(server, cast, 'partner', what) }, ...(body && { body }) }),
  status,
  nowhere: () => ({
    params: { id: newId(what === 'domain' ? 'domain' : 'signInProvider') },
    ...(body && { body }),
  }),
})

const newDomain = () => ({ domain: `${unique()}.example` })
const newProvider = () => ({
  ...{ name: 'Haneul', issuer: 'https://login.haneul.example' },
  ...{ clientId: unique(), clientSecret: 'a secret' },
})
const renamed = { name: 'Haneul accounts' }

/** A sign-in of the administrator that waits for its link, and the cookie of its browser. */
async function waiting(server: TestServer, cast: Cast, kind: 'link' | 'mail') {
  const { directory, box } = server.services
  const [token, browser] = [newUuid(), newUuid()]
  const providerId = await made(server, cast, 'center', 'provider')
  const content = { issuer: 'https://login.example', subject: newUuid(), email: cast.admin.email }
  await directory.identity({ requestId: 'req_sample', actorId: null, centerId: 0 }, (tx) =>
    begin(tx, box, kind, { token, browser, providerId, centerId: cast.center.id, content }),
  )
  return { token, headers: { cookie: `oidc_login=${browser}` } }
}

/** An account of a provider that is linked to the administrator. */
async function linkedAccount(server: TestServer, cast: Cast): Promise<string> {
  const providerId = await made(server, cast, 'center', 'provider')
  const id = newUuid()
  await server.world.query(
    `insert into directory.oidc_accounts (id, provider_id, issuer, subject, actor_id, email_domain, linked_at, linked_by)
     values ($1, $2, 'https://login.example', $4, $3, 'people.example', now(), 'sign_in')`,
    [id, providerId, cast.admin.actorId, id],
  )
  return typedId('oidcAccount', id)
}

/** A handoff from a custom domain of the center, and the headers of its browser. */
async function begunHandoff(server: TestServer, { center }: Cast) {
  const host = `${unique()}.example`
  await server.world.query(`delete from directory.domains where center_id = $1 and purpose = 'site'`, [center.id])
  await server.world.query(
    `update directory.centers set settings = jsonb_set(settings, '{branding}', jsonb_build_object('customDomain', $2::text)) where id = $1`,
    [center.id, host],
  )
  await server.world.query(
    `insert into directory.domains (id, center_id, purpose, domain, token, created_at, proven_at, next_check_at)
     values (gen_random_uuid(), $1, 'site', $2, 'token', now(), now(), now() + interval '1 day')`,
    [center.id, host],
  )
  const answer = await server.call('POST', '/api/auth/handoff/start', { headers: { 'x-forwarded-host': host } })
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const handoff = new URL(answer.body.data.url).searchParams.get('handoff')
  return { handoff, headers: { 'x-forwarded-host': host, cookie } }
}

export const signInSamples: Readonly<Record<string, Sample>> = {
  'domains.add': {
    async call(server, cast) {
      await made(server, cast, 'center', 'domain')
      return { ...at(cast), body: { purpose: 'site', ...newDomain() } }
    },
    status: 201,
  },
  'domains.list': { call: (_, cast) => at(cast), status: 200 },
  'domains.check': ofCenter('domain', 200),
  'domains.remove': ofCenter('domain', 204),
  'domains.addAsPartner': {
    async call(server, cast) {
      await made(server, cast, 'partner', 'domain')
      return { body: newDomain() }
    },
    status: 201,
  },
  'domains.listAsPartner': { call: () => ({}), status: 200 },
  'domains.checkAsPartner': ofPartner('domain', 200),
  'domains.removeAsPartner': ofPartner('domain', 204),

  'logos.add': { call: (_, cast) => ({ ...at(cast), body: { png } }), status: 201 },
  'logos.addAsPartner': { call: () => ({ body: { png } }), status: 201 },

  'signInProviders.add': {
    async call(server, cast) {
      await made(server, cast, 'center', 'provider')
      return { ...at(cast), body: newProvider() }
    },
    status: 201,
  },
  'signInProviders.list': { call: (_, cast) => at(cast), status: 200 },
  'signInProviders.update': ofCenter('provider', 200, renamed),
  'signInProviders.check': ofCenter('provider', 200),
  'signInProviders.remove': ofCenter('provider', 204),
  'signInProviders.addAsPartner': {
    async call(server, cast) {
      await made(server, cast, 'partner', 'provider')
      return { body: newProvider() }
    },
    status: 201,
  },
  'signInProviders.listAsPartner': { call: () => ({}), status: 200 },
  'signInProviders.updateAsPartner': ofPartner('provider', 200, renamed),
  'signInProviders.checkAsPartner': ofPartner('provider', 200),
  'signInProviders.removeAsPartner': ofPartner('provider', 204),

  'auth.listSignInOptions': {
    call: (_, { center }) => ({ query: `centerDomain=${center.domain}` }),
    status: 200,
  },
  'auth.startOidcLogin': {
    call: async (server, cast) => ({
      body: { providerId: await idOf(server, cast, 'center', 'provider'), centerDomain: cast.center.domain },
    }),
    status: 200,
  },
  'auth.finishOidcLogin': {
    async call(server, cast) {
      const providerId = await idOf(server, cast, 'center', 'provider')
      const { nonce, state, cookie } = await start(server, providerId, cast.center.domain)
      const claims = { nonce, sub: newUuid(), email: cast.admin.email, email_verified: true }
      Object.assign(issuer as HostileIssuer, { claims })
      return { body: { providerId, query: `code=any&state=${state}` }, headers: { cookie } }
    },
    status: 202,
  },
  'auth.startHandoff': {
    call: async (server, cast) => ({
      headers: { 'x-forwarded-host': (await begunHandoff(server, cast)).headers['x-forwarded-host'] },
    }),
    status: 200,
  },
  'auth.issueHandoffCode': {
    call: async (server, cast) => ({ body: { handoff: (await begunHandoff(server, cast)).handoff } }),
    status: 200,
    foreign: { status: 401, code: 'UNAUTHORIZED' },
    nowhere: () => ({ body: { handoff: 'csh_unknown' } }),
  },
  'auth.redeemHandoff': {
    async call(server, cast) {
      const { handoff, headers } = await begunHandoff(server, cast)
      const { accessToken: token } = await server.signIn(cast.admin)
      const issued = await server.call('POST', '/api/auth/handoff/code', { token, body: { handoff } })
      return { body: { token: issued.body.data.url.split('/').at(-1) }, headers }
    },
    status: 200,
  },
  'auth.linkOidcAccount': {
    async call(server, cast) {
      const { token: ticket, headers } = await waiting(server, cast, 'link')
      return { body: { ticket }, headers }
    },
    status: 201,
    others: { status: 403, code: 'FORBIDDEN' },
  },
  'auth.listOidcAccounts': { call: () => ({}), status: 200 },
  'auth.unlinkOidcAccount': {
    call: async (server, cast) => ({ params: { id: await linkedAccount(server, cast) } }),
    status: 204,
    others: { status: 404, code: 'NOT_FOUND' },
    nowhere: () => ({ params: { id: newId('oidcAccount') } }),
  },
  'auth.mailOidcLink': {
    async call(server, cast) {
      const { token: ticket, headers } = await waiting(server, cast, 'link')
      return { body: { ticket }, headers }
    },
    status: 202,
  },
  'auth.confirmOidcLink': {
    async call(server, cast) {
      const { token, headers } = await waiting(server, cast, 'mail')
      return { body: { token }, headers }
    },
    status: 200,
  },
}
