/** Login, switch-center, refresh, logout. */
import type { Credentials as CredentialsSchema, login, refreshToken, switchCenter } from '@countersign/contract/auth.ts'
import type { SpecOf } from '@countersign/contract/operation.ts'
import type { Logger } from 'pino'
import type { Static } from 'typebox'
import { type Authenticator, standingOf } from '../../../access/authenticate.ts'
import { admittedOf, outside } from '../../../access/confinement.ts'
import { ownerOfProvider, siteOfHost } from '../../../access/confinement-queries.ts'
import type { Passwords } from '../../../access/passwords.ts'
import { requireGoodStanding } from '../../../access/principal.ts'
import {
  centerExists,
  confinementOf,
  type FamilyMembership,
  familyMemberships,
  findSession,
  membershipsWithin,
  type SessionRow,
} from '../../../access/queries.ts'
import type { Via } from '../../../access/step-up.ts'
import type { Tokens } from '../../../access/tokens.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Client, Context } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import { noteCause } from '../../../mail/causes.ts'
import { centersOfDomain, domainOfAddress } from '../../centers/domains/api.ts'
import { passOnPush } from '../push/api.ts'
import { livingSession, resolutionOf, type SignedIn, tokenPair } from './answers.ts'
import { type Device, deviceOf } from './device.ts'
import { loginIdentifier } from './identifier.ts'
import * as queries from './queries.ts'
import { canEnter, type Resolution, resolveDestination, resolvedTo } from './resolution.ts'
import { endSession, type Opening, rotate, sessionOfToken, startSession } from './sessions.ts'

export interface SignInNeeds {
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly authenticate: Authenticator
  readonly log: Logger
}

type Credentials = Static<typeof CredentialsSchema>

const noAccount = () =>
  new Problem(
    'INVALID_CREDENTIALS',
    'The email address, phone number or password is wrong. Check them, or reset your password.',
  )

export async function signIn(
  { passwords, tokens }: SignInNeeds,
  context: Pick<Context<SpecOf<typeof login>>, 'client' | 'cookie' | 'host' | 'identity'> & {
    readonly body: Credentials
  },
) {
  const { body, client, cookie, host, identity } = context
  const identifier = loginIdentifier(body)
  const found = await identity((tx) => queries.findLogin(tx, identifier))
  // Outside a transaction: hashing takes tens of milliseconds, and as long for an unknown account.
  if (!(await passwords.verify(body.password, found?.password_hash ?? null)) || !found) throw noAccount()
  const { actor_id: actorId } = found
  const entering = { actorId, client, host, centerDomain: body.centerDomain, lastTenant: cookie('last_tenant') }
  return tokenPair(tokens, await identity((tx) => enter(tx, entering)))
}

export interface Entering {
  readonly actorId: string
  /** The center that the caller asked for. */
  readonly centerDomain: string | undefined
  readonly lastTenant: string | undefined
  /** Of the audit entry: how the person signed in, if not by password. */
  readonly details?: Readonly<Record<string, string>>
  /** The host of the request: a session that begins on a custom domain is good for its center only. */
  readonly host: string
  readonly client: Client
  /** The OpenID Connect provider that the person signed in with. */
  readonly providerId?: string | null
  /** Where neither a provider nor a custom domain vouches. */
  readonly via?: 'password' | 'passkey'
  /** The one that answered. */
  readonly passkeyId?: string
  /** When the person signed in, where that was before. */
  readonly signedInAt?: Date | undefined
}

/** Starts the session of a person whose credential was checked. */
export async function enter(
  tx: IdentityTx,
  { actorId, centerDomain, lastTenant, details, host, client, providerId = null, ...how }: Entering,
): Promise<SignedIn> {
  const site = await siteOfHost(tx, host)
  if (site && centerDomain !== undefined && centerDomain !== site.center_domain) throw outside()
  const provider = providerId === null ? null : await ownerOfProvider(tx, providerId)
  if (provider === undefined)
    throw new Problem('UNAUTHORIZED', 'This sign-in provider was removed. Sign in another way.')
  const owners = [provider, site ? { centerId: site.center_id, partnerId: null } : null]
  const memberships = await membershipsWithin(
    tx,
    actorId,
    owners.filter((owner) => owner !== null),
  )
  const input = await queries.findResolutionInput(tx, actorId)
  const requested = centerDomain ?? site?.center_domain
  const resolution = requested
    ? await requestedCenter(tx, memberships, requested)
    : resolveDestination({
        memberships,
        isPartner: input.isPartner,
        ofEmailDomain: await ofEmailDomain(tx, input.email, memberships),
        lastTenant,
      })
  const via: Via = site ? 'domain' : provider ? 'oidc' : (how.via ?? 'password')
  const passkey = how.passkeyId === undefined ? {} : { passkey_id: how.passkeyId, passkey_at: now() }
  const began = { provider_id: providerId, site_id: site?.id ?? null, via, ...passkey, ...deviceOf(client.userAgent) }
  const signedInAt = how.signedInAt ?? now()
  return begin(tx, memberships, resolution, { actorId, action: 'start', signedInAt, began, details })
}

async function ofEmailDomain(
  tx: IdentityTx,
  email: string | null,
  memberships: readonly FamilyMembership[],
): Promise<ReadonlySet<number>> {
  const domain = email === null || memberships.length < 2 ? null : domainOfAddress(email)
  if (domain === null) return new Set()
  const centers = memberships.map(({ center_id }) => center_id)
  return centersOfDomain(tx, domain, centers)
}

async function requestedCenter(
  tx: IdentityTx,
  memberships: readonly FamilyMembership[],
  domain: string,
): Promise<Resolution> {
  const membership = memberships.find((row) => row.center_domain === domain)
  if (!membership && !(await centerExists(tx, domain))) {
    throw new Problem('CENTER_NOT_FOUND', `No center matches "${domain}". Check the spelling.`)
  }
  requireGoodStanding(membership ? standingOf(membership) : null)
  return resolvedTo(membership as FamilyMembership)
}

async function begin(
  tx: IdentityTx,
  memberships: readonly FamilyMembership[],
  resolution: Resolution,
  opening: Omit<Opening, 'centerId'>,
): Promise<SignedIn> {
  const isNew = opening.action === 'start' && (await queries.isNewDevice(tx, opening.actorId, opening.began))
  const started = await startSession(tx, { ...opening, centerId: resolution.center?.center_id ?? null })
  const session = (await findSession(tx, started.sessionId)) as SessionRow
  if (isNew) await noteSignIn(tx, session, opening.began)
  await noteSessionUse(tx, opening.actorId, memberships)
  return { session, memberships, resolution, refreshToken: started.refreshToken }
}

/** A session lasts as long as its row is kept: a browser that was used before is known for 30 days. */
async function noteSignIn(
  tx: IdentityTx,
  { id, actor_id: person }: SessionRow,
  { browser, system }: Device,
): Promise<void> {
  const device = [browser, system].filter((each) => each !== null).join(', ')
  const facts = { person, ...(device !== '' && { of: { device } }) }
  await noteCause(tx, null, { id: `session ${id}`, event: 'newSignIn', facts })
}

const noteSessionUse = (tx: IdentityTx, actorId: string, memberships: readonly FamilyMembership[]) =>
  queries.noteVisit(
    tx,
    actorId,
    memberships.filter(canEnter).map((row) => row.center_id),
  )

export async function enterCenter(
  { authenticate, tokens }: SignInNeeds,
  context: Pick<Context<SpecOf<typeof switchCenter>>, 'body' | 'principal' | 'identity'>,
) {
  const { body, principal, identity } = context
  const signedIn = await identity(async (tx) => {
    const all = await familyMemberships(tx, principal.actorId)
    const membership = all.find((row) => row.center_id === body.centerId)
    const memberships = admittedOf(principal.confinement, all)
    if (principal.confinement.length > 0 && (!membership || !memberships.includes(membership))) throw outside()
    requireGoodStanding(membership ? standingOf(membership) : null)
    // Of two concurrent switches only one may continue with this session.
    if (!(await endSession(tx, principal.sessionId, 'switch', principal.actorId, body.centerId))) {
      throw new Problem('UNAUTHORIZED', 'This session has ended. Sign in again.')
    }
    const { actorId, sessionId } = principal
    const before = (await queries.beginningOf(tx, sessionId)) as queries.SessionBeginning
    const entered = resolvedTo(membership as FamilyMembership)
    const { signed_in_at: signedInAt, ...began } = before
    const next = await begin(tx, memberships, entered, { actorId, action: 'switch', signedInAt, began })
    await passOnPush(tx, sessionId, next.session.id)
    return next
  })
  authenticate.forget(`session:${principal.sessionId}`)
  return tokenPair(tokens, signedIn)
}

export async function refresh(
  { authenticate, tokens, log }: SignInNeeds,
  context: Pick<Context<SpecOf<typeof refreshToken>>, 'client' | 'identity' | 'requestId'>,
  token: string,
) {
  const { client, identity } = context
  const result = await identity(async (tx): Promise<SignedIn | { reused: string } | null> => {
    const sessionId = await sessionOfToken(tx, token)
    if (!sessionId) return null
    const session = await livingSession(tx, sessionId, now())
    const rotation = await rotate(tx, token, client)
    if (rotation.outcome === 'unknown') return null
    if (rotation.outcome === 'reused') {
      // Returned, not thrown: the end of the session must be committed although the answer is a refusal.
      await endSession(tx, sessionId, 'reuse', session.actor_id, session.center_id ?? 0)
      return { reused: sessionId }
    }
    // After the rotation, which a refusal here rolls back: a spent token ends the session of a suspended member too.
    const memberships = await membershipsWithin(tx, session.actor_id, confinementOf(session))
    if (session.center_id !== null) {
      const membership = memberships.find((row) => row.center_id === session.center_id)
      requireGoodStanding(membership ? standingOf(membership) : null)
    }
    await noteSessionUse(tx, session.actor_id, memberships)
    return { session, memberships, resolution: resolutionOf(session, memberships), refreshToken: rotation.refreshToken }
  })
  if (result === null) throw new Problem('UNAUTHORIZED', "The refresh token isn't valid. Sign in again.")
  if ('reused' in result) {
    authenticate.forget(`session:${result.reused}`)
    log.warn({ requestId: context.requestId }, 'a spent refresh token was used again; its session was ended')
    throw new Problem(
      'UNAUTHORIZED',
      'This refresh token was already used, so its session was ended for security. Sign in again.',
    )
  }
  return tokenPair(tokens, result)
}
