/** Whether a center asks its ADMINs for a passkey that counts in it. The requests are refused in http/admin-passkey.ts. */
import type { setAdminPasskeys } from '@countersign/contract/admin-passkeys.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import { audit } from '../../../audit/audit.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { passkeyNeeded } from '../../../lib/problem.ts'
import { adminsAsked, asksAdmins, setAsksAdmins } from './admin-queries.ts'
import { signingMembers } from './center-queries.ts'
import type { TellNeeds } from './confirmers.ts'

export interface AdminPasskeyNeeds extends TellNeeds {
  readonly authenticate: Pick<Authenticator, 'forget' | 'proofs'>
  readonly cells: Cells
  readonly directory: Directory
}

export async function readAdminPasskeys(needs: AdminPasskeyNeeds, { entered }: MemberPrincipal, caller: Caller) {
  const holders = await needs.cells.of(entered.cell).inTenant(caller, signingMembers, 'read')
  const { required, admins } = await needs.directory.asCenter(
    caller,
    async (tx) => ({ required: await asksAdmins(tx), admins: await adminsAsked(tx) }),
    'read',
  )
  return { required, admins: admins.map(({ actorId, name }) => ({ actorId, name, counts: holders.has(actorId) })) }
}

/** Whoever turns it on has shown that at least one ADMIN can still work. */
export async function changeAdminPasskeys(
  { authenticate, config, mail }: AdminPasskeyNeeds,
  { tx, body: { required }, principal }: Context<typeof setAdminPasskeys.spec>,
) {
  const { centerId, centerDomain, centerName } = principal.entered
  if (required && !(await authenticate.proofs(principal)).passkeyCountsIn.includes(centerId)) {
    throw passkeyNeeded('To ask administrators for passkeys, you must use one yourself that counts in this center.')
  }
  if (!(await setAsksAdmins(tx, required))) return { required }
  await audit(tx, {
    type: 'settings.updated',
    action: 'admin_passkeys',
    target: { type: 'center', id: String(centerId) },
    details: { required: String(required) },
  })
  if (mail.canSend) {
    const facts = { centerName, name: principal.name, url: `${config.publicUrl}/c/${centerDomain}/settings` }
    const name = required ? 'adminPasskeysOn' : 'adminPasskeysOff'
    for (const { email } of await adminsAsked(tx)) if (email) await mail.queue(tx, { to: email, mail: name, facts })
  }
  tx.afterCommit(() => authenticate.forget(`center:${centerId}`))
  return { required }
}
