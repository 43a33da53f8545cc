/**
 * An order is fulfilled once, and its center is created completely: both are one transaction of the directory. The
 * cell needs no preparation. After a crash either all of it exists or none.
 */
import type { provisionCenter } from '@countersign/contract/provisioning.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { Config } from '../../../config/config.ts'
import { becomePartner, type Directory, type DirectoryTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { fingerprintOf } from '../../../idempotency/idempotency.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { Problem } from '../../../lib/problem.ts'
import { type InvitationNeeds, inviteStranger } from '../../identity/members/api.ts'
import { addActiveAdministrator, foundCenter } from './founding.ts'
import * as queries from './queries.ts'

export interface ProvisioningNeeds extends InvitationNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'billingUrl' | 'cells' | 'publicUrl' | 'perCenter' | 'signUp' | 'centersPerPerson'>
}

type Request = Context<typeof provisionCenter.spec>

export interface Provisioning {
  readonly centerId: number
  readonly created: boolean
}

export async function provision(needs: ProvisioningNeeds, context: Request): Promise<Provisioning> {
  const { tx, body } = context
  const { partnerId, admin, isStranger } = await requireRight(needs.directory, context)
  const fingerprint = fingerprintOf(body)
  const centerId = await queries.nextCenterId(tx)
  const order = { scope: partnerId ?? context.principal.actorId, orderId: body.orderId }
  if (!(await queries.claimOrder(tx, order, centerId, fingerprint))) return existing(tx, order, fingerprint)
  const ownerId = partnerId === null && !context.principal.isOperator ? context.principal.actorId : null
  if (ownerId !== null) await requireRoom(needs, tx, ownerId)
  failpoint('provisioning: order')
  await foundCenter(
    needs.config,
    tx,
    {
      id: centerId,
      name: body.centerName,
      subdomain: body.subdomain,
      vertical: body.vertical ?? 'education',
      tenantType: body.tenantType ?? 'CENTER',
      businessNumber: body.businessNumber,
      country: body.country,
      region: body.region,
      partnerId,
      ownerId,
      planId: body.planId,
      orderId: body.orderId,
    },
    (own) =>
      isStranger
        ? inviteStranger(needs, own, admin, { centerName: body.centerName, inviter: context.principal.name })
        : addActiveAdministrator(own, admin),
  )
  tx.afterCommit(() => needs.authenticate.forget(`actor:${body.adminActorId}`))
  failpoint('provisioning: before commit')
  return { centerId, created: true }
}

/** A person without a partner founds a few centers, so that the limits of a center cannot be multiplied at will. */
async function requireRoom(
  { config: { signUp, centersPerPerson }, directory }: ProvisioningNeeds,
  tx: DirectoryTx,
  ownerId: string,
): Promise<void> {
  if (signUp === 'closed') {
    throw new Problem(
      'FORBIDDEN',
      'Only partners and the operator can create centers on this server. Ask one of them to create yours.',
      { details: { reason: 'noFounding' } },
    )
  }
  if (centersPerPerson === null) return
  await queries.lockFounder(tx, ownerId)
  const founded = await directory.identity(tx.caller, (own) => queries.countFounded(own, ownerId))
  if (founded < centersPerPerson) return
  throw new Problem(
    'RATE_LIMITED',
    `You've created ${founded} centers, and each person can create at most ${centersPerPerson}. Ask a partner or the operator to create the next one.`,
    { details: { reason: 'maxFounded' }, retryAfter: 86_400 },
  )
}

/** The future administrator, a partner or an operator may order a center; a partner's center belongs to the partner. */
async function requireRight(directory: Directory, { body, principal, tx }: Request) {
  if (body.adminActorId !== principal.actorId && !principal.partner && !principal.isOperator) {
    throw new Problem('FORBIDDEN', 'You can only create a center for yourself. Send your own ID as "adminActorId".', {
      details: { reason: 'foundForOther' },
    })
  }
  const partnerId = principal.partner?.id ?? null
  if (partnerId === null && body.tenantType === 'WHITE_LABEL') {
    throw new Problem(
      'FORBIDDEN',
      'Only a partner can create a white-label center. Leave out "tenantType", or send "WORKSPACE" for a personal workspace.',
      { details: { reason: 'partnerKind' } },
    )
  }
  const isTrusted = body.adminActorId === principal.actorId || principal.isOperator
  const { admin, isStranger } = await directory.identity(tx.caller, async (own) => {
    if (!principal.partner && !principal.isOperator && (await queries.isOnlyChild(own, principal.actorId))) {
      throw new Problem(
        'INSUFFICIENT_ROLE',
        "A client's account can't create a center. Ask a guardian or the center to do it.",
        { details: { reason: 'clientAccount' } },
      )
    }
    const found = await queries.findActor(own, body.adminActorId)
    const known = isTrusted || (partnerId !== null && (await queries.belongsTo(own, partnerId, body.adminActorId)))
    return { admin: found, isStranger: !known }
  })
  // A stranger has to accept by mail.
  if (!admin || (isStranger && admin.email === null))
    throw new Problem('VALIDATION_ERROR', 'No person has the ID in "adminActorId". Check the ID.', {
      details: { reason: 'noPerson', field: 'adminActorId' },
    })
  if (partnerId !== null) await becomePartner(tx, partnerId)
  return { partnerId, admin, isStranger }
}

async function existing(tx: DirectoryTx, name: queries.OrderName, fingerprint: Buffer): Promise<Provisioning> {
  const order = await queries.findOrder(tx, name)
  if (!order.fingerprint.equals(fingerprint)) {
    throw new Problem(
      'DUPLICATE_PROVISIONING',
      'This "orderId" was already used for another center. Use a new one for a new center.',
    )
  }
  return { centerId: order.center_id, created: false }
}
