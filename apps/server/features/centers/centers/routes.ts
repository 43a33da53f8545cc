import * as contract from '@countersign/contract/centers.ts'
import type { Authenticator } from '../../../access/authenticate.ts'
import { authorizedMemberships } from '../../../access/queries.ts'
import { type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import { centerOf } from './api.ts'
import { bookable, bookedOn, slotsOf } from '../bookings/booking.ts'
import { type BookingRouteNeeds, bookingRoutes } from '../bookings/routes.ts'
import { activeInstructors, centersById, ownCenter, publicCenter } from './queries.ts'
import { search } from './search.ts'
import { changeHours, changeSettings } from './settings.ts'

interface CenterNeeds extends BookingRouteNeeds {
  readonly authenticate: Authenticator
}

export const centerRoutes = (needs: CenterNeeds): Route[] => [
  route(contract.listCenters, async ({ principal, identity }, reply) => {
    const centers = await identity(async (tx) => {
      const memberships = await authorizedMemberships(tx, principal.actorId, principal.confinement)
      const roles = new Map(memberships.map((row) => [row.center_id, row.role]))
      const rows = await centersById(tx, [...roles.keys()])
      return rows.map((row) => ({ ...centerOf(row), role: roles.get(row.id) ?? 'CHILD' }))
    }, 'read')
    return reply(200, centers)
  }),

  route(contract.getCenter, async ({ tx }, reply) => reply(200, centerOf(await ownCenter(tx)))),

  route(contract.getCenterInfo, async ({ params, identity }, reply) => {
    const row = await identity((tx) => publicCenter(tx, params.center), 'read')
    if (!row) throw new Problem('CENTER_NOT_FOUND', `There is no center "${params.center}"; check the spelling.`)
    const { branding } = completeSettings(row.vertical, row.settings)
    return reply(200, {
      name: row.name,
      description: branding.description,
      logo: branding.logo,
      vertical: row.vertical,
    })
  }),

  route(contract.searchCenters, async ({ body, identity }, reply) =>
    reply(200, await identity((tx) => search(tx, body), 'read')),
  ),

  route(contract.listInstructors, async ({ tx }, reply) => reply(200, await activeInstructors(tx))),

  route(contract.listAvailableSlots, async ({ tx, query }, reply) => {
    const { date, instructorId } = query
    const { settings, instructors } = await bookable(needs.directory, tx.caller, instructorId)
    const bookings = await bookedOn(tx, date)
    const slots = instructors.flatMap((instructor) =>
      slotsOf(settings, instructor, date, bookings).map(({ start, end }) => ({
        instructorId: instructor.id,
        instructorName: instructor.name,
        startsAt: new Date(start).toISOString(),
        endsAt: new Date(end).toISOString(),
      })),
    )
    slots.sort((a, b) => (a.startsAt < b.startsAt ? -1 : a.startsAt > b.startsAt ? 1 : 0))
    return reply(200, { date, timezone: settings.timezone, slots })
  }),

  route(contract.updateCenterSettings, async ({ tx, body }, reply) =>
    reply(200, await changeSettings(needs.authenticate, tx, body)),
  ),

  route(contract.setInstructorHours, async (context, reply) => reply(200, await changeHours(context))),

  ...bookingRoutes(needs),
]
