/** What an operator does to a center from a page: its state, its subscription, and the acknowledgement of an alarm. */
import type * as contract from '@countersign/contract/operator-centers.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { Cells } from '../../../data/cells.ts'
import {
  becomeOperator,
  type Directory,
  type DirectoryTx,
  type IdentityTx,
  withinCenter,
} from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { imposeSuspension, moveCenter } from '../centers/api.ts'
import { updateSubscriptionAsOperator } from '../subscription/api.ts'
import { noAlarm } from './alarm.ts'
import { brokenNow, insertAcknowledgement } from './alarm-queries.ts'
import { namesOfCenters, type OperatedRow, operatedCenter, type PlatformCenterRow } from './queries.ts'

export interface ChangeNeeds {
  readonly authenticate: Authenticator
  readonly cells: Cells
  readonly directory: Directory
}

export const noCenter = () =>
  new Problem('CENTER_NOT_FOUND', "There's no center with this ID. List the centers to find the ID.")

export const shownCenter = (row: PlatformCenterRow) => ({
  id: row.id,
  name: row.name,
  centerDomain: row.domain,
  status: row.status,
  vertical: row.vertical,
  cell: row.cell,
  partner: row.partner_id === null ? null : { id: typedId('partner', row.partner_id), name: row.partner_name ?? '' },
  members: row.member_count,
  sandbox: row.sandbox,
  createdAt: row.created_at.toISOString(),
})

const operatedOf = ({ subscription, ...row }: OperatedRow) => ({
  ...shownCenter(row),
  suspendedBy: row.suspended_by,
  subscription: subscription && {
    ...subscription,
    currentPeriodEnd: new Date(subscription.currentPeriodEnd).toISOString(),
  },
})

export async function readOperated(tx: IdentityTx | DirectoryTx, centerId: number) {
  const row = await operatedCenter(tx, centerId)
  if (!row) throw noCenter()
  return operatedOf(row)
}

/** As the operator and within the center, whose caches every process drops. */
function inCenter<T>(
  { authenticate }: ChangeNeeds,
  tx: DirectoryTx,
  actorId: string,
  centerId: number,
  work: (own: DirectoryTx) => Promise<T>,
): Promise<T> {
  return withinCenter(tx, centerId, async (own) => {
    await becomeOperator(own, actorId)
    tx.afterCommit(() => authenticate.forget(`center:${centerId}`))
    return work(own)
  })
}

export const setStatus = (
  needs: ChangeNeeds,
  { tx, params: { centerId }, body, principal }: Context<typeof contract.setCenterStatus.spec>,
) =>
  inCenter(needs, tx, principal.actorId, centerId, async (own) => {
    const { suspendedBy } = await readOperated(own, centerId)
    if (body.status === 'SUSPENDED' && suspendedBy === 'partner') await imposeSuspension(own, centerId, body.reason)
    else await moveCenter(own, centerId, body.status, body.reason)
    return readOperated(own, centerId)
  })

export const setSubscription = (
  needs: ChangeNeeds,
  { tx, params: { centerId }, body, principal }: Context<typeof contract.setCenterSubscription.spec>,
) =>
  inCenter(needs, tx, principal.actorId, centerId, async (own) => {
    await readOperated(own, centerId)
    await updateSubscriptionAsOperator(own, centerId, body)
    return readOperated(own, centerId)
  })

/** In the center's cell, where the alarm is. */
export async function acknowledge(
  { cells, directory }: ChangeNeeds,
  { params, body, principal, requestId }: Context<typeof contract.acknowledgeAlarm.spec>,
) {
  const { centerId, domain } = params
  const caller = { requestId, actorId: principal.actorId, centerId }
  const [center] = await directory.identity(caller, (tx) => namesOfCenters(tx, [centerId]), 'read')
  if (!center) throw noAlarm()
  return cells.of(center.cell).inTenant(caller, async (tx) => {
    if (!(await brokenNow(tx, domain))) throw noAlarm()
    const said = { name: principal.name, note: body.note, at: now() }
    if (!(await insertAcknowledgement(tx, domain, principal.actorId, said))) {
      throw new Problem(
        'CONFLICT',
        'An operator has already acknowledged this alarm. Read the alarm again to see who.',
        { details: { reason: 'acknowledged' } },
      )
    }
    await audit(tx, {
      type: 'integrity.alarm',
      action: 'acknowledged',
      target: { type: 'chain', id: domain },
      details: { note: body.note },
    })
    return { ...said, at: said.at.toISOString() }
  })
}
