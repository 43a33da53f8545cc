import * as series from '@countersign/contract/booking-series.ts'
import * as waits from '@countersign/contract/booking-waits.ts'
import * as contract from '@countersign/contract/bookings.ts'
import { listAvailableSlots } from '@countersign/contract/centers.ts'
import * as closures from '@countersign/contract/closures.ts'
import type { Cells } from '../../../data/cells.ts'
import { type Route, route } from '../../../http/route.ts'
import { Problem } from '../../../lib/problem.ts'
import { recordAttendance } from './attendance.ts'
import { type BookingNeeds, book, bookable, slotsOf } from './booking.ts'
import { changeStatus, move, requireBooking } from './changes.ts'
import { closuresBetween } from './closure-queries.ts'
import { adopt, closePeriod, closuresListed, holidays, open } from './closures.ts'
import { bookingOf, bookingsCsv, listPage } from './list.ts'
import { lockPlaces } from './queries.ts'
import { create, preview, read } from './series.ts'
import { cancelWeeks, requireInSeries } from './series-changes.ts'
import { ask, clientsOf, leave, takenOn, waiting } from './waits.ts'

interface BookingRouteNeeds extends BookingNeeds {
  readonly cells: Cells
}

export const bookingRoutes = (needs: BookingRouteNeeds): Route[] => [
  route(listAvailableSlots, async ({ tx, query, principal }, reply) => {
    const { date, instructorId } = query
    const { settings, instructors } = await bookable(needs.directory, tx.caller, instructorId)
    const [closure] = await closuresBetween(tx, date, date)
    const bookings = closure ? [] : await takenOn(tx, date, await clientsOf(needs.directory, principal))
    const slots = (closure ? [] : instructors).flatMap((instructor) =>
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

  route(contract.listBookings, async (context, reply) => reply(200, await listPage(needs.directory, context))),

  route(contract.exportBookings, ({ tx: { cell, caller }, query }, reply) =>
    reply(200, bookingsCsv(needs, cell, caller, query)),
  ),

  route(contract.createBooking, async (context, reply) => reply(201, bookingOf(await book(needs, context)))),

  route(contract.moveBooking, async (context, reply) => reply(200, bookingOf(await move(needs.directory, context)))),

  route(contract.markAttended, async ({ tx, params, principal }, reply) =>
    reply(
      200,
      bookingOf(
        await changeStatus(
          needs.directory,
          tx,
          await requireBooking(needs.directory, tx, principal, params.id),
          'attended',
        ),
      ),
    ),
  ),

  route(contract.markNoShow, async ({ tx, params, principal }, reply) =>
    reply(
      200,
      bookingOf(
        await changeStatus(
          needs.directory,
          tx,
          await requireBooking(needs.directory, tx, principal, params.id),
          'no_show',
        ),
      ),
    ),
  ),

  route(contract.recordAttendance, async (context, reply) =>
    reply(200, await recordAttendance(needs.directory, context)),
  ),

  route(contract.cancelBooking, async ({ tx, params, body, principal }, reply) => {
    // Before the row, as every change of places: the place that comes free may be offered.
    await lockPlaces(tx)
    const row = await requireBooking(needs.directory, tx, principal, params.id)
    const { scope = 'one', reason } = body
    const canceled = await changeStatus(needs.directory, tx, row, 'cancel', reason)
    if (scope !== 'one') await cancelWeeks(needs.directory, tx, requireInSeries(row), scope, reason)
    return reply(200, bookingOf(canceled))
  }),

  route(contract.deleteBooking, async ({ tx, params, principal }, reply) => {
    await lockPlaces(tx)
    const row = await requireBooking(needs.directory, tx, principal, params.id)
    if (row.status !== 'booked')
      throw new Problem('NOT_FOUND', 'You have no booking with this ID. List your bookings to find the ID.')
    await changeStatus(needs.directory, tx, row, 'cancel')
    return reply(204, null)
  }),

  route(series.previewSeries, async (context, reply) => reply(200, await preview(needs, context))),

  route(series.createSeries, async (context, reply) => reply(201, await create(needs, context))),

  route(series.getSeries, async (context, reply) => reply(200, await read(needs, context))),

  route(waits.createWait, async (context, reply) => reply(201, await ask(needs.directory, context))),

  route(waits.listWaits, async (context, reply) => reply(200, await waiting(needs.directory, context))),

  route(waits.deleteWait, async (context, reply) => {
    await leave(needs.directory, context)
    return reply(204, null)
  }),

  route(closures.listClosures, async (context, reply) => reply(200, await closuresListed(needs.directory, context))),

  route(closures.addClosure, async (context, reply) => reply(201, await closePeriod(needs.directory, context))),

  route(closures.removeClosure, async ({ tx, params }, reply) => {
    await open(tx, params.date)
    return reply(204, null)
  }),

  route(closures.getHolidays, async (context, reply) => reply(200, await holidays(needs.directory, context))),

  route(closures.adoptHolidays, async (context, reply) => reply(200, await adopt(needs.directory, context))),
]
