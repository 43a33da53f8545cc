/** Every area. The pages of an area are chunks of their own; its routes and its words in the navigation are here. */
import * as actionTypes from '../areas/action-types/routes.tsx'
import * as agents from '../areas/agents/routes.tsx'
import * as bookings from '../areas/bookings/routes.tsx'
import * as center from '../areas/center/routes.tsx'
import * as chain from '../areas/chain/routes.tsx'
import * as decisions from '../areas/decisions/routes.tsx'
import * as developers from '../areas/developers/routes.tsx'
import * as dpus from '../areas/dpus/routes.tsx'
import * as entry from '../areas/entry/routes.tsx'
import * as family from '../areas/family/routes.tsx'
import * as inbox from '../areas/inbox/routes.tsx'
import * as me from '../areas/me/routes.tsx'
import * as operator from '../areas/operator/routes.tsx'
import * as oversight from '../areas/oversight/routes.tsx'
import * as partner from '../areas/partner/routes.tsx'
import * as policies from '../areas/policies/routes.tsx'
import * as stop from '../areas/stop/routes.tsx'
import * as today from '../areas/today/routes.tsx'
import { centerRoute, meRoute, operatorRoute, partnerRoute, rootRoute } from './roots.tsx'

export const routeTree = rootRoute.addChildren([
  ...entry.routes,
  centerRoute.addChildren([
    ...entry.centerRoutes,
    ...today.routes,
    ...inbox.routes,
    ...oversight.routes,
    ...decisions.routes,
    ...chain.routes,
    ...dpus.routes,
    ...policies.routes,
    ...actionTypes.routes,
    ...agents.routes,
    ...stop.routes,
    ...bookings.routes,
    ...family.routes,
    ...developers.routes,
    ...center.routes,
  ]),
  partnerRoute.addChildren([...partner.routes]),
  meRoute.addChildren([...me.routes]),
  operatorRoute.addChildren([...operator.routes]),
])

export const navigation = [
  today,
  inbox,
  decisions,
  chain,
  dpus,
  policies,
  actionTypes,
  agents,
  oversight,
  stop,
  bookings,
  family,
  developers,
  center,
  partner,
  me,
  operator,
]
  .flatMap((area) => area.navigation)
  .toSorted((one, other) => one.order - other.order)
