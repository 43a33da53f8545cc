/** Booking, moving and canceling, and how each is taken back. */
import type { ListedBooking, Slot } from '@countersign/sdk'
import { api } from '../../app/api.ts'
import type { Appointment } from './overlap.ts'

/** One of the signed-in client: only their own are in their list. */
export const ownAppointment = (
  { bookedFor, clientName, ...rest }: ListedBooking,
  center: { readonly domain: string; readonly name: string },
): Appointment => ({
  ...rest,
  centerDomain: center.domain,
  centerName: center.name,
  childId: bookedFor,
  childName: clientName ?? '',
})

/** What was done with an appointment, as the message says it. */
export interface DoneWith {
  readonly what: 'booked' | 'moved' | 'canceled'
  /** As it is now; of a canceled one, as it was. */
  readonly appointment: Appointment
  readonly undo?: (() => Promise<unknown>) | undefined
}

const isAhead = ({ startsAt }: Pick<Appointment, 'startsAt'>) => Date.parse(startsAt) > Date.now()
/** It can be moved or canceled. */
export const isOpen = (appointment: Appointment): boolean => appointment.status === 'booked' && isAhead(appointment)

export interface Client {
  readonly childId: string
  readonly childName: string
  readonly centerDomain: string
  readonly centerName: string
}

export async function book(client: Client, slot: Slot): Promise<DoneWith> {
  const { instructorId, startsAt } = slot
  const { centerDomain, childId } = client
  const booking = await api.bookings.create(centerDomain, { instructorId, startsAt, bookedFor: childId })
  const appointment = { ...client, ...slot, id: booking.id, status: booking.status, reason: null }
  return { what: 'booked', appointment, undo: () => api.bookings.cancel(centerDomain, booking.id) }
}

export async function move(before: Appointment, slot: Slot): Promise<DoneWith> {
  const to = ({ startsAt, instructorId }: Pick<Slot, 'startsAt' | 'instructorId'>) =>
    api.bookings.move(before.centerDomain, before.id, { startsAt, instructorId })
  await to(slot)
  const appointment = { ...before, ...slot }
  return { what: 'moved', appointment, ...(isAhead(before) && { undo: () => to(before) }) }
}

/** It is taken back by booking the same time again, which somebody else may have taken since. */
export async function cancel(appointment: Appointment, reason: string): Promise<DoneWith> {
  const { centerDomain, id, childId, instructorId, startsAt } = appointment
  if (reason === '') await api.bookings.cancel(centerDomain, id)
  else await api.bookings.cancelWithReason(centerDomain, id, { reason })
  const undo = () => api.bookings.create(centerDomain, { instructorId, startsAt, bookedFor: childId })
  return { what: 'canceled', appointment, ...(isAhead(appointment) && { undo }) }
}
