/** Booking: free slots are computed, and the database's exclusion constraint decides which request gets one. */
import type { createBooking } from '@countersign/contract/bookings.ts'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { MemberPrincipal } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { TenantTx } from '../../../data/cells.ts'
import type { Caller, Directory } from '../../../data/directory.ts'
import { meaning } from '../../../data/transaction.ts'
import type { Context } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { newUuid, typedId } from '../../../lib/ids.ts'
import { localDateOf } from '../../../lib/local-time.ts'
import { Problem } from '../../../lib/problem.ts'
import { completeSettings, type OwnSettings } from '../../../verticals/defaults.ts'
import { type Catalogue, startForEvent } from '../../automation/workflows/api.ts'
import { guardedChild } from '../../identity/families/api.ts'
import { isActiveMember } from '../../identity/members/api.ts'
import { activeInstructors, type InstructorRow, ownCenter } from '../centers/api.ts'
import { noteAppointment, noteBooking } from './audit.ts'
import { requireOpen } from './closures.ts'
import { type BookingRow, bookingsBetween, insertBooking, lockPlaces } from './queries.ts'
import { freeSlots, type Interval } from './slots.ts'

export interface BookingNeeds {
  readonly catalogue: Catalogue
  readonly config: Pick<Config, 'perCenter'>
  readonly centers: CenterProfiles
  readonly directory: Directory
}

const dayMs = 86_400_000

/** Settings and instructors are in the directory, bookings in the cell: read one, then the other. */
export async function bookable(
  directory: Directory,
  caller: Caller,
  instructorId?: string,
): Promise<{ settings: OwnSettings; instructors: InstructorRow[] }> {
  return directory.asCenter(caller, async (tx) => {
    const center = await ownCenter(tx)
    const instructors = await activeInstructors(tx, instructorId)
    return { settings: completeSettings(center.vertical, center.settings), instructors }
  })
}

export async function bookedOn(tx: Parameters<typeof bookingsBetween>[0], date: string): Promise<BookingRow[]> {
  const noon = Date.parse(`${date}T12:00:00Z`)
  // In every time zone a local day is within a day and a half of its noon in UTC.
  return bookingsBetween(tx, new Date(noon - 1.5 * dayMs), new Date(noon + 1.5 * dayMs))
}

export function slotsOf(
  settings: OwnSettings,
  instructor: InstructorRow,
  date: string,
  bookings: readonly BookingRow[],
): Interval[] {
  return freeSlots({
    date,
    timezone: settings.timezone,
    openingHours: settings.booking.openingHours,
    ownHours: instructor.hours,
    slotMinutes: settings.booking.slotMinutes,
    booked: bookings
      .filter((booking) => booking.instructor_id === instructor.id)
      .map(({ starts_at, ends_at }) => ({ start: starts_at.getTime(), end: ends_at.getTime() })),
  })
}

/** Also to staff, who can take the client off the waiting list first. */
export const placeKept = () =>
  new Problem('CONFLICT', 'This slot is kept for a client who waited for it. Choose another slot.', {
    details: { reason: 'kept' },
  })

export async function book(needs: BookingNeeds, context: Context<typeof createBooking.spec>): Promise<BookingRow> {
  const { tx, body, principal } = context
  const bookedFor = body.bookedFor ?? principal.actorId
  const { instructor, slot } = await findSlot(needs.directory, tx, body.instructorId, body.startsAt, () =>
    mayBookFor(needs.directory, context, bookedFor),
  )
  await lockPlaces(tx)
  await requireOpen(tx, slot.date)
  const booked = await insertBooking(tx, {
    id: newUuid(),
    instructor_id: instructor.id,
    booked_for: bookedFor,
    booked_by: principal.actorId,
    starts_at: new Date(slot.start),
    ends_at: new Date(slot.end),
  }).catch(meaning({ booking_kept: placeKept }))
  if (!booked) {
    throw new Problem(
      'CONFLICT',
      'This slot was just booked, or the client has another appointment at that time. Choose another slot.',
      { details: { reason: 'taken' } },
    )
  }
  await noteBooking(tx, booked, 'created')
  await noteAppointment(tx, 'appointmentMade', booked)
  await notifyWorkflows(needs, tx, booked)
  return booked
}

export interface SlotOf {
  readonly instructor: InstructorRow
  readonly settings: OwnSettings
  readonly slot: Interval & { readonly date: string }
}

/** The slot of this instructor that begins then; `check` runs once the instructor is known. */
export async function findSlot(
  directory: Directory,
  tx: TenantTx,
  instructorId: string,
  startsAt: string,
  check: () => Promise<void> = async () => {},
): Promise<SlotOf> {
  const { settings, instructors } = await bookable(directory, tx.caller, instructorId)
  const [instructor] = instructors
  if (!instructor)
    throw new Problem('NOT_FOUND', 'This center has no instructor with this ID. List its members to find the ID.')
  await check()
  const start = Date.parse(startsAt)
  if (start <= nowMs())
    throw new Problem('VALIDATION_ERROR', '"startsAt" is in the past. Choose a later slot.', {
      details: { reason: 'past' },
    })
  const date = localDateOf(settings.timezone, start)
  const slot = slotsOf(settings, instructor, date, []).find((each) => each.start === start)
  if (!slot)
    throw new Problem(
      'VALIDATION_ERROR',
      'There\'s no free slot at "startsAt". Choose one from the list of available slots.',
      { details: { reason: 'notFree' } },
    )
  return { instructor, settings, slot: { ...slot, date } }
}

export const isStaff = ({ role }: { readonly role: string }): boolean => role === 'ADMIN' || role === 'INSTRUCTOR'

/** Ids and times only, because a workflow execution stores its parameters. */
export async function notifyWorkflows(
  { config, centers, catalogue }: BookingNeeds,
  tx: TenantTx,
  booked: BookingRow,
): Promise<void> {
  const { vertical } = await centers.profile(tx.caller.centerId)
  const data = {
    bookingId: typedId('booking', booked.id),
    instructorId: booked.instructor_id,
    startsAt: booked.starts_at.toISOString(),
    endsAt: booked.ends_at.toISOString(),
  }
  await startForEvent(
    tx,
    { catalogue, vertical, mostOpen: config.perCenter.maxOpenExecutions },
    { type: 'booking.created', data },
  )
}

/** A guardian books for children who are ACTIVE members of this center. */
export async function requireActiveChild(
  directory: Directory,
  { actorId, entered }: MemberPrincipal,
  childId: string,
): Promise<void> {
  const status = await guardedChild(directory, { actorId, centerId: entered.centerId, childId })
  if (status === 'ACTIVE') return
  if (status !== null)
    throw new Problem(
      'CONFLICT',
      `This child's membership is ${status}, and bookings need an ACTIVE one. Ask the center to activate it.`,
      { details: { reason: 'clientNotActive' } },
    )
  throw new Problem(
    'INSUFFICIENT_ROLE',
    'You can only book for yourself and your children. Ask the center to book for others.',
    { details: { reason: 'notYourClient' } },
  )
}

export async function mayBookFor(
  directory: Directory,
  { tx, principal }: Pick<Context<typeof createBooking.spec>, 'tx' | 'principal'>,
  bookedFor: string,
): Promise<void> {
  if (bookedFor === principal.actorId) return
  if (!isStaff(principal)) {
    await requireActiveChild(directory, principal, bookedFor)
    return
  }
  await requireMember(directory, tx, bookedFor)
}

export async function requireMember(directory: Directory, tx: TenantTx, bookedFor: string): Promise<void> {
  const isMember = await directory.asCenter(tx.caller, (own) => isActiveMember(own, bookedFor))
  if (!isMember)
    throw new Problem('NOT_FOUND', 'This center has no member with this ID. List its members to find the ID.')
}
