/**
 * From a custom domain to the host of the service and back. Passkeys and sign-in providers know the host of the service
 * only. The code that comes back is worth nothing in another browser: it is bound to a cookie that the custom domain set
 * before the person left. Where it leads is the stored domain, never a host that a request names.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type * as contract from '@countersign/contract/site-sign-in.ts'
import { standingOf } from '../../../access/authenticate.ts'
import { admits, outside } from '../../../access/confinement.ts'
import { siteById, siteOfHost } from '../../../access/confinement-queries.ts'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { requireGoodStanding } from '../../../access/principal.ts'
import { familyMemberships } from '../../../access/queries.ts'
import type { Tokens } from '../../../access/tokens.ts'
import type { Config } from '../../../config/config.ts'
import type { Context, Cookie } from '../../../http/route.ts'
import { secondsFromNow } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { enter, tokenPair } from '../auth/api.ts'
import * as queries from './queries.ts'

export interface HandoffNeeds {
  readonly config: Pick<Config, 'authUrl'>
  readonly tokens: Tokens
}

const begunSeconds = 600
const codeSeconds = 60

const cookie = (value: string, maxAge: number): Cookie => ({ name: 'handoff', value, maxAge })

const notThis = () =>
  new Problem('UNAUTHORIZED', 'This code was already used, has expired or belongs to another browser. Sign in again.')

export async function startHandoff({ config }: HandoffNeeds, context: Context<typeof contract.startHandoff.spec>) {
  const { host, identity } = context
  const [token, browser] = [newToken('csh'), randomBytes(32).toString('base64url')]
  const expires_at = secondsFromNow(begunSeconds)
  const center = await identity(async (tx) => {
    const site = await siteOfHost(tx, host)
    if (!site)
      throw new Problem(
        'CENTER_NOT_FOUND',
        "No center uses this host. Prove the domain, then set it in the center's settings.",
      )
    await queries.insertHandoff(tx, {
      ...{ hash: hashToken(token), kind: 'begun', site_id: site.id, browser: hashToken(browser) },
      ...{ actor_id: null, provider_id: null, signed_in_at: null, expires_at },
    })
    return site.center_domain
  })
  const url = `${new URL(config.authUrl).origin}/signin/${encodeURIComponent(center)}?handoff=${token}`
  return { payload: { url, expiresAt: expires_at.toISOString() }, cookies: [cookie(browser, begunSeconds)] }
}

export async function issueCode(context: Context<typeof contract.issueHandoffCode.spec>) {
  const { body, identity, principal } = context
  const code = newToken('csb')
  const expires_at = secondsFromNow(codeSeconds)
  const domain = await identity(async (tx) => {
    const begun = await queries.takeHandoff(tx, 'begun', hashToken(body.handoff))
    const site = begun && (await siteById(tx, begun.site_id))
    if (!begun || !site) throw notThis()
    const { actorId, sessionId, confinement } = principal
    const own = (await familyMemberships(tx, actorId)).find(({ center_id }) => center_id === site.center_id)
    // Whoever is no member learns nothing about the handoff.
    if (!own) throw notThis()
    if (!admits(confinement, own)) throw outside()
    requireGoodStanding(standingOf(own))
    await queries.insertHandoff(tx, {
      ...{ hash: hashToken(code), kind: 'code', site_id: site.id, browser: begun.browser },
      ...{ actor_id: actorId, ...(await queries.beginningOf(tx, sessionId)), expires_at },
    })
    return site.domain
  })
  return { url: `https://${domain}/signin/return/${code}`, expiresAt: expires_at.toISOString() }
}

export async function redeem({ tokens }: HandoffNeeds, context: Context<typeof contract.redeemHandoff.spec>) {
  const { body, client, host, identity } = context
  const browser = context.cookie('handoff')
  // Committed before anything else is checked: a code is used once, by whoever shows it.
  const taken = await identity((tx) => queries.takeHandoff(tx, 'code', hashToken(body.token)))
  if (!taken?.actor_id || browser === undefined || !timingSafeEqual(taken.browser, hashToken(browser))) throw notThis()
  const { actor_id: actorId } = taken
  const signedIn = await identity(async (tx) => {
    const site = await siteOfHost(tx, host)
    if (site?.id !== taken.site_id) throw notThis()
    return enter(tx, {
      actorId,
      client,
      host,
      centerDomain: site.center_domain,
      lastTenant: undefined,
      details: { site: site.domain },
      providerId: taken.provider_id,
      signedInAt: taken.signed_in_at ?? undefined,
    })
  })
  const { payload, cookies } = await tokenPair(tokens, signedIn)
  return { payload, cookies: [...cookies, cookie('', 0)] }
}
