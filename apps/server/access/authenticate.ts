/** Turns a credential into a principal. Each surface accepts one kind of credential and never tries the other. */
import type { Logger } from 'pino'
import type { Caller, Directory } from '../data/directory.ts'
import { briefCache } from '../lib/brief-cache.ts'
import { now, nowMs } from '../lib/clock.ts'
import { typedId } from '../lib/ids.ts'
import { Problem } from '../lib/problem.ts'
import { apiKeyDigest, isApiKey } from './api-key-format.ts'
import type { ActorPrincipal, KeyPrincipal } from './principal.ts'
import {
  centerExists,
  centerIdOf,
  type FamilyMembership,
  familyMemberships,
  findKey,
  findSession,
  type KeyRow,
  type SessionRow,
  touchKeys,
} from './queries.ts'
import type { Tokens } from './tokens.ts'

/** A change made by another process takes effect within a second; a change made by this process, at once (see `forget`). */
const maxAgeMs = 800
const touchEveryMs = 60_000

export interface Authenticator {
  actor(accessToken: string): Promise<ActorPrincipal>
  key(apiKey: string): KeyPrincipal | Promise<KeyPrincipal>
  /** The caller as a member of the center that an id or a slug names. */
  inCenter(principal: ActorPrincipal, center: string): Promise<ActorPrincipal>
  /** After any change to `session:<id>`, `center:<id>` (its memberships and status) or `key:<id>`. */
  forget(...tags: readonly string[]): void
  close(): Promise<void>
}

const caller: Caller = { requestId: 'authenticate', actorId: null, centerId: 0 }

export function authenticator(directory: Directory, tokens: Tokens, log: Logger): Authenticator {
  const sessions = briefCache<SessionRow | undefined>({
    maxAgeMs,
    load: (sessionId) => directory.identity(caller, (tx) => findSession(tx, sessionId), 'read'),
    tagsOf: (session, id) => [`session:${id}`, `center:${session?.center_id}`],
  })
  const keys = briefCache<KeyPrincipal | RefusedKey | null>({
    maxAgeMs,
    load: async (hash) => {
      const row = await directory.identity(caller, (tx) => findKey(tx, Buffer.from(hash, 'base64')), 'read')
      if (!row) return null
      const { id: keyId, center_id: centerId, cell, scopes, rate_limit: rateLimit } = row
      const reason = refusalOf(row)
      if (reason) return { kind: 'refused', keyId, centerId, reason }
      return { kind: 'key', keyId, actorId: typedId('apiKey', keyId), centerId, cell, scopes, rateLimit }
    },
    tagsOf: (key) => [`key:${key?.keyId}`, `center:${key?.centerId}`],
  })
  const standings = briefCache<readonly FamilyMembership[]>({
    maxAgeMs,
    load: (actorId) => directory.identity(caller, (tx) => familyMemberships(tx, actorId), 'read'),
    tagsOf: (memberships, actorId) => [`actor:${actorId}`, ...memberships.map((row) => `center:${row.center_id}`)],
  })
  const used = lastUsed(directory, log)

  return {
    async actor(accessToken) {
      const claims = await tokens.verify(accessToken)
      const session = await sessions.get(claims.sid)
      const isValid = session && !session.revoked_at && session.expires_at > now()
      if (!isValid || session.actor_id !== claims.actorId || session.center_id !== claims.centerId) {
        throw new Problem('UNAUTHORIZED', 'This session has ended; sign in again.')
      }
      return principalOf(session)
    },
    key(apiKey) {
      if (!isApiKey(apiKey)) throw unknownKey()
      const found = keys.get(apiKeyDigest(apiKey))
      return found instanceof Promise ? found.then((key) => admit(key, used.note)) : admit(found, used.note)
    },
    async inCenter(principal, center) {
      const id = centerIdOf(center)
      // The session was read together with the membership in the center that it entered, so both are equally fresh.
      if (hasEntered(principal, id ?? center)) return principal
      const memberships = await standings.get(principal.actorId)
      const own = memberships.find((row) => (id === null ? row.center_domain === center : row.center_id === id))
      if (own) return { ...principal, role: own.role, entered: standingOf(own) }
      if (!(await directory.identity(caller, (tx) => centerExists(tx, center), 'read'))) {
        throw new Problem('CENTER_NOT_FOUND', `There is no center "${center}"; check the spelling.`)
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

/** A known key that is refused. It was found by the hash of the whole key, so only its holder learns the reason. */
interface RefusedKey {
  readonly kind: 'refused'
  readonly keyId: string
  readonly centerId: number
  readonly reason: 'revoked' | 'expired' | 'suspended'
}

function refusalOf(row: KeyRow): RefusedKey['reason'] | null {
  if (row.revoked_at) return 'revoked'
  if (row.expires_at && row.expires_at <= now()) return 'expired'
  return row.center_status === 'ACTIVE' ? null : 'suspended'
}

function admit(key: KeyPrincipal | RefusedKey | null, note: (keyId: string) => void): KeyPrincipal {
  if (!key) throw unknownKey()
  if (key.kind === 'refused') throw refusedKey(key.reason)
  note(key.keyId)
  return key
}

function refusedKey(reason: RefusedKey['reason']): Problem {
  if (reason === 'suspended') return new Problem('FORBIDDEN', 'The center of this key is suspended or has ended.')
  const message = `This API key ${reason === 'expired' ? 'has expired' : 'was revoked'}. An administrator of the center can create a new one.`
  return new Problem('UNAUTHORIZED', message, { details: { reason } })
}

const unknownKey = (): Problem =>
  new Problem('UNAUTHORIZED', 'The API key is missing or wrong. Send a valid one as "Authorization: Bearer".')

export function principalOf(session: SessionRow): ActorPrincipal {
  const { membership, center_id: centerId } = session
  return {
    kind: 'actor',
    actorId: session.actor_id,
    sessionId: session.id,
    email: session.email ?? '',
    name: session.name,
    role: membership?.role ?? session.actor_role,
    partner: session.partner,
    isOperator: session.is_operator,
    entered: membership ? standingOf(membership) : centerId === null ? null : { centerId, status: null },
  }
}

export const standingOf = (membership: FamilyMembership) => ({
  centerId: membership.center_id,
  centerDomain: membership.center_domain,
  centerName: membership.center_name,
  centerStatus: membership.center_status,
  cell: membership.center_cell,
  role: membership.role,
  status: membership.status,
})

/** `lastUsedAt` of keys, written at most once a minute per key, and never while a request waits. */
function lastUsed(directory: Directory, log: Logger) {
  const written = new Map<string, number>()
  let pending = new Map<string, Date>()
  async function flush(): Promise<void> {
    const batch = pending
    pending = new Map()
    if (batch.size === 0) return
    await directory
      .identity(caller, (tx) => touchKeys(tx, batch))
      .catch((error: unknown) => log.warn({ err: error }, 'last use of API keys was not written'))
  }
  return {
    note(keyId: string): void {
      const at = nowMs()
      if (at - (written.get(keyId) ?? Number.NEGATIVE_INFINITY) < touchEveryMs) return
      written.set(keyId, at)
      if (pending.size === 0) setTimeout(() => void flush(), 200).unref()
      pending.set(keyId, now())
    },
    flush,
  }
}
