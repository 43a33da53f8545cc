/** The slots that can still be booked on the days of a view, and where an appointment could move to. Pure but for the query. */
import type { Closure, ListedBooking, Slot } from '@countersign/sdk'
import { useQueries, useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { addDays, type Day, dayOf, minutesOf, today } from '../../ui/day.ts'

export type SlotsByDay = ReadonlyMap<Day, readonly Slot[]>

export function useFreeSlots(center: string, days: readonly Day[], instructorId: string | undefined): SlotsByDay {
  const ahead = days.filter((day) => day >= today())
  const found = useQueries({
    queries: ahead.map((date) => ({
      // The slot picker asks the same.
      queryKey: ['bookings', center, 'slots', date, instructorId],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.bookings.listSlots(center, { date, ...(instructorId && { instructorId }) }, { signal }),
    })),
  })
  return new Map(
    ahead.map((day, at) => [
      day,
      found[at]?.data?.slots.filter(({ startsAt }) => Date.parse(startsAt) > Date.now()) ?? [],
    ]),
  )
}

/** Why a day is closed, by the day. */
export function useClosures(center: string, first: Day, days: number): ReadonlyMap<Day, string> {
  const { data } = useQuery({
    queryKey: ['bookings', center, 'closures', first, days],
    queryFn: ({ signal }) => api.closures.list(center, { from: first, to: addDays(first, days - 1) }, { signal }),
  })
  return new Map(data?.map(({ date, name }: Closure) => [date, name]))
}

/** Each time once, whoever of the instructors is free. */
export const timesOf = (slots: readonly Slot[]): Slot[] => [
  ...new Map(slots.map((slot) => [slot.startsAt, slot])).values(),
]

/** Where this appointment can move to: free slots of its instructor. */
export const targetsFor = (booking: ListedBooking, slots: SlotsByDay): Slot[] =>
  [...slots.values()].flat().filter(({ instructorId }) => instructorId === booking.instructorId)

/** The slot that lies at this time of the day. */
export const targetAt = (targets: readonly Slot[], day: Day, minutes: number): Slot | undefined =>
  targets.find(
    ({ startsAt, endsAt }) =>
      dayOf(startsAt) === day && minutesOf(startsAt) <= minutes && minutes < (minutesOf(endsAt) || 1440),
  )

export type Step = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight'

/** The next slot in that direction: on the same day, or at the nearest time of the next day that has one. */
export function nextTarget(targets: readonly Slot[], from: string, step: Step): Slot | undefined {
  const day = dayOf(from)
  const sorted = targets.toSorted((one, other) => one.startsAt.localeCompare(other.startsAt))
  const isLater = step === 'ArrowDown' || step === 'ArrowRight'
  const ahead = sorted.filter(({ startsAt }) => (isLater ? startsAt > from : startsAt < from))
  const near = isLater ? ahead : ahead.toReversed()
  if (step === 'ArrowUp' || step === 'ArrowDown') return near.find(({ startsAt }) => dayOf(startsAt) === day)
  const next = near.map(({ startsAt }) => dayOf(startsAt)).find((each) => each !== day)
  const wanted = minutesOf(from)
  const distance = ({ startsAt }: Slot) => Math.abs(minutesOf(startsAt) - wanted)
  return sorted
    .filter(({ startsAt }) => dayOf(startsAt) === next)
    .toSorted((one, other) => distance(one) - distance(other))[0]
}
