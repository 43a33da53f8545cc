import { listChildren } from '@countersign/contract/entry.ts'
import * as contract from '@countersign/contract/families.ts'
import { type Route, route } from '../../../http/route.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { addChild, type FamilyNeeds, guardianOf, inviteGuardian, listChildrenOf } from './children.ts'
import {
  type AggregateNeeds,
  appointments,
  attendance,
  byChild,
  centersOffering,
  familyOf,
  membershipOfChild,
  moveOwn,
} from './family.ts'
import { moveGuardianship } from './moves.ts'
import { type FamilyRow, familyRows, type GuardianRow, guardiansOf, lockGuardianship } from './queries.ts'

export const familyRoutes = (needs: FamilyNeeds & AggregateNeeds): Route[] => [
  route(contract.listCenterChildren, async (context, reply) => reply(200, await listChildrenOf(context))),

  route(contract.addChild, async (context, reply) => reply(201, await addChild(needs, context))),

  route(contract.inviteGuardian, async (context, reply) => reply(201, await inviteGuardian(needs, context))),

  route(contract.endGuardianshipAsCenter, async ({ tx, params }, reply) => {
    const id = uuidOf('guardianship', params.id)
    const row = id === null ? undefined : await lockGuardianship(tx, id)
    if (!row)
      throw new Problem(
        'NOT_FOUND',
        "This center has no guardianship with this ID. List the child's guardians to find the ID.",
      )
    await moveGuardianship(tx, row, 'end')
    const guardians = await guardiansOf(tx, [row.child_id])
    return reply(200, guardianOf(guardians.find((each) => each.id === row.id) as GuardianRow))
  }),

  route(contract.acceptGuardianship, async (context, reply) => reply(200, await moveOwn('accept', context))),

  route(contract.endGuardianship, async (context, reply) => reply(200, await moveOwn('end', context))),

  route(contract.getFamily, async ({ identity, principal }, reply) => {
    const rows = await identity((tx) => familyRows(tx, principal.actorId), 'read')
    return reply(200, familyOf(rows, await centersOffering(needs, rows)))
  }),

  route(contract.listFamilyAppointments, async (context, reply) => reply(200, await appointments(needs, context))),

  route(contract.listFamilyAttendance, async (context, reply) => reply(200, await attendance(needs, context))),

  route(listChildren, async ({ identity, principal }, reply) => {
    const rows = await identity((tx) => familyRows(tx, principal.actorId), 'read')
    return reply(
      200,
      byChild(rows).map((centers) => ({
        actorId: (centers[0] as FamilyRow).child_id,
        name: (centers[0] as FamilyRow).child_name,
        memberships: centers.map(membershipOfChild),
      })),
    )
  }),
]
