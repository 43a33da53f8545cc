/** An ADMIN confirms that a passkey is that of a member: with a passkey that counts here, else with the session. */
import type { UnconfirmedPasskey } from '@countersign/sdk'
import { api } from '../../app/api.ts'
import { assertWith, hasPasskeys, PasskeyForeign, requireChallengeOf } from '../../app/passkeys.ts'
import { failureOf } from '../../ui/failure.ts'

/** Undefined where the ADMIN has no passkey that counts in this center. */
async function signed(center: string, me: string, { actorId, id, thumbprint }: UnconfirmedPasskey) {
  if (!hasPasskeys()) return undefined
  const begun = await api.memberPasskeys.challengeConfirmation(center, actorId, id).catch((error: unknown) => {
    if (failureOf(error).status === 409) return null
    throw error
  })
  if (begun === null) return undefined
  const { statement, publicKey } = begun
  const isSame =
    'confirmerId' in statement &&
    statement.actorId === actorId &&
    statement.thumbprint === thumbprint &&
    statement.confirmerId === me
  if (!isSame) throw new PasskeyForeign()
  requireChallengeOf(statement, publicKey)
  return assertWith(publicKey)
}

export async function confirmPasskey(center: string, me: string, passkey: UnconfirmedPasskey): Promise<void> {
  const assertion = await signed(center, me, passkey)
  await api.memberPasskeys.confirm(center, passkey.actorId, passkey.id, assertion ? { assertion } : {})
}
