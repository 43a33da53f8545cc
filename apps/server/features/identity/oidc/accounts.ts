/** The accounts of providers that are linked to a person, who can unlink them. */
import type * as contract from '@countersign/contract/oidc.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { Context } from '../../../http/route.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { endAllSessions } from '../auth/api.ts'
import * as queries from './queries.ts'

export const listAccounts = ({ principal, identity }: Context<typeof contract.listOidcAccounts.spec>) =>
  identity(
    async (tx) =>
      (await queries.accountsOf(tx, principal.actorId)).map((row) => ({
        id: typedId('oidcAccount', row.id),
        provider: { id: typedId('signInProvider', row.provider_id), name: row.name, issuer: row.issuer },
        emailDomain: row.email_domain,
        linkedAt: row.linked_at.toISOString(),
      })),
    'read',
  )

export async function unlinkAccount(
  authenticate: Pick<Authenticator, 'forget'>,
  { params, principal: { actorId }, identity }: Context<typeof contract.unlinkOidcAccount.spec>,
): Promise<void> {
  const id = uuidOf('oidcAccount', params.id)
  await identity(async (tx) => {
    const removed = id === null ? undefined : await queries.removeAccount(tx, actorId, id)
    if (!removed)
      throw new Problem(
        'NOT_FOUND',
        'You have no linked account with this ID. List your linked accounts to find the ID.',
      )
    if (!(await queries.signsInOtherwise(tx, actorId))) {
      throw new Problem(
        'CONFLICT',
        "You have no password or passkey, so you couldn't sign in again without this linked account. Set a password with POST /api/auth/password/forgot first.",
        { details: { reason: 'lastSignIn' }, passing: true },
      )
    }
    const { provider_id: providerId, center_id: centerId } = removed
    await audit(tx, {
      type: 'settings.updated',
      action: 'sign_in.unlinked',
      target: { type: 'actor', id: actorId },
      details: { provider: typedId('signInProvider', providerId) },
      centerId: centerId ?? 0,
    })
    const sessions = await endAllSessions(tx, actorId, 'unlinked', providerId)
    tx.afterCommit(() => authenticate.forget(...sessions.map((session) => `session:${session}`)))
  })
}
