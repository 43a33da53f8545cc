import * as contract from '@countersign/contract/console-oversight.ts'
import { type Route, route } from '../../../http/route.ts'
import { readGroups } from './groups.ts'
import { type OversightNeeds, readOversight } from './read.ts'

export const oversightRoutes = (needs: OversightNeeds): Route[] => [
  route(contract.getOversight, async (context, reply) => reply(200, await readOversight(needs, context))),
  route(contract.listOversightGroups, async (context, reply) => reply(200, await readGroups(needs, context))),
]
