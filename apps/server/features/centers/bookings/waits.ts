/** The waiting list: who wants to be told when a place comes free. A row is a client, an instructor and a day. */
import type * as contract from '@countersign/contract/booking-waits.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Directory } from '../../../data/directory.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { newUuid, typedId, uuidOf } from '../../../lib/ids.ts'
import { daysAfter, instantOf, localDateOf } from '../../../lib/local-time.ts'
import { Problem } from '../../../lib/problem.ts'
import { clientShown, familyRows, guardedChild, isGuarded } from '../../identity/families/api.ts'
import { namesOfMembers } from '../../identity/members/api.ts'
import { noteWait } from './audit.ts'
import { bookable, bookedOn, isStaff, mayBookFor, slotsOf } from './booking.ts'
import { closuresBetween } from './closure-queries.ts'
import { offerPlace } from './offers.ts'
import { type BookingRow, lockPlaces } from './queries.ts'
import { countOf, deleteWait, insertWait, keptBetween, lockWait, pageOfWaits, type WaitRow } from './wait-queries.ts'

/** A list is no calendar: a client waits for so many days in a center at a time. */
const maxOfClient = 20

type Names = ReadonlyMap<string, string>

const waitOf = (row: WaitRow, names: Names) => ({
  id: typedId('bookingWait', row.id),
  clientId: row.booked_for,
  clientName: names.get(row.booked_for) ?? null,
  instructorId: row.instructor_id,
  instructorName: names.get(row.instructor_id) ?? null,
  date: row.day,
  createdAt: row.created_at.toISOString(),
  // One that is over waits for the job that passes the place on.
  offer:
    row.offer_until && row.offer_until.getTime() > nowMs()
      ? {
          startsAt: (row.offer_starts_at as Date).toISOString(),
          endsAt: (row.offer_ends_at as Date).toISOString(),
          until: row.offer_until.toISOString(),
        }
      : null,
})

const peopleOf = (rows: readonly WaitRow[]) => [...new Set(rows.flatMap((row) => [row.booked_for, row.instructor_id]))]

/** Places that are kept for others count as taken. */
export async function takenOn(tx: Parameters<typeof bookedOn>[0], date: string, clients: ReadonlySet<string> | null) {
  const booked = await bookedOn(tx, date)
  const noon = Date.parse(`${date}T12:00:00Z`)
  const kept = await keptBetween(tx, new Date(noon - 1.5 * 86_400_000), new Date(noon + 1.5 * 86_400_000))
  const others = clients === null ? [] : kept.filter(({ booked_for }) => !clients.has(booked_for))
  return [...booked, ...(others as unknown as BookingRow[])]
}

/** Whose kept places the caller may take: their own and their children's. Staff take any, for whom it is kept. */
export async function clientsOf(directory: Directory, principal: MemberPrincipal): Promise<ReadonlySet<string> | null> {
  if (isStaff(principal)) return null
  const caller = { requestId: 'clients', actorId: principal.actorId, centerId: 0 }
  const rows = await directory.identity(caller, (tx) => familyRows(tx, principal.actorId), 'read')
  const own = rows.filter((row) => isGuarded(row) && row.center_id === principal.entered.centerId)
  return new Set([principal.actorId, ...own.map(({ child_id }) => child_id)])
}

export async function ask(directory: Directory, context: Context<typeof contract.createWait.spec>) {
  const { tx, body, principal } = context
  const { date, instructorId } = body
  const bookedFor = body.bookedFor ?? principal.actorId
  const { settings, instructors } = await bookable(directory, tx.caller, instructorId)
  const [instructor] = instructors
  if (!instructor)
    throw new Problem('NOT_FOUND', 'This center has no instructor with this ID. List its members to find the ID.')
  await mayBookFor(directory, context, bookedFor)
  const { timezone } = settings
  if (date < localDateOf(timezone, nowMs()))
    throw new Problem('VALIDATION_ERROR', '"date" is in the past. Choose a later day.', {
      details: { reason: 'pastDay', field: 'date' },
    })
  await lockPlaces(tx)
  const [closure] = await closuresBetween(tx, date, date)
  const ahead = ({ start }: { readonly start: number }) => start > nowMs()
  if (closure || slotsOf(settings, instructor, date, []).filter(ahead).length === 0)
    throw new Problem('CONFLICT', "The instructor can't be booked on this day at all. Choose another day.", {
      details: { reason: 'notFree' },
    })
  const taken = await takenOn(tx, date, new Set([bookedFor]))
  if (slotsOf(settings, instructor, date, taken).some(ahead))
    throw new Problem('CONFLICT', 'The instructor has a free slot on this day. Book it instead of waiting.', {
      details: { reason: 'freeSlot' },
    })
  if ((await countOf(tx, bookedFor)) >= maxOfClient)
    throw new Problem(
      'CONFLICT',
      `A client can wait for at most ${maxOfClient} days. Leave the list for another day first.`,
      { details: { reason: 'waitsFull' } },
    )
  const row = await insertWait(tx, {
    id: newUuid(),
    ...{ booked_for: bookedFor, asked_by: principal.actorId, instructor_id: instructorId, day: date },
    from_at: new Date(instantOf(timezone, date, '00:00')),
    until_at: new Date(instantOf(timezone, daysAfter(date, 1), '00:00')),
  })
  if (!row)
    throw new Problem('CONFLICT', 'This client is already on the waiting list for this instructor and day.', {
      details: { reason: 'alreadyWaits' },
    })
  await noteWait(tx, row.id, 'added', { clientId: bookedFor, instructorId, date })
  const names = await directory.asCenter(tx.caller, (own) => namesOfMembers(own, peopleOf([row])), 'read')
  return waitOf(row, names)
}

export async function waiting(directory: Directory, { tx, query, principal }: Context<typeof contract.listWaits.spec>) {
  const { page, limit, ...asked } = query
  const clientId = await clientShown(directory, principal, asked.clientId)
  const filter = { ...asked, ...(clientId !== undefined && { clientId }) }
  const { rows, total } = await pageOfWaits(tx, filter, { limit, offset: (page - 1) * limit })
  const names = await directory.asCenter(tx.caller, (own) => namesOfMembers(own, peopleOf(rows)), 'read')
  return { items: rows.map((row) => waitOf(row, names)), total }
}

/** By the client, a guardian of theirs, or staff; another's is as one that does not exist. */
export async function leave(
  directory: Directory,
  { tx, params, principal }: Context<typeof contract.deleteWait.spec>,
): Promise<void> {
  await lockPlaces(tx)
  const uuid = uuidOf('bookingWait', params.id)
  const row = uuid === null ? undefined : await lockWait(tx, uuid)
  const mayLeave =
    row &&
    (isStaff(principal) ||
      row.booked_for === principal.actorId ||
      (await guardedChild(directory, {
        ...{ actorId: principal.actorId, centerId: principal.entered.centerId, childId: row.booked_for },
      })) !== null)
  if (!row || !mayLeave)
    throw new Problem('NOT_FOUND', 'The waiting list has no entry with this ID. List it to find the ID.')
  await deleteWait(tx, row.id)
  await noteWait(tx, row.id, 'removed', { clientId: row.booked_for, instructorId: row.instructor_id, date: row.day })
  const { instructor_id, offer_starts_at: starts_at, offer_ends_at: ends_at } = row
  if (starts_at && ends_at) await offerPlace(directory, tx, { instructor_id, starts_at, ends_at })
}
