import * as contract from '@countersign/contract/action-types.ts'
import { comparableId } from '@countersign/proof/comparable-id.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { type Route, route } from '../../../http/route.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { actionTypeOf, addVersion, templateOf, unknownActionType } from './action-type.ts'
import { actionTypeInForce } from './api.ts'
import { findActionType, newestActionTypes } from './queries.ts'
import { actionTypeRows } from './sealed-rows.ts'
import { startingTypes } from './starting.ts'

/** Nothing is sealed while an action type changes, as with policies: a seal has one place among these changes. */
const holds = { chains: ['history', 'proof'], rows: [need(actionTypeRows, {})] } as const

export const actionTypeRoutes = ({ centers }: { readonly centers: CenterProfiles }): Route[] => [
  route(contract.listActionTypes, async ({ tx }, reply) => {
    const { vertical } = await centers.profile(tx.caller.centerId as number)
    const types = new Map(startingTypes(vertical))
    for (const row of await newestActionTypes(tx)) if (!row.deleted) types.set(row.key, actionTypeOf(row))
    return reply(
      200,
      [...types].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each),
    )
  }),

  route(contract.getActionType, async ({ tx, params }, reply) => {
    const { vertical } = await centers.profile(tx.caller.centerId as number)
    const key = comparableId(params.type)
    const found = actionTypeInForce(await findActionType(tx, key), key, vertical)
    if (!found) throw unknownActionType()
    return reply(200, found)
  }),

  route(contract.putActionType, ({ params, body, center, caller, sequence }, reply) => {
    const template = templateOf(params.type, body)
    const key = comparableId(params.type)
    return sequence({ holds, judge: (batch) => addVersion(batch, { center, caller }, key, template) }, (row) =>
      reply(200, actionTypeOf(row)),
    )
  }),

  route(contract.deleteActionType, ({ params, center, caller, sequence }, reply) => {
    const key = comparableId(params.type)
    return sequence({ holds, judge: (batch) => void addVersion(batch, { center, caller }, key, null) }, () =>
      reply(204, null),
    )
  }),
]
