import * as contract from '@countersign/contract/notification-channels.ts'
import type { ChatKind } from '../../../delivery/transports/chat.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { addChannel, askForTest, removeChannel, shownChannel } from './channel.ts'
import { listChannels } from './queries.ts'

interface ChannelNeeds {
  readonly box: SecretBox
  readonly jobs: Pick<Jobs, 'wake'>
  readonly transports: Pick<Transports, ChatKind>
}

export const channelRoutes = ({ box, jobs, transports }: ChannelNeeds): Route[] => [
  route(contract.createNotificationChannel, async ({ tx, body, principal }, reply) =>
    reply(201, shownChannel(await addChannel(tx, { box, transports }, body, principal.actorId))),
  ),

  route(contract.listNotificationChannels, async ({ tx }, reply) =>
    reply(200, (await listChannels(tx)).map(shownChannel)),
  ),

  route(contract.testNotificationChannel, async ({ tx, params, principal }, reply) => {
    const row = await askForTest(tx, params.id)
    const { cell, centerId } = principal.entered
    tx.afterCommit(() => jobs.wake(cell, 'notify-channels', { centerId }))
    return reply(202, shownChannel(row))
  }),

  route(contract.removeNotificationChannel, async ({ tx, params }, reply) => {
    await removeChannel(tx, params.id)
    return reply(204, null)
  }),
]
