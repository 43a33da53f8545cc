/** Accounts for other features: find an actor by address, end all sessions, make an operator. */
import { audit } from '../../../audit/audit.ts'
import type { IdentityTx, OperatorTx } from '../../../data/directory.ts'
import { typedId } from '../../../lib/ids.ts'
import {
  findActorByLogin,
  findPersonByLogin,
  type PersonRow,
  type RevokeReason,
  revokeAllSessions,
  setOperatorFlag,
} from './queries.ts'

export { currentActor, tokenPair } from './answers.ts'
export { emailIdentifier, loginIdentifier, phoneIdentifier } from './identifier.ts'
export { signedInAt } from './queries.ts'
export { enter } from './sign-in.ts'

/** The actor that signs in with this identifier, if there is one. */
export const actorOfLogin = async (tx: IdentityTx | OperatorTx, identifier: string): Promise<string | null> =>
  (await findActorByLogin(tx, identifier))?.actor_id ?? null

/** The same with name and address, for features that enroll the person. */
export const personOfLogin = async (tx: IdentityTx | OperatorTx, identifier: string): Promise<PersonRow | null> =>
  (await findPersonByLogin(tx, identifier)) ?? null

/** Returns the session ids, so that the caller can clear caches. */
export async function endAllSessions(
  tx: IdentityTx,
  actorId: string,
  reason: Extract<RevokeReason, 'password' | 'operator' | 'unlinked' | 'erased'>,
  /** Only those that began with this provider. */
  providerId?: string,
  /** Goes on. */
  except?: string,
): Promise<string[]> {
  const sessions = await revokeAllSessions(tx, actorId, reason, providerId, except)
  await audit(
    tx,
    ...sessions.map(({ id, center_id }) => ({
      type: 'session.changed' as const,
      action: 'revoke' as const,
      target: { type: 'session', id: typedId('session', id) },
      details: { reason },
      actorId: tx.caller.actorId ?? actorId,
      centerId: center_id ?? 0,
    })),
  )
  return sessions.map(({ id }) => id)
}

/** Returns false, and writes nothing, when the actor already is an operator. */
export async function setOperator(tx: OperatorTx, actorId: string, isOperator: boolean): Promise<boolean> {
  if (!(await setOperatorFlag(tx, actorId, isOperator))) return false
  await audit(tx, {
    type: 'settings.updated',
    action: 'operator',
    target: { type: 'actor', id: actorId },
    details: { isOperator },
  })
  return true
}
