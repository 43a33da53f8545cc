/** Sign-in by OpenID Connect: to the provider, and back. */
import type * as contract from '@countersign/contract/oidc.ts'
import { newToken } from '../../../access/opaque-token.ts'
import { centerExists } from '../../../access/queries.ts'
import type { Tokens } from '../../../access/tokens.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { domainOfAddress, hasProven } from '../../centers/domains/api.ts'
import { enter, tokenPair } from '../auth/api.ts'
import { begin, browserCookie, newBrowser, noBrowserCookie, notThisBrowser, take } from './attempts.ts'
import { newChallenge, type OidcClient, type ProvenIdentity } from './client.ts'
import { findProvider, type ProviderRow, providersOfCenter } from './provider-queries.ts'
import { knownProvider, type ProviderNeeds } from './providers.ts'
import * as queries from './queries.ts'

export interface SignInNeeds extends ProviderNeeds {
  readonly oidc: OidcClient
  readonly tokens: Tokens
}

const noProvider = () =>
  new Problem('NOT_FOUND', 'This center has no sign-in provider with this ID. List its providers to find the ID.')

async function requireCenter(tx: IdentityTx, domain: string): Promise<void> {
  if (await centerExists(tx, domain)) return
  throw new Problem('CENTER_NOT_FOUND', `No center matches "${domain}". Check the spelling.`)
}

export const signInOptions = (
  { config }: SignInNeeds,
  { query, identity }: Context<typeof contract.listSignInOptions.spec>,
) =>
  identity(async (tx) => {
    await requireCenter(tx, query.centerDomain)
    const url = `${new URL(config.authUrl).origin}/signin/${encodeURIComponent(query.centerDomain)}`
    const rows = await providersOfCenter(tx, query.centerDomain)
    return rows.map(({ id, name }) => ({ id: typedId('signInProvider', id), name, url }))
  }, 'read')

export async function startLogin(needs: SignInNeeds, context: Context<typeof contract.startOidcLogin.spec>) {
  const { body, identity } = context
  const provider = await identity(async (tx) => {
    await requireCenter(tx, body.centerDomain)
    const rows = await providersOfCenter(tx, body.centerDomain)
    return rows.find(({ id }) => typedId('signInProvider', id) === body.providerId)
  }, 'read')
  if (!provider) throw noProvider()
  const challenge = newChallenge(body.again)
  const authorizationUrl = await needs.oidc.authorizationUrl(knownProvider(needs, provider), challenge)
  const browser = newBrowser()
  const expiresAt = await identity((tx) =>
    begin(tx, needs.box, 'login', {
      token: challenge.state,
      browser,
      providerId: provider.id,
      centerId: provider.for_center,
      content: challenge,
    }),
  )
  return { payload: { authorizationUrl, expiresAt: expiresAt.toISOString() }, cookies: [browserCookie(browser)] }
}

export async function finishLogin(needs: SignInNeeds, context: Context<typeof contract.finishOidcLogin.spec>) {
  const { body, cookie, identity } = context
  const browser = cookie('oidc_login')
  const state = new URLSearchParams(body.query).get('state') ?? ''
  // Committed before the provider is asked: a state is used once, whatever the provider answers.
  const { attempt, provider } = await identity(async (tx) => {
    const taken = await take(tx, needs.box, 'login', state, browser)
    return { attempt: taken, provider: taken && (await findProvider(tx, taken.providerId)) }
  })
  if (!attempt || !provider || browser === undefined || uuidOf('signInProvider', body.providerId) !== provider.id) {
    throw notThisBrowser()
  }
  const proven = await needs.oidc.identity(knownProvider(needs, provider), attempt.content, body.query)
  const { centerId } = attempt
  const key = { provider_id: provider.id, issuer: proven.issuer, subject: proven.subject }
  const result = await identity(async (tx) => {
    const account = await queries.findAccount(tx, key)
    if (account) {
      if (!(await hasProven(tx, provider, account.email_domain))) throw notVouched()
      return { signedIn: await enterBy(tx, provider, centerId, account.actor_id, context) }
    }
    const ticket = newToken('csl')
    const email = await requireVouched(tx, provider, proven)
    const content = { issuer: proven.issuer, subject: proven.subject, email }
    const opening = { token: ticket, browser, providerId: provider.id, centerId, content }
    return { ticket, email, expiresAt: await begin(tx, needs.box, 'link', opening) }
  })
  if ('signedIn' in result) {
    const { payload, cookies } = await tokenPair(needs.tokens, result.signedIn)
    return { status: 200 as const, payload, cookies: [...cookies, noBrowserCookie] }
  }
  const { ticket, email, expiresAt } = result
  const payload = { ticket, email, provider: provider.name, expiresAt: expiresAt.toISOString() }
  return { status: 202 as const, payload, cookies: [] }
}

/** A session of a provider: it enters only the centers of the provider's owner. */
export const enterBy = async (
  tx: IdentityTx,
  provider: ProviderRow,
  centerId: number,
  actorId: string,
  { client, host, cookie }: Pick<Context<typeof contract.finishOidcLogin.spec>, 'client' | 'host' | 'cookie'>,
) =>
  enter(tx, {
    actorId,
    centerDomain: await queries.domainOfCenter(tx, centerId),
    lastTenant: cookie('last_tenant'),
    details: { provider: typedId('signInProvider', provider.id) },
    client,
    host,
    providerId: provider.id,
  })

const notVouched = () =>
  new Problem(
    'FORBIDDEN',
    "Your sign-in provider can't vouch for this email address, because it hasn't verified the address, or the center hasn't verified the address's domain. Ask an administrator of the center.",
    { details: { reason: 'unverifiedAddress' } },
  )

/** The address that links an identity, once: later sign-ins go by issuer and subject. */
async function requireVouched(tx: IdentityTx, provider: ProviderRow, { email }: ProvenIdentity): Promise<string> {
  const address = email?.normalize('NFKC').trim().toLowerCase() ?? ''
  const domain = /^[^@\s\p{Cc}]+@[^@\s]+$/u.test(address) && address.length <= 254 ? domainOfAddress(address) : null
  if (domain === null || !(await hasProven(tx, provider, domain))) throw notVouched()
  return address
}
