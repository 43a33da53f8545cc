import * as contract from '@countersign/contract/notification-channels.ts'
import type { Config } from '../../../config/config.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import type { AddressGuard } from '../../../lib/address-guard.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import { addChannel, askForTest, removeChannel, shownChannel } from './channel.ts'
import { listChannels } from './queries.ts'

interface ChannelNeeds {
  readonly addressGuard: AddressGuard
  readonly box: SecretBox
  readonly config: Pick<Config, 'notificationHosts'>
  readonly jobs: Pick<Jobs, 'wake'>
}

export const channelRoutes = ({ addressGuard, box, config, jobs }: ChannelNeeds): Route[] => {
  const rules = { guard: addressGuard, allowedHosts: config.notificationHosts }
  return [
    route(contract.createNotificationChannel, async ({ tx, body, principal }, reply) =>
      reply(201, shownChannel(await addChannel(tx, { box, rules }, body, principal.actorId))),
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
}
