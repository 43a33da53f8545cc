import type { IdentityTx } from '../../../data/directory.ts'

export const passwordHashOf = async (tx: IdentityTx, actorId: string): Promise<string | null> =>
  (await tx.db.selectFrom('credentials').select('password_hash').where('actor_id', '=', actorId).executeTakeFirst())
    ?.password_hash ?? null

/** `proved`: at the host of the service. */
export const noteStepUp = (
  tx: IdentityTx,
  sessionId: string,
  at: Date,
  { proved, passkeyId }: { readonly proved: boolean; readonly passkeyId: string | null },
) =>
  tx.db
    .updateTable('sessions')
    .set({
      stepped_up_at: at,
      ...(proved && { proved_at: at }),
      ...(passkeyId && { passkey_id: passkeyId, passkey_at: at }),
    })
    .where('id', '=', sessionId)
    .where('revoked_at', 'is', null)
    .execute()
