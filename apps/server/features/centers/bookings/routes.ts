import * as contract from '@countersign/contract/bookings.ts'
import type { Cells } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { type BookingNeeds, book } from './booking.ts'
import { changeStatus, move, requireBooking } from './changes.ts'
import { bookingOf, bookingsCsv, listPage } from './list.ts'

export interface BookingRouteNeeds extends BookingNeeds {
  readonly cells: Cells
}

export const bookingRoutes = (needs: BookingRouteNeeds): Route[] => [
  route(contract.listBookings, async (context, reply) => reply(200, await listPage(needs.directory, context))),

  route(contract.exportBookings, ({ tx: { cell, caller }, query }, reply) =>
    reply(200, bookingsCsv(needs, cell, caller, query)),
  ),

  route(contract.createBooking, async (context, reply) => reply(201, bookingOf(await book(needs, context)))),

  route(contract.moveBooking, async (context, reply) => reply(200, bookingOf(await move(needs.directory, context)))),

  route(contract.markAttended, async ({ tx, params, principal }, reply) =>
    reply(
      200,
      bookingOf(await changeStatus(tx, await requireBooking(needs.directory, tx, principal, params.id), 'attended')),
    ),
  ),

  route(contract.markNoShow, async ({ tx, params, principal }, reply) =>
    reply(
      200,
      bookingOf(await changeStatus(tx, await requireBooking(needs.directory, tx, principal, params.id), 'no_show')),
    ),
  ),

  route(contract.cancelBooking, async ({ tx, params, body, principal }, reply) => {
    const row = await requireBooking(needs.directory, tx, principal, params.id)
    return reply(200, bookingOf(await changeStatus(tx, row, 'cancel', body.reason)))
  }),

  route(contract.deleteBooking, async ({ tx, params, principal }, reply) => {
    const row = await requireBooking(needs.directory, tx, principal, params.id)
    if (row.status !== 'booked') throw new Problem('NOT_FOUND', 'There is no such booking of yours.')
    await changeStatus(tx, row, 'cancel')
    return reply(204, null)
  }),
]
