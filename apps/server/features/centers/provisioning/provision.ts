/**
 * An order is fulfilled once, and its center is created completely: both are one transaction of the directory. The
 * cell needs no preparation. After a crash either all of it exists or none.
 */
import type { provisionCenter } from '@countersign/contract/provisioning.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import type { Config } from '../../../config.ts'
import { becomePartner, type Directory, type DirectoryTx } from '../../../data/directory.ts'
import { fingerprintOf } from '../../../http/idempotency.ts'
import type { Context } from '../../../http/route.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { Problem } from '../../../lib/problem.ts'
import { addActiveAdministrator, foundCenter } from './api.ts'
import * as queries from './queries.ts'

export interface ProvisioningNeeds {
  readonly authenticate: Authenticator
  readonly config: Pick<Config, 'cells'>
  readonly directory: Directory
}

type Request = Context<typeof provisionCenter.spec>

export interface Provisioning {
  readonly centerId: number
  readonly created: boolean
}

export async function provision(needs: ProvisioningNeeds, context: Request): Promise<Provisioning> {
  const { tx, body } = context
  const partnerId = await requireRight(needs.directory, context)
  const fingerprint = fingerprintOf(body)
  const centerId = await queries.nextCenterId(tx)
  if (!(await queries.claimOrder(tx, body.orderId, centerId, fingerprint)))
    return existing(tx, body.orderId, fingerprint)
  failpoint('provisioning: order')
  await foundCenter(
    needs.config,
    tx,
    {
      id: centerId,
      name: body.centerName,
      subdomain: body.subdomain,
      vertical: body.vertical ?? 'education',
      businessNumber: body.businessNumber,
      country: body.country,
      region: body.region,
      partnerId,
      planId: body.planId,
      orderId: body.orderId,
    },
    (own) => addActiveAdministrator(own, body.adminActorId),
  )
  tx.afterCommit(() => needs.authenticate.forget(`actor:${body.adminActorId}`))
  failpoint('provisioning: before commit')
  return { centerId, created: true }
}

/** The future administrator, a partner or an operator may order a center; a partner's center belongs to the partner. */
async function requireRight(directory: Directory, { body, principal, tx }: Request): Promise<string | null> {
  if (body.adminActorId !== principal.actorId && !principal.partner && !principal.isOperator) {
    throw new Problem('FORBIDDEN', 'You can create a center for yourself only: "adminActorId" must be your own id.')
  }
  const adminExists = await directory.identity(tx.caller, (own) => queries.actorExists(own, body.adminActorId))
  if (!adminExists) throw new Problem('VALIDATION_ERROR', 'There is no actor with the id "adminActorId".')
  if (principal.partner) await becomePartner(tx, principal.partner.id)
  return principal.partner?.id ?? null
}

async function existing(tx: DirectoryTx, orderId: string, fingerprint: Buffer): Promise<Provisioning> {
  const order = await queries.findOrder(tx, orderId)
  if (!order.fingerprint.equals(fingerprint)) {
    throw new Problem(
      'DUPLICATE_PROVISIONING',
      'This orderId was used for another center; use a new one for a new center.',
    )
  }
  return { centerId: order.center_id, created: false }
}
