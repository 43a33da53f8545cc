import * as contract from '@countersign/contract/member-import.ts'
import { type Route, route } from '../../../http/route.ts'
import { type ImportNeeds, importMembers } from './import.ts'

export const importRoutes = (needs: ImportNeeds): Route[] => [
  route(contract.importMembers, async (context, reply) => reply(200, await importMembers(needs, context))),
]
