/** The answers of sign-in: the token pair, the actor and the destination. */
import type { AuthSession, CurrentActor, me } from '@countersign/contract/auth.ts'
import type { Static } from 'typebox'
import { principalOf } from '../../../access/authenticate.ts'
import type { ActorPrincipal } from '../../../access/principal.ts'
import { type FamilyMembership, findSession, membershipsWithin, type SessionRow } from '../../../access/queries.ts'
import { accessTokenSeconds, type Tokens } from '../../../access/tokens.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Context, Cookie } from '../../../http/route.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { membershipOf } from './membership.ts'
import type { OwnSessionRow } from './queries.ts'
import { type Resolution, resolvedTo, withoutCenter } from './resolution.ts'

/** Slugs of the centers that can be entered now. */
export const authorizedDomains = (memberships: readonly FamilyMembership[]): string[] =>
  memberships.filter((row) => row.status === 'ACTIVE' && row.center_status === 'ACTIVE').map((row) => row.center_domain)

export function resolutionOf(session: SessionRow, memberships: readonly FamilyMembership[]): Resolution {
  const center = memberships.find((row) => row.center_id === session.center_id)
  return center ? resolvedTo(center) : withoutCenter({ memberships, isPartner: principalOf(session).partner !== null })
}

/** The person with all memberships that the session reaches. */
export async function currentActor(
  { identity }: Pick<Context<typeof me.spec>, 'identity'>,
  { actorId, email, phone, name, language, role, entered, confinement, partner }: ActorPrincipal,
): Promise<Static<typeof CurrentActor>> {
  const memberships = await identity((tx) => membershipsWithin(tx, actorId, confinement))
  return {
    ...{ actorId, email, phone, name, language, role },
    centerId: entered?.centerId ?? null,
    centerDomain: memberships.find((row) => row.center_id === entered?.centerId)?.center_domain ?? null,
    authorizedDomains: authorizedDomains(memberships),
    memberships: memberships.map(membershipOf),
    confined: confinement.length > 0,
    partnerRole: partner?.role ?? null,
  }
}

export async function livingSession(tx: IdentityTx, sessionId: string, at: Date): Promise<SessionRow> {
  const session = await findSession(tx, sessionId)
  if (!session || session.revoked_at || session.expires_at <= at) {
    throw new Problem('UNAUTHORIZED', 'This session has ended. Sign in again.')
  }
  return session
}

export interface SignedIn {
  readonly session: SessionRow
  readonly memberships: readonly FamilyMembership[]
  readonly resolution: Resolution
  readonly refreshToken: string
}

export interface SignedInAnswer {
  readonly payload: Static<typeof AuthSession>
  readonly cookies: readonly Cookie[]
  /** Whether the session has the rights of an operator of the platform. */
  readonly operator: boolean
}

export async function tokenPair(tokens: Tokens, signedIn: SignedIn): Promise<SignedInAnswer> {
  const { session, memberships, resolution, refreshToken } = signedIn
  const { center, destination } = resolution
  const email = session.email ?? ''
  const role = center?.role ?? session.actor_role
  const accessToken = await tokens.issue({
    sid: session.id,
    actorId: session.actor_id,
    email,
    centerId: center?.center_id ?? null,
    centerDomain: center?.center_domain ?? null,
    role,
    authorizedDomains: authorizedDomains(memberships),
  })
  return {
    payload: {
      accessToken,
      refreshToken,
      expiresIn: accessTokenSeconds,
      actor: { id: session.actor_id, email, name: session.name, role },
      center: center && { id: center.center_id, name: center.center_name, domain: center.center_domain },
      destination,
    },
    cookies: [
      { name: 'auth_token', value: accessToken, maxAge: accessTokenSeconds },
      ...(center ? [{ name: 'last_tenant' as const, value: center.center_domain, maxAge: 365 * 86_400 }] : []),
    ],
    operator: principalOf(session).isOperator,
  }
}

export const shownSession = (row: OwnSessionRow, currentId: string) => ({
  id: typedId('session', row.id),
  signedInAt: row.signed_in_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  center:
    row.center_id === null
      ? null
      : { id: row.center_id, name: row.center_name as string, domain: row.center_domain as string },
  provider: row.provider_id !== null,
  device: { browser: row.browser, system: row.system },
  current: row.id === currentId,
})
