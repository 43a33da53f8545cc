import { getToday } from '@countersign/contract/console-today.ts'
import { type Route, route } from '../../../http/route.ts'
import { readToday, type TodayNeeds } from './read.ts'

export const todayRoutes = (needs: TodayNeeds): Route[] => [
  route(getToday, async (context, reply) => reply(200, await readToday(needs, context))),
]
