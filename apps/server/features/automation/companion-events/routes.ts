import { publishEvent } from '@countersign/contract/events.ts'
import type { Config } from '../../../config/config.ts'
import { type Route, route } from '../../../http/route.ts'
import { type BillingNeeds, followBilling } from '../../centers/subscription/api.ts'
import type { Catalogue } from '../workflows/api.ts'
import { publishFromApp } from './publish.ts'

interface CompanionNeeds extends BillingNeeds {
  readonly config: Pick<Config, 'perCenter' | 'billingKeys'>
  readonly catalogue: Catalogue
}

export const companionEventRoutes = ({ config, catalogue, ...billing }: CompanionNeeds): Route[] => [
  route(publishEvent, async ({ tx, body, principal }, reply) => {
    const { vertical } = principal.center
    const mostOpen = config.perCenter.maxOpenExecutions
    const published = await publishFromApp(tx, { catalogue, vertical, mostOpen }, body)
    // The directory commits first. If the cell then fails, the same event is sent again and changes no subscription twice.
    const subscription = await followBilling({ ...billing, config }, tx.caller, body)
    return reply(202, { ...published, ...(subscription && { subscription }) })
  }),
]
