import { getNotices } from '@countersign/contract/console-notices.ts'
import { type Route, route } from '../../../http/route.ts'
import { type NoticeNeeds, readNotices } from './read.ts'

export const noticeRoutes = (needs: NoticeNeeds): Route[] => [
  route(getNotices, async (context, reply) => reply(200, await readNotices(needs, context))),
]
