import * as contract from '@countersign/contract/groups.ts'
import type { BodyOf, PayloadOf } from '@countersign/contract/operation.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells } from '../../../data/cells.ts'
import type { Caller } from '../../../data/directory.ts'
import { needPolicies } from '../../../governance/rules.ts'
import { type Route, route } from '../../../http/route.ts'
import { now } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import {
  accountsOf,
  asAdmin,
  type ConfirmNeeds,
  countsFrom,
  eligibilityRows,
  isCountingAdmin,
  needsOfMembers,
  requireCountingAdmin,
} from '../eligibility/api.ts'
import { isWaiting } from './counting.ts'
import { type Adding, confirmPeople, createGroup, endGroup, isOwnMatter, standingGroup, updateGroup } from './group.ts'
import { joining, membersAmong, standingGroups } from './queries.ts'
import { type GroupRow, needGroups } from './sealed-rows.ts'

type Group = PayloadOf<(typeof contract.createGroup)['spec'], 201>

const shown = ({ id, name, people, changed_at }: GroupRow): Group => ({
  id: typedId('group', id),
  name,
  people: people.map(({ actorId, countsFrom }) => ({ actorId, countsFrom: new Date(countsFrom).toISOString() })),
  changedAt: new Date(changed_at).toISOString(),
})

/** Nothing is sealed while a group changes, as with policies: a seal has one place among these changes. */
const chains = ['history', 'proof'] as const
const rows = [needPolicies, needGroups]

type GroupNeeds = ConfirmNeeds & { readonly cells: Cells; readonly config: Pick<Config, 'eligibilitySeconds'> }

/** Who adds, and what the directory says of those who are added. It is read before the batch; losing a role counts there anyway. */
async function addingOf(needs: GroupNeeds, caller: Caller, actorIds: readonly string[]): Promise<Adding> {
  const makers = await accountsOf(needs, caller, caller.actorId as string)
  const { createdAt, mayJoin } = await needs.directory.asCenter(caller, (tx) => joining(tx, actorIds), 'read')
  return {
    makers,
    mayJoin,
    countsFrom: (at) =>
      countsFrom(
        { centerId: caller.centerId, createdAt, at: Date.parse(at) },
        'admitted',
        needs.config.eligibilitySeconds,
      ),
  }
}

const distinct = (actorIds: readonly string[]): readonly string[] =>
  [...new Set(actorIds.map((id) => id.toLowerCase()))].sort()

const needsOfMakers = ({ makers }: Adding) => makers.map((actor_id) => need(eligibilityRows, { actor_id }))

export const groupRoutes = (needs: GroupNeeds): Route[] => [
  route(contract.listGroups, async ({ principal: { actorId, entered }, requestId }, reply) => {
    const caller = { requestId, actorId, centerId: entered.centerId }
    const person = await accountsOf(needs, caller, actorId)
    const at = now().toISOString()
    const { groups, counts } = await needs.cells.of(entered.cell).inTenant(
      caller,
      async (tx) => ({
        groups: await standingGroups(tx),
        counts: await isCountingAdmin(tx, entered.membershipId, now()),
      }),
      'read',
    )
    const mayConfirm = (row: GroupRow) =>
      counts && row.people.some((each) => isWaiting(each, at)) && !isOwnMatter(row, at, person)
    const actorIds = [...new Set(groups.flatMap(({ people }) => people.map((each) => each.actorId)))]
    const members = await needs.directory.asCenter(caller, (tx) => membersAmong(tx, actorIds), 'read')
    const unknown = { name: '', mayApprove: false }
    return reply(
      200,
      groups.map((row) => {
        const group = shown(row)
        const people = group.people.map((each) => ({ ...each, ...(members.get(each.actorId) ?? unknown) }))
        return { ...group, people, mayConfirm: mayConfirm(row) }
      }),
    )
  }),

  route(contract.createGroup, async ({ body, center, caller, sequence }, reply) => {
    const wanted = { name: body.name, actorIds: distinct(body.actorIds) }
    const adding = await addingOf(needs, caller, wanted.actorIds)
    const id = newUuid()
    return sequence(
      {
        holds: { chains, rows: [...rows, ...needsOfMakers(adding)] },
        judge: (batch) => createGroup(batch, { center, caller }, id, wanted, adding),
      },
      (row) => reply(201, shown(row)),
    )
  }),

  route(contract.updateGroup, async ({ params, body, center, caller, sequence }, reply) => {
    const { name, actorIds }: BodyOf<(typeof contract.updateGroup)['spec']> = body
    const wanted = { name, ...(actorIds && { actorIds: distinct(actorIds) }) }
    const adding = await addingOf(needs, caller, wanted.actorIds ?? [])
    const id = uuidOf('group', params.id)
    return sequence(
      {
        holds: { chains, rows: [...rows, ...needsOfMakers(adding)] },
        judge: (batch) => updateGroup(batch, { center, caller }, standingGroup(batch, id), wanted, adding),
      },
      (row) => reply(200, shown(row)),
    )
  }),

  route(contract.confirmGroup, async ({ params, body, principal, center, caller, sequence }, reply) => {
    const { person, own } = await asAdmin(needs, principal, caller)
    const membershipId = own as string
    const id = uuidOf('group', params.id)
    return sequence(
      {
        holds: { chains, rows: [...rows, ...needsOfMembers([{ membershipId }])] },
        judge(batch) {
          const row = standingGroup(batch, id)
          requireCountingAdmin(batch, membershipId)
          return confirmPeople(batch, { center, caller }, row, distinct(body.actorIds), person)
        },
      },
      (row) => reply(200, shown(row)),
    )
  }),

  route(contract.endGroup, ({ params, center, caller, sequence }, reply) => {
    const id = uuidOf('group', params.id)
    return sequence(
      {
        holds: { chains, rows },
        judge: (batch) => void endGroup(batch, { center, caller }, standingGroup(batch, id)),
      },
      () => reply(204, null),
    )
  }),
]
