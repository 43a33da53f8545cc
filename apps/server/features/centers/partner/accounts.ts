/** Who acts for a partner: a role is changed and an account ended at once, and never that of the last PARTNER_ADMIN. */
import type { AuditAction } from '@countersign/contract/audit-actions.ts'
import type { PartnerRole } from '@countersign/contract/enums.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { PartnerTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import * as queries from './account-queries.ts'

const noAccount = () =>
  new Problem('NOT_FOUND', 'Nobody with this ID acts for this partner. List the accounts to find the ID.')

const lastAdmin = () =>
  new Problem('CONFLICT', "This is the partner's last PARTNER_ADMIN. Make a colleague PARTNER_ADMIN first.", {
    details: { reason: 'lastPartnerAdmin' },
    passing: true,
  })

export const accountOf =
  (self: string) =>
  ({ actor_id: actorId, name, email, role, last }: queries.AccountRow) => ({
    ...{ actorId, name, email, role, last },
    self: actorId === self,
  })

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function requireAccount(tx: PartnerTx, actorId: string): Promise<PartnerRole> {
  const found = isUuid.test(actorId) ? await queries.lockAccount(tx, actorId) : undefined
  if (!found) throw noAccount()
  return found.role as PartnerRole
}

const note = (tx: PartnerTx, action: AuditAction<'settings.updated'>, details: Readonly<Record<string, string>>) =>
  audit(tx, { type: 'settings.updated', action, target: { type: 'partner', id: tx.partnerId }, details })

/** Whoever no longer invites people has no invitation open either: by one of them they would come back. */
async function withdrawInvitations(tx: PartnerTx, actorId: string): Promise<void> {
  for (const { id } of await queries.withdrawInvitationsOf(tx, actorId)) {
    await note(tx, 'invitation revoked', { invitation: typedId('partnerInvitation', id) })
  }
}

export async function changeRole(authenticate: Authenticator, tx: PartnerTx, actorId: string, role: PartnerRole) {
  const from = await requireAccount(tx, actorId)
  if (from !== role) {
    await queries.setRole(tx, actorId, role).catch(meaning({ last_partner_admin: lastAdmin }))
    await note(tx, 'account role changed', { accountId: actorId, fromRole: from, toRole: role })
    if (role !== 'PARTNER_ADMIN') await withdrawInvitations(tx, actorId)
    tx.afterCommit(() => authenticate.forget(`actor:${actorId}`))
  }
  return (await queries.findAccount(tx, actorId)) as queries.AccountRow
}

export async function endAccount(authenticate: Authenticator, tx: PartnerTx, actorId: string): Promise<void> {
  const role = await requireAccount(tx, actorId)
  await queries.deleteAccount(tx, actorId).catch(meaning({ last_partner_admin: lastAdmin }))
  await note(tx, 'account ended', { accountId: actorId, role })
  await withdrawInvitations(tx, actorId)
  tx.afterCommit(() => authenticate.forget(`actor:${actorId}`))
}
