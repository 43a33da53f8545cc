/** A new key in the place of one that goes on working until a chosen time. */
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { limitReached, Problem } from '../../../lib/problem.ts'
import { makeApiKey } from './make.ts'
import { countLiveKeys, expireApiKey, keyToRotate, lockKeys, type RotatedRow } from './queries.ts'

interface Rotation {
  readonly overlapSeconds: number
  /** Undefined: as much time as the previous key had. */
  readonly expiresAt: Date | null | undefined
  readonly createdBy: string
  readonly maxKeys: number
}

const conflict = (reason: string, message: string) => new Problem('CONFLICT', message, { details: { reason } })

function requireRotatable({ isReplaced, isReplacing, expires_at }: RotatedRow, at: Date): void {
  if (isReplaced)
    throw conflict(
      'keyReplaced',
      'This key was already replaced. Rotate the key that replaced it, or revoke that one first.',
    )
  if (expires_at && expires_at <= at) throw conflict('keyExpired', 'This key has expired. Create a new one.')
  if (isReplacing)
    throw conflict(
      'keyReplacing',
      'The key before this one still works. Revoke it, or wait until it expires, then rotate this key.',
    )
}

export async function rotateApiKey(tx: DirectoryTx, id: string, rotation: Rotation) {
  const { overlapSeconds, createdBy, maxKeys } = rotation
  await lockKeys(tx)
  const previous = await keyToRotate(tx, id)
  if (!previous) return undefined
  const at = now()
  requireRotatable(previous, at)
  // Without an overlap, the number of keys stays the same: a leaked key can be replaced at the limit too.
  if (overlapSeconds > 0 && (await countLiveKeys(tx)) >= maxKeys)
    throw limitReached('maxKeys', maxKeys, 'active API keys', "Revoke one you don't need")
  const chosen = new Date(at.getTime() + overlapSeconds * 1000)
  const ends = previous.expires_at && previous.expires_at < chosen ? previous.expires_at : chosen
  const lifetime = previous.expires_at && previous.expires_at.getTime() - previous.created_at.getTime()
  const sameTime = lifetime === null ? null : new Date(at.getTime() + lifetime)
  await expireApiKey(tx, id, ends)
  const made = await makeApiKey(tx, {
    name: previous.name,
    scopes: previous.scopes,
    actor: previous.bound_to,
    createdBy,
    expiresAt: rotation.expiresAt === undefined ? sameTime : rotation.expiresAt,
    replaces: { id, first: previous.first_key ?? id },
  })
  await audit(tx, {
    type: 'api_key.changed',
    action: 'rotated',
    target: { type: 'api_key', id: typedId('apiKey', id) },
    details: { replacedBy: typedId('apiKey', made.row.id), expiresAt: ends.toISOString() },
  })
  return made
}
