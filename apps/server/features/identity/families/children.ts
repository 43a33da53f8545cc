/** Children of a center and their guardians, as its ADMIN manages them and a PARENT adds them. */
import type * as contract from '@countersign/contract/families.ts'
import { familyMemberships } from '../../../access/queries.ts'
import type { DirectoryTx } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { noteCause } from '../../../mail/causes.ts'
import { type InvitationNeeds, inviteByMail, lockCenter } from '../members/api.ts'
import * as children from './child-queries.ts'
import { admit, type EnrollNeeds, enroll, noChild, offerGuardianship, required } from './enroll.ts'
import { noteGuardianship } from './moves.ts'
import { type GuardianRow, guardiansOf, insertGuardianship, lockPair, setGuardianship } from './queries.ts'

export interface FamilyNeeds extends InvitationNeeds, EnrollNeeds {}

const mostOfOneParent = 20

/** Before the person accepts an invitation, the id would tell whether they have an account. */
export const guardianOf = (row: GuardianRow) => ({
  id: typedId('guardianship', row.id),
  childId: row.child_id,
  parentId: row.accepted ? row.parent_id : null,
  name: row.name,
  email: row.address ?? '',
  status: row.status,
  invitedAt: row.invited_at?.toISOString() ?? null,
  acceptedAt: row.accepted_at?.toISOString() ?? null,
  endedAt: row.ended_at?.toISOString() ?? null,
})

const childOf = (row: children.ChildRow, guardians: readonly GuardianRow[]) => ({
  actorId: row.actor_id,
  name: row.name,
  membership: {
    id: typedId('membership', row.id),
    centerId: row.center_id,
    centerName: row.center_name,
    centerDomain: row.center_domain,
    role: row.role,
    roles: [...row.roles],
    status: row.status,
    invitedAt: row.invited_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  },
  guardians: guardians.filter(({ child_id }) => child_id === row.actor_id).map(guardianOf),
})

export async function listChildrenOf({ tx, query }: Context<typeof contract.listCenterChildren.spec>) {
  const { page, limit } = query
  const rows = await children.pageOfChildren(tx, { limit, offset: (page - 1) * limit })
  const guardians = await guardiansOf(
    tx,
    rows.map(({ actor_id }) => actor_id),
  )
  return { items: rows.map((row) => childOf(row, guardians)), total: await children.countChildren(tx) }
}

export async function addChild(needs: FamilyNeeds, { tx, body, principal }: Context<typeof contract.addChild.spec>) {
  const { name, childId } = body
  if ((name === undefined) === (childId === undefined)) {
    throw new Problem(
      'VALIDATION_ERROR',
      'The request has both "name" and "childId", or neither. Send "name" for a new child, or "childId" for a child you\'ve added before.',
      { details: { reason: 'childOrName', field: 'name' } },
    )
  }
  const isParent = !principal.entered.roles.includes('ADMIN')
  // The directory's own role reads families, and this transaction has another role.
  const known = await needs.directory.identity({ ...tx.caller, centerId: 0 }, async (own) => ({
    parent: (await familyMemberships(own, principal.actorId)).find((each) => each.center_id === tx.caller.centerId),
    name: childId === undefined ? name : await children.ownChildName(own, principal.actorId, childId),
  }))
  await lockCenter(tx, tx.caller.centerId)
  const parentId = isParent && known.parent ? await children.actorOfMembership(tx, known.parent.membership_id) : null
  if (parentId !== null && (await children.countOwnChildren(tx, parentId)) >= mostOfOneParent) {
    throw new Problem(
      'CONFLICT',
      `A guardian can add at most ${mostOfOneParent} children. Ask the center to add more.`,
      { details: { reason: 'maxChildren' } },
    )
  }
  // A PARENT enrolls own children only; an ADMIN starts those of this center again.
  if (isParent && known.name === undefined) throw noChild()
  const id = childId?.toLowerCase() ?? newUuid()
  await enroll(tx, { childId: id, name: (isParent ? known.name : name) ?? null, isNew: childId === undefined })
  const enrolled = await required(tx, id)
  if (parentId === null) {
    await admit(needs, tx, enrolled)
  } else {
    await guard(tx, id, parentId)
    await noteCause(tx, tx.caller.centerId, {
      id: `child ${enrolled.id} ${newUuid()}`,
      event: 'childWaits',
      facts: { person: id, by: parentId },
    })
  }
  return childOf(await required(tx, id), await guardiansOf(tx, [id]))
}

/** A parent who adds a child is its guardian at once. */
async function guard(tx: DirectoryTx, childId: string, parentId: string): Promise<void> {
  const earlier = await lockPair(tx, childId, parentId)
  if (earlier?.status === 'ACTIVE') return
  const row = earlier ?? { id: newUuid(), center_id: tx.caller.centerId, child_id: childId, parent_id: parentId }
  if (earlier) await setGuardianship(tx, earlier, 'ACTIVE')
  else await insertGuardianship(tx, { ...row, status: 'ACTIVE' })
  await noteGuardianship(tx, row, 'added', { from: earlier?.status ?? null, to: 'ACTIVE' })
}

export async function inviteGuardian(
  needs: FamilyNeeds,
  { tx, params, body, principal }: Context<typeof contract.inviteGuardian.spec>,
) {
  const childId = asUuid(params.childId)
  const child = childId === null ? undefined : await children.lockChild(tx, childId)
  if (!child) throw noChild()
  if (['REJECTED', 'ENDED'].includes(child.status)) {
    throw new Problem(
      'CONFLICT',
      `This child's membership is ${child.status}. Add the child again, then invite the guardian.`,
      { details: { reason: 'childNotActive' } },
    )
  }
  const { actorId } = await inviteByMail(needs, tx, {
    ...body,
    ...{ roles: ['PARENT'], approved: true, guardian: true },
    ...{ centerName: principal.entered.centerName, inviter: principal.name },
  })
  if (actorId === child.actor_id)
    throw new Problem('CONFLICT', "A child can't be their own guardian. Send another email address.", {
      details: { reason: 'ownGuardian', field: 'email' },
    })
  await offerGuardianship(tx, child.actor_id, actorId)
  const guardians = await guardiansOf(tx, [child.actor_id])
  return guardianOf(guardians.find(({ parent_id }) => parent_id === actorId) as GuardianRow)
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const asUuid = (text: string): string | null => (uuidForm.test(text) ? text.toLowerCase() : null)
