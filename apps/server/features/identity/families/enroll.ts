/** Children without a mailbox as members, and guardianships that are offered. The caller holds the lock of the center. */
import type { Authenticator } from '../../../access/authenticate.ts'
import { audit } from '../../../audit/audit.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { makeMove, refusals } from '../members/api.ts'
import * as children from './child-queries.ts'
import { moveGuardianship, noteGuardianship } from './moves.ts'
import { insertGuardianship, lockPair } from './queries.ts'

export interface EnrollNeeds {
  readonly authenticate: Authenticator
}

export const noChild = () =>
  new Problem(
    'NOT_FOUND',
    "There's no child with this ID, or you don't have access to this child's record. List the children to find the ID.",
  )

export interface Enrolling {
  readonly childId: string
  /** Null for a child who must have been here before. */
  readonly name: string | null
  readonly isNew: boolean
}

/** A new membership, PENDING, or that of a child who was here before. */
export async function enroll(tx: DirectoryTx, { childId, name, isNew }: Enrolling): Promise<void> {
  const earlier = isNew ? undefined : await children.lockChild(tx, childId)
  if (earlier && !['REJECTED', 'ENDED'].includes(earlier.status)) {
    throw new Problem(
      'CONFLICT',
      `This child already has a membership in this center, with the status ${earlier.status}. Use that membership.`,
      { details: { reason: 'enrolled' } },
    )
  }
  const membershipId = earlier?.id ?? newUuid()
  if (earlier) await children.restartChild(tx, earlier.id).catch(meaning(refusals))
  else if (name === null) throw noChild()
  else {
    if (isNew) await children.insertChild(tx, childId, name)
    await children.insertChildMembership(tx, { id: membershipId, childId, name })
  }
  await audit(tx, {
    type: 'membership.transitioned',
    action: earlier ? 'child_restarted' : 'child_added',
    target: { type: 'membership', id: typedId('membership', membershipId) },
    details: { from: earlier?.status ?? null, to: 'PENDING', role: 'CHILD' },
  })
}

export const required = async (tx: DirectoryTx, childId: string): Promise<children.ChildRow> => {
  const child = await children.lockChild(tx, childId)
  if (!child) throw noChild()
  return child
}

/** ACTIVE, if a seat is free. */
export const admit = (needs: EnrollNeeds, tx: DirectoryTx, child: children.ChildRow): Promise<void> =>
  makeMove(
    needs.authenticate,
    tx,
    { id: child.id, centerId: tx.caller.centerId, actorId: child.actor_id },
    'approve',
    'PENDING',
  )

export async function addChildOfCenter(needs: EnrollNeeds, tx: DirectoryTx, name: string): Promise<children.ChildRow> {
  const childId = newUuid()
  await enroll(tx, { childId, name, isNew: true })
  const child = await required(tx, childId)
  await admit(needs, tx, child)
  return child
}

/** To a member of the center, whom an invitation has told or will tell. */
export async function offerGuardianship(tx: DirectoryTx, childId: string, parentId: string): Promise<void> {
  const earlier = await lockPair(tx, childId, parentId)
  if (earlier) return moveGuardianship(tx, earlier, 'invite')
  const row = { id: newUuid(), child_id: childId, parent_id: parentId }
  await insertGuardianship(tx, { ...row, status: 'INVITED' })
  await noteGuardianship(tx, { ...row, center_id: tx.caller.centerId }, 'invite', { from: null, to: 'INVITED' })
}
