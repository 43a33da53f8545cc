/** Owners with a proven email domain and a provider, and a browser that signs in through the API. */
import { type DnsServer, proveDomain } from './dns.ts'
import type { TestServer } from './server.ts'
import type { Center, Partner, Person } from './world.ts'

interface ProviderOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

interface ShownProvider {
  readonly id: string
  readonly redirectUri: string
}

/** As a center, or as a partner with all its centers. */
export async function addProvider(
  server: TestServer,
  dns: DnsServer,
  owner: { center: Center; admin: Person } | { partner: Partner; admin: Person },
  provider: ProviderOptions,
  emailDomain: string | null,
): Promise<ShownProvider & { readonly path: string; readonly token: string; readonly domainId: string | null }> {
  const isCenter = 'center' in owner
  const { accessToken: token } = await server.signIn(owner.admin, isCenter ? owner.center.domain : undefined)
  const base = isCenter ? `/api/centers/${owner.center.id}` : '/api/partner'
  const domain =
    emailDomain === null
      ? null
      : await proveDomain(server, dns, {
          ...{ token, path: `${base}/domains`, domain: emailDomain },
          ...(isCenter && { purpose: 'email' }),
        })
  const { issuer, clientId, clientSecret } = provider
  const body = { name: 'Haneul', issuer, clientId, clientSecret }
  const added = await server.call('POST', `${base}/sign-in-providers`, { token, body })
  if (added.status !== 201) throw new Error(`could not add a provider: ${added.text}`)
  return { ...added.body.data, path: `${base}/sign-in-providers`, token, domainId: domain?.id ?? null }
}

export interface Started {
  readonly url: string
  readonly state: string
  readonly nonce: string
  readonly cookie: string
}

export async function start(server: TestServer, providerId: string, centerDomain: string): Promise<Started> {
  const answer = await server.call('POST', '/api/auth/oidc/start', { body: { providerId, centerDomain } })
  if (answer.status !== 200) throw new Error(`could not begin to sign in: ${answer.text}`)
  const url = answer.body.data.authorizationUrl
  const { searchParams } = new URL(url)
  const cookie =
    answer.headers
      .getSetCookie()
      .find((each) => each.startsWith('oidc_login='))
      ?.split(';')[0] ?? ''
  return { url, state: searchParams.get('state') ?? '', nonce: searchParams.get('nonce') ?? '', cookie }
}

export const finish = (server: TestServer, providerId: string, query: string, cookie: string) =>
  server.call('POST', '/api/auth/oidc/callback', {
    body: { providerId, query: query.replace(/^\?/, '') },
    headers: { cookie },
  })

/** As a person who proves the account by password. */
export async function linkByPassword(server: TestServer, person: Person, ticket: string, cookie: string) {
  const { accessToken: token } = await server.signIn(person)
  return server.call('POST', '/api/auth/oidc/link', { token, body: { ticket }, headers: { cookie } })
}
