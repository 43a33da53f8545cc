/** Sessions and their refresh tokens: a sequence of generations, of which only the newest is valid. */
import { createHash } from 'node:crypto'
import { hashToken, newToken } from '../../../access/opaque-token.ts'
import { audit } from '../../../audit/audit.ts'
import type { IdentityTx } from '../../../data/directory.ts'
import type { Client } from '../../../http/route.ts'
import { now, nowMs, secondsFromNow } from '../../../lib/clock.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { secretBox } from '../../../lib/secret-box.ts'
import type { Device } from './device.ts'
import * as queries from './queries.ts'

export const sessionSeconds = 30 * 86_400
const graceMs = 10_000

const digestOf = (client: Client): Buffer =>
  createHash('sha256').update(`${client.address}\n${client.userAgent}`).digest()

/** Only the holder of the spent token can decrypt this: the key is derived from the token, which is not stored. */
const successorBox = (token: string) => secretBox([createHash('sha256').update(`successor of ${token}`).digest()])

export interface StartedSession {
  readonly sessionId: string
  readonly refreshToken: string
}

export interface Opening {
  readonly actorId: string
  readonly centerId: number | null
  readonly action: 'start' | 'switch'
  /** That of the session before it, where a session enters another center. */
  readonly signedInAt: Date
  readonly began: Beginning
  readonly details?: Readonly<Record<string, string>> | undefined
}

/** What a session began with. With a provider or a site, it is valid for some centers only. */
interface Beginning extends Device, Pick<queries.NewSession, 'provider_id' | 'site_id' | 'via'> {
  readonly stepped_up_at?: Date | null
  readonly proved_at?: Date | null
  readonly passkey_id?: string | null
  readonly passkey_at?: Date | null
}

export async function startSession(
  tx: IdentityTx,
  { actorId, centerId, action, signedInAt, began, details }: Opening,
): Promise<StartedSession> {
  const sessionId = newUuid()
  const refreshToken = newToken('csr')
  await queries.insertSession(tx, {
    id: sessionId,
    actor_id: actorId,
    center_id: centerId,
    signed_in_at: signedInAt,
    ...began,
    expires_at: secondsFromNow(sessionSeconds),
  })
  await queries.insertRefreshToken(tx, { hash: hashToken(refreshToken), session_id: sessionId, generation: 1 })
  await audit(tx, {
    type: 'session.changed',
    action,
    target: { type: 'session', id: typedId('session', sessionId) },
    ...(details && { details }),
    actorId,
    centerId: centerId ?? 0,
  })
  return { sessionId, refreshToken }
}

export type Rotation =
  | { readonly outcome: 'rotated'; readonly refreshToken: string }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'reused'; readonly sessionId: string }

/** The session behind a refresh token, locked; null when there is none. */
export async function sessionOfToken(tx: IdentityTx, token: string): Promise<string | null> {
  const found = await queries.findRefreshToken(tx, hashToken(token))
  if (!found) return null
  await queries.lockSession(tx, found.session_id)
  return found.session_id
}

/** The caller must hold the session's lock. */
export async function rotate(tx: IdentityTx, token: string, client: Client): Promise<Rotation> {
  const hash = hashToken(token)
  const row = await queries.findRefreshToken(tx, hash)
  if (!row) return { outcome: 'unknown' }
  const { session_id: sessionId, generation } = row
  const usedBy = digestOf(client)

  if (row.used_at === null) {
    const refreshToken = newToken('csr')
    const successor = successorBox(token).seal(refreshToken, sessionId)
    await queries.spendRefreshToken(tx, hash, { used_at: now(), used_by: usedBy, successor }, sessionId)
    await queries.insertRefreshToken(tx, {
      hash: hashToken(refreshToken),
      session_id: sessionId,
      generation: generation + 1,
    })
    return { outcome: 'rotated', refreshToken }
  }

  // Two tabs: the same client, at the same time, and the successor is unused. Only the direct predecessor has this grace period.
  const recent = nowMs() - row.used_at.getTime() <= graceMs && row.used_by?.equals(usedBy)
  if (recent && row.successor && (await queries.isUnusedNewest(tx, sessionId, generation + 1))) {
    return { outcome: 'rotated', refreshToken: successorBox(token).open(row.successor, sessionId).toString() }
  }
  return { outcome: 'reused', sessionId }
}

export async function endSession(
  tx: IdentityTx,
  sessionId: string,
  reason: queries.RevokeReason,
  actorId: string,
  centerId: number,
): Promise<boolean> {
  const ended = await queries.revokeSession(tx, sessionId, reason)
  if (ended && reason !== 'switch') {
    const action = reason === 'reuse' ? 'reuse' : 'revoke'
    await audit(tx, {
      type: 'session.changed',
      action,
      target: { type: 'session', id: typedId('session', sessionId) },
      actorId,
      centerId,
    })
  }
  return ended
}
