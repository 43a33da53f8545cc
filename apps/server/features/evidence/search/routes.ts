import * as views from '@countersign/contract/saved-views.ts'
import * as contract from '@countersign/contract/search.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Directory } from '../../../data/directory.ts'
import { type Route, route } from '../../../http/route.ts'
import { bookingsOfPeople } from '../../centers/bookings/api.ts'
import { membersFound } from '../../identity/members/api.ts'
import { cursorOf, findDecisions } from './find.ts'
import { policiesNamed } from './policies.ts'
import { deleteView, saveView, viewsListed } from './saved-views.ts'
import { shownDecisions } from './shown.ts'

interface SearchRouteNeeds {
  readonly centers: CenterProfiles
  readonly directory: Directory
}

export const searchRoutes = (needs: SearchRouteNeeds): Route[] => [
  route(contract.searchDecisions, async ({ tx, query }, reply) => {
    const { rows, next, leftOut } = await findDecisions(tx, needs, query)
    return reply(200, {
      decisions: await shownDecisions(tx, needs.centers, rows),
      nextCursor: next === null ? null : await cursorOf(tx, next),
      leftOut: [...leftOut],
    })
  }),

  route(contract.searchAll, async ({ tx, query, principal }, reply) => {
    const { q, limit } = query
    const mayList = principal.entered.roles.includes('ADMIN')
    const { rows } = await findDecisions(tx, needs, { q, limit })
    return reply(200, {
      decisions: await shownDecisions(tx, needs.centers, rows.slice(0, limit)),
      people: mayList ? await membersFound(needs.directory, tx.caller, q, limit) : null,
      bookings: await bookingsOfPeople(needs.directory, tx, q, limit),
      policies: mayList ? await policiesNamed(tx, needs.centers, q, limit) : null,
    })
  }),

  route(views.listViews, async ({ tx, principal }, reply) => reply(200, await viewsListed(tx, principal))),

  route(views.putView, async ({ tx, body, principal }, reply) => reply(200, await saveView(tx, principal, body))),

  route(views.deleteView, async ({ tx, params, principal }, reply) => {
    await deleteView(tx, principal, params.id)
    return reply(204, null)
  }),
]
