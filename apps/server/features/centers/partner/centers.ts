/** A partner's centers: create, rename, suspend, reinstate, relocate. */
import type * as contract from '@countersign/contract/partners.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { Config } from '../../../config/config.ts'
import { type DirectoryTx, withinCenter } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { type InvitationNeeds, type Invited, inviteByMail, readMember } from '../../identity/members/api.ts'
import { changeInheritedBranding, moveCenter, readCenter, relocateCenter, renameCenter } from '../centers/api.ts'
import { foundCenter } from '../provisioning/api.ts'
import { findPartner, lockCenter } from './queries.ts'

export interface PartnerCenterNeeds extends InvitationNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'cells' | 'publicUrl' | 'perCenter'>
}

export const noCenter = (): Problem =>
  new Problem('CENTER_NOT_FOUND', "This partner has no center with this ID. List the partner's centers to find the ID.")

export async function createCenter(
  needs: PartnerCenterNeeds,
  { tx, body }: Context<typeof contract.createPartnerCenter.spec>,
) {
  const { name, tenantType, vertical, adminEmail, adminName, subdomain, country, region } = body
  const partner = await findPartner(tx)
  const planId = body.planId ?? partner.settings.newCenters?.planId ?? partner.default_plan_id
  let invited: Invited | undefined
  const centerId = await foundCenter(
    needs.config,
    tx as DirectoryTx,
    { name, subdomain, tenantType, vertical, country, region, partnerId: tx.partnerId, planId },
    async (own) => {
      // Approved in advance: a new center has no other administrator who could approve the membership.
      invited = await inviteByMail(needs, own, {
        email: adminEmail,
        ...(adminName !== undefined && { name: adminName }),
        roles: ['ADMIN'],
        approved: true,
        centerName: name,
        inviter: partner.name,
      })
    },
  )
  return withinCenter(tx, centerId, async (own) => ({
    ...(await readCenter(own)),
    adminMembership: await readMember(own, (invited as Invited).membershipId),
  }))
}

/** Only where no member could invite one. */
export async function nameAdmin(
  needs: PartnerCenterNeeds,
  { tx, params: { centerId }, body }: Context<typeof contract.namePartnerCenterAdmin.spec>,
) {
  const center = await lockCenter(tx, centerId)
  if (!center) throw noCenter()
  if (center.status === 'INACTIVE')
    throw new Problem('CONFLICT', "This center has been closed and can't be changed. Use another center.", {
      details: { reason: 'closedCenter' },
    })
  if (center.admin_count > 0) {
    throw new Problem(
      'CONFLICT',
      'This center already has an active administrator. Ask that administrator to invite others.',
      { details: { reason: 'hasAdmin' }, passing: true },
    )
  }
  const { name: inviter } = await findPartner(tx)
  return withinCenter(tx, centerId, async (own) => {
    const invitation = { ...body, roles: ['ADMIN'], approved: true, centerName: center.name, inviter } as const
    const { membershipId } = await inviteByMail(needs, own, invitation)
    return readMember(own, membershipId)
  })
}

export async function changeCenter(
  { authenticate }: PartnerCenterNeeds,
  { tx, params: { centerId }, body }: Context<typeof contract.updatePartnerCenter.spec>,
) {
  const { name, status, country, region, branding } = body
  const center = await lockCenter(tx, centerId)
  if (!center) throw noCenter()
  if (center.status === 'INACTIVE')
    throw new Problem('CONFLICT', "This center has been closed and can't be changed. Use another center.", {
      details: { reason: 'closedCenter' },
    })
  const partner = await findPartner(tx)
  tx.afterCommit(() => authenticate.forget(`center:${centerId}`))
  return withinCenter(tx, centerId, async (own) => {
    if (status === 'ACTIVE' && center.suspended_by === 'operator') {
      throw new Problem('FORBIDDEN', 'The operator suspended this center. Ask the operator to reinstate it.', {
        details: { reason: 'center', by: 'operator' },
      })
    }
    if (status !== undefined && status !== center.status) await moveCenter(own, centerId, status)
    if (name !== undefined && name !== center.name) {
      await renameCenter(own, name)
      await audit(own, { type: 'center.updated', action: 'rename', target: { type: 'center', id: String(centerId) } })
    }
    if (branding !== undefined) await changeInheritedBranding(own, branding, partner.kind === 'franchise')
    const place = { ...(country !== undefined && { country }), ...(region !== undefined && { region }) }
    if (Object.keys(place).length > 0) await relocateCenter(own, centerId, place)
    return readCenter(own)
  })
}
