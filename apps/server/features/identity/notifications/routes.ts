import * as contract from '@countersign/contract/notifications.ts'
import { audit } from '../../../audit/audit.ts'
import { type Route, route } from '../../../http/route.ts'
import { checkedSettings, shownSettings, untouched } from './choices.ts'
import { storedSettings, storeSettings } from './queries.ts'

export const notificationRoutes = (): Route[] => [
  route(contract.getNotifications, async ({ principal, identity }, reply) => {
    const stored = await identity((tx) => storedSettings(tx, principal.actorId), 'read')
    return reply(200, shownSettings(stored ?? untouched))
  }),

  route(contract.putNotifications, async ({ body, principal, identity }, reply) => {
    const settings = checkedSettings(body)
    const { actorId } = principal
    await identity(async (tx) => {
      await storeSettings(tx, actorId, settings)
      await audit(tx, {
        ...{ type: 'settings.updated', action: 'notifications.changed', actorId },
        ...{ target: { type: 'actor', id: actorId }, centerId: principal.entered?.centerId ?? 0 },
      })
    })
    return reply(200, shownSettings(settings))
  }),
]
