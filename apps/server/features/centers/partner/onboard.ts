/** Onboards a partner with its first center and its administrator in one transaction. */
import type { onboardPartner } from '@countersign/contract/onboarding.ts'
import { audit } from '../../../audit/audit.ts'
import { becomePartner, withinCenter } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import type { Context } from '../../../http/route.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { emailIdentifier, personOfLogin } from '../../identity/auth/api.ts'
import { type Invited, inviteByMail, readMember } from '../../identity/members/api.ts'
import { readCenter } from '../centers/api.ts'
import { addActiveAdministrator, foundCenter } from '../provisioning/api.ts'
import type { PartnerCenterNeeds } from './centers.ts'
import { insertAccount, insertPartner } from './queries.ts'

const otherPartner = () =>
  new Problem('CONFLICT', 'This person already belongs to another partner. Choose another administrator.', {
    details: { reason: 'adminElsewhere' },
  })

export async function onboard(needs: PartnerCenterNeeds, { tx, body }: Context<typeof onboardPartner.spec>) {
  const { partner, center, admin } = body
  const partnerId = newUuid()
  await becomePartner(tx, partnerId)
  const { default_plan_id: planId } = await insertPartner(tx, { id: partnerId, ...partner })
  await audit(tx, {
    type: 'settings.updated',
    action: 'partner onboarded',
    target: { type: 'partner', id: partnerId },
    details: { kind: partner.kind },
  })
  const known = await needs.directory.identity(tx.caller, (own) => personOfLogin(own, emailIdentifier(admin.email)))
  let invited: Invited | undefined
  const centerId = await foundCenter(needs.config, tx, { ...center, partnerId, planId }, async (own) => {
    invited = known
      ? await addActiveAdministrator(own, known)
      : await inviteByMail(needs, own, {
          ...admin,
          roles: ['ADMIN'],
          approved: true,
          centerName: center.name,
          inviter: partner.name,
        })
  })
  const { membershipId, actorId } = invited as Invited
  const made = await withinCenter(tx, centerId, async (own) => ({
    center: await readCenter(own),
    membership: await readMember(own, membershipId),
  }))
  const { email, name } = made.membership
  const partnerRole = 'PARTNER_ADMIN'
  await insertAccount(tx, { partner_id: partnerId, actor_id: actorId, role: partnerRole }).catch(
    meaning({ partner_accounts_actor_key: otherPartner }),
  )
  tx.afterCommit(() => needs.authenticate.forget(`actor:${actorId}`))
  return {
    partner: { id: typedId('partner', partnerId), ...partner },
    center: made.center,
    admin: { actorId, email, name, partnerRole, membership: made.membership } as const,
  }
}
