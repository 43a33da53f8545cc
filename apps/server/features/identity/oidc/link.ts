/**
 * Linking an identity of a provider to a person, once. The provider alone links nobody: the person signs in by password or
 * passkey, or opens a link that we mailed to the address. Both in the browser that began.
 */
import type * as contract from '@countersign/contract/oidc.ts'
import { newToken } from '../../../access/opaque-token.ts'
import { audit } from '../../../audit/audit.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Mail } from '../../../mail/mail.ts'
import { domainOfAddress, hasProven } from '../../centers/domains/api.ts'
import { actorOfLogin, emailIdentifier, signedInAt, tokenPair } from '../auth/api.ts'
import { begin, noBrowserCookie, notThisBrowser, take, type UnlinkedIdentity } from './attempts.ts'
import { findProvider, type ProviderRow } from './provider-queries.ts'
import * as queries from './queries.ts'
import { enterBy, type SignInNeeds } from './sign-in.ts'

export interface LinkNeeds extends SignInNeeds {
  readonly mail: Mail
}

const freshMs = 600_000

async function link(
  tx: IdentityTx,
  provider: ProviderRow,
  { issuer, subject, email }: UnlinkedIdentity,
  { actorId, by, centerId }: { actorId: string; by: 'sign_in' | 'mail'; centerId: number },
): Promise<void> {
  const email_domain = domainOfAddress(email)
  // The domain may have lapsed since the provider vouched for the address.
  if (email_domain === null || !(await hasProven(tx, provider, email_domain))) throw notThisBrowser()
  const row = { provider_id: provider.id, issuer, subject, actor_id: actorId, email_domain, linked_by: by }
  if (!(await queries.insertAccount(tx, row))) {
    throw new Problem('CONFLICT', "This provider's account is already linked. Sign in with the provider again.", {
      details: { reason: 'alreadyLinked' },
    })
  }
  await audit(tx, {
    type: 'settings.updated',
    action: 'sign_in.linked',
    target: { type: 'actor', id: actorId },
    details: { provider: typedId('signInProvider', provider.id), by },
    actorId,
    centerId,
  })
}

export function linkAccount({ box }: LinkNeeds, context: Context<typeof contract.linkOidcAccount.spec>) {
  const { body, cookie, identity, principal } = context
  // A refusal rolls the use of the ticket back, so that the person can sign in with the right account.
  return identity(async (tx) => {
    const attempt = await take(tx, box, 'link', body.ticket, cookie('oidc_login'))
    const provider = attempt && (await findProvider(tx, attempt.providerId))
    if (!attempt || !provider) throw notThisBrowser()
    const { actorId, sessionId } = principal
    const since = await signedInAt(tx, sessionId)
    if (!since || nowMs() - since.getTime() > freshMs) {
      throw new Problem(
        'FORBIDDEN',
        'You signed in too long ago to link an account. Sign in again with your password or passkey.',
        { details: { reason: 'signInAgain' } },
      )
    }
    const { email } = attempt.content
    if ((await actorOfLogin(tx, emailIdentifier(email))) !== actorId) {
      throw new Problem(
        'FORBIDDEN',
        'The email address from the provider belongs to another account. Sign in with that account.',
        { details: { reason: 'othersAddress' } },
      )
    }
    await link(tx, provider, attempt.content, { actorId, by: 'sign_in', centerId: attempt.centerId })
    return { provider: provider.name, email }
  })
}

/** One mail for each ticket, whether or not the address has an account. */
export async function mailLink(needs: LinkNeeds, context: Context<typeof contract.mailOidcLink.spec>): Promise<void> {
  const { body, cookie, identity, language } = context
  const browser = cookie('oidc_login')
  await identity(async (tx) => {
    const attempt = await take(tx, needs.box, 'link', body.ticket, browser)
    const provider = attempt && (await findProvider(tx, attempt.providerId))
    if (!attempt || !provider || browser === undefined) throw notThisBrowser()
    const { centerId, content } = attempt
    const { email } = content
    const token = newToken('csm')
    // Written for an unknown address too, so that both cases take as long; its token is never mailed.
    await begin(tx, needs.box, 'mail', { token, browser, providerId: provider.id, centerId, content })
    const isKnown = (await actorOfLogin(tx, emailIdentifier(email))) !== null
    const url = `${new URL(needs.config.authUrl).origin}/signin/link/${token}`
    await needs.mail.queue(tx, {
      to: email,
      centerId,
      ...(language && { language }),
      ...(isKnown
        ? { mail: 'linkAccount', facts: { provider: provider.name, url } }
        : { mail: 'noAccountToLink', facts: { provider: provider.name } }),
    })
  })
}

export async function confirmLink(needs: LinkNeeds, context: Context<typeof contract.confirmOidcLink.spec>) {
  const { body, cookie, identity } = context
  const signedIn = await identity(async (tx) => {
    const attempt = await take(tx, needs.box, 'mail', body.token, cookie('oidc_login'))
    const provider = attempt && (await findProvider(tx, attempt.providerId))
    const actorId = attempt && (await actorOfLogin(tx, emailIdentifier(attempt.content.email)))
    if (!attempt || !provider || !actorId) throw notThisBrowser()
    const { centerId } = attempt
    await link(tx, provider, attempt.content, { actorId, by: 'mail', centerId })
    return enterBy(tx, provider, centerId, actorId, context)
  })
  const { payload, cookies } = await tokenPair(needs.tokens, signedIn)
  return { payload, cookies: [...cookies, noBrowserCookie] }
}
