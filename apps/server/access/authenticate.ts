/** Turns a credential into a principal. Each surface accepts one kind of credential and never tries the other. */
import type { Logger } from 'pino'
import { gather } from '../concurrency/gather.ts'
import type { Caller, Directory } from '../data/directory.ts'
import { now } from '../lib/clock.ts'
import { typedId } from '../lib/ids.ts'
import { type Coverage, lookupCache } from '../lib/lookup-cache.ts'
import { Problem } from '../lib/problem.ts'
import { apiKeyDigest, isApiKey, isForCenter } from './api-key-format.ts'
import { profileOf } from './center-profiles.ts'
import { admits, outside } from './confinement.ts'
import { lastUsed } from './last-used.ts'
import { type ActorPrincipal, type KeyPrincipal, suspender } from './principal.ts'
import {
  centerExists,
  centerIdOf,
  confinementOf,
  type FamilyMembership,
  familyMemberships,
  findKeys,
  findSessions,
  type KeyRow,
  type SessionRow,
} from './queries.ts'
import type { Proofs } from './step-up.ts'
import type { Tokens } from './tokens.ts'

export interface Authenticator {
  actor(accessToken: string): Promise<ActorPrincipal>
  /** The same caller later, without the token: refuses as soon as the session has ended. */
  again(principal: ActorPrincipal): Promise<ActorPrincipal>
  /** What the session shows now: another process may have seen its person step up within the last second. */
  proofs(principal: ActorPrincipal): Promise<Proofs>
  key(apiKey: string): KeyPrincipal | Promise<KeyPrincipal>
  /** The caller as a member of the center that an id or a slug names. */
  inCenter(principal: ActorPrincipal, center: string): Promise<ActorPrincipal>
  /**
   * After any change of `session:<id>`, `key:<id>`, `center:<id>` (with its memberships), `actor:<id>`, `provider:<id>`,
   * `domain:<id>`, or `people` (new memberships, and addresses of actors). A change by this process takes effect at once, one by another process
   * within a second.
   */
  forget(...tags: readonly string[]): void
  close(): Promise<void>
}

const caller: Caller = { requestId: 'authenticate', actorId: null, centerId: 0 }

export function authenticator(directory: Directory, tokens: Tokens, log: Logger, coverage: Coverage): Authenticator {
  const sessions = lookupCache<SessionRow | undefined>({
    coverage,
    load: gather(async (ids) => {
      const rows = await directory.identity(caller, (tx) => findSessions(tx, ids), 'read')
      return new Map(rows.map((row) => [row.id, row]))
    }),
    tagsOf: (session) =>
      session
        ? [
            `session:${session.id}`,
            `actor:${session.actor_id}`,
            `center:${session.center_id}`,
            `provider:${session.provider_id}`,
            `domain:${session.site_id}`,
            'people',
          ]
        : null,
  })
  const keys = lookupCache<CachedKey | undefined>({
    coverage,
    load: gather(async (digests) => {
      const hashes = digests.map((digest) => Buffer.from(digest, 'base64'))
      const rows = await directory.identity(caller, (tx) => findKeys(tx, hashes), 'read')
      return new Map(rows.map((row) => [row.hash.toString('base64'), cachedKey(row)]))
    }),
    // No change names the hash of an unknown key, which may be created later.
    tagsOf: (key) => (key ? [`key:${key.principal.keyId}`, `center:${key.principal.centerId}`] : null),
  })
  const standings = lookupCache<readonly FamilyMembership[]>({
    coverage,
    load: (actorId) => directory.identity(caller, (tx) => familyMemberships(tx, actorId), 'read'),
    tagsOf: (memberships, actorId) => [
      `actor:${actorId}`,
      'people',
      ...memberships.map((row) => `center:${row.center_id}`),
    ],
  })
  const used = lastUsed(directory, log)

  async function living(sessionId: string, actorId: string, centerId: number | null): Promise<ActorPrincipal> {
    const session = await sessions.get(sessionId)
    const isValid = session && !session.revoked_at && session.expires_at > now()
    if (!isValid || session.actor_id !== actorId || session.center_id !== centerId) {
      throw new Problem('UNAUTHORIZED', 'This session has ended. Sign in again.')
    }
    return principalOf(session)
  }

  return {
    async actor(accessToken) {
      const { sid, actorId, centerId } = await tokens.verify(accessToken)
      return living(sid, actorId, centerId)
    },
    again: ({ sessionId, actorId, entered }) => living(sessionId, actorId, entered?.centerId ?? null),
    async proofs({ sessionId, proofs }) {
      sessions.forget(`session:${sessionId}`)
      const session = await sessions.get(sessionId)
      return session ? proofsOf(session) : proofs
    },
    key(apiKey) {
      if (!isApiKey(apiKey)) throw unknownKey()
      const found = keys.get(apiKeyDigest(apiKey))
      return found instanceof Promise
        ? found.then((key) => admit(apiKey, key, used.note))
        : admit(apiKey, found, used.note)
    },
    async inCenter(principal, center) {
      const id = centerIdOf(center)
      // The session was read together with the membership in the center that it entered, so both are equally fresh.
      if (hasEntered(principal, id ?? center)) return principal
      const memberships = await standings.get(principal.actorId)
      const own = memberships.find((row) => (id === null ? row.center_domain === center : row.center_id === id))
      if (own && !admits(principal.confinement, own)) throw outside()
      if (own) return { ...principal, role: own.role, entered: standingOf(own) }
      if (!(await directory.identity(caller, (tx) => centerExists(tx, center), 'read'))) {
        throw new Problem('CENTER_NOT_FOUND', `No center matches "${center}". Check the spelling.`)
      }
      return { ...principal, entered: { centerId: id ?? 0, status: null } }
    },
    forget(...tags) {
      for (const tag of tags) {
        standings.forget(tag)
        sessions.forget(tag)
        keys.forget(tag)
      }
    },
    close: used.flush,
  }
}

const hasEntered = ({ entered }: ActorPrincipal, center: number | string): boolean =>
  entered !== null && entered.status !== null && (entered.centerId === center || entered.centerDomain === center)

interface CachedKey {
  readonly principal: KeyPrincipal
  readonly isRevoked: boolean
  /** Compared with the time of each request: the value may be cached when the key expires. */
  readonly expiresAt: Date | null
}

function cachedKey(row: KeyRow): CachedKey {
  const { id: keyId, center_id: centerId, cell, scopes, rate_limit: rateLimit, bound_to: boundTo } = row
  const actorId = typedId('apiKey', keyId)
  const line = [actorId, ...row.line.map((id) => typedId('apiKey', id))]
  const own = { kind: 'key', keyId, actorId, line, centerId, cell, scopes, rateLimit } as const
  return {
    principal: { ...own, boundTo, keepsWebhooks: row.keeps_webhooks, center: profileOf(row) },
    isRevoked: row.revoked_at !== null,
    expiresAt: row.expires_at,
  }
}

function admit(apiKey: string, key: CachedKey | undefined, note: (keyId: string) => void): KeyPrincipal {
  if (!key || !isForCenter(apiKey, key.principal.centerId)) throw unknownKey()
  const { principal, isRevoked, expiresAt } = key
  if (isRevoked) throw endedKey('revoked')
  if (expiresAt && expiresAt <= now()) throw endedKey('expired')
  if (principal.center.status !== 'ACTIVE') {
    throw new Problem(
      'FORBIDDEN',
      principal.center.suspendedBy === null
        ? "This key's center has been closed. Use a key of another center."
        : `This key's center was suspended by ${suspender[principal.center.suspendedBy]}, who can reinstate it.`,
      { details: { reason: 'center', by: principal.center.suspendedBy } },
    )
  }
  note(principal.keyId)
  return principal
}

/** The key was found by the hash of the whole key, so only its holder learns the reason. */
function endedKey(reason: 'revoked' | 'expired'): Problem {
  const message = `This API key ${reason === 'expired' ? 'has expired' : 'was revoked'}. Ask an administrator of the center for a new one.`
  return new Problem('UNAUTHORIZED', message, { details: { reason } })
}

const unknownKey = (): Problem =>
  new Problem(
    'UNAUTHORIZED',
    'The API key is missing or isn\'t valid. Send a valid one in the "Authorization: Bearer" header.',
  )

export function principalOf(session: SessionRow): ActorPrincipal {
  const { center_id: centerId } = session
  const confinement = confinementOf(session)
  const isConfined = confinement.length > 0
  // A center may have left the partner of the provider since the session entered it.
  const membership = session.membership && admits(confinement, session.membership) ? session.membership : null
  return {
    kind: 'actor',
    actorId: session.actor_id,
    sessionId: session.id,
    email: session.email ?? '',
    phone: session.phone,
    name: session.name,
    language: session.language,
    role: membership?.role ?? session.actor_role,
    partner: isConfined ? null : session.partner,
    isOperator: session.is_operator && !isConfined,
    entered: membership ? standingOf(membership) : centerId === null ? null : { centerId, status: null },
    confinement,
    site: session.site?.host ?? null,
    via: session.via,
    proofs: proofsOf(session),
  }
}

const proofsOf = (session: SessionRow): Proofs => ({
  signedInAt: session.signed_in_at,
  steppedUpAt: session.stepped_up_at,
  provedAt: session.proved_at,
  passkeyAt: session.passkey_at,
  passkeyCountsIn: session.passkey_counts_in,
})

export const standingOf = (membership: FamilyMembership) => ({
  membershipId: membership.membership_id,
  centerId: membership.center_id,
  centerDomain: membership.center_domain,
  centerName: membership.center_name,
  centerStatus: membership.center_status,
  suspendedBy: membership.suspended_by,
  cell: membership.center_cell,
  role: membership.role,
  roles: membership.roles,
  status: membership.status,
})
