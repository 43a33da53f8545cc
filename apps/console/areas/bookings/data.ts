/** Appointments as the views need them. */
import type { ListedBooking } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { addDays, type Day, startOf } from '../../ui/day.ts'

/** A week of a large center; more than this many do not fit on a page anyway. */
const mostInView = 500

export interface Span {
  readonly first: Day
  readonly days: number
}

export const useBookings = (center: string, { first, days }: Span) =>
  useQuery({
    queryKey: ['bookings', center, 'span', first, days],
    queryFn: async ({ signal }) => {
      const query = { from: startOf(first), to: startOf(addDays(first, days)), limit: 100 }
      const found: ListedBooking[] = []
      for await (const booking of api.bookings.list(center, query, { signal })) {
        found.push(booking)
        if (found.length === mostInView) break
      }
      return found
    },
  })

/** How many have begun and are neither attended nor missed. */
export const useUnnoted = (center: string) =>
  useQuery({
    queryKey: ['bookings', center, 'unnoted'],
    queryFn: async ({ signal }) => {
      const query = { status: 'booked', to: new Date().toISOString(), limit: 1 } as const
      return (await api.bookings.list(center, query, { signal })).pagination.total
    },
  })

export const useCenterHours = (center: string) =>
  useQuery({
    queryKey: ['center', center],
    queryFn: ({ signal }) => api.centers.get(center, { signal }),
    staleTime: 300_000,
  })

export const useInstructors = (center: string) =>
  useQuery({
    queryKey: ['instructors', center],
    queryFn: ({ signal }) => api.instructors.list(center, { signal }),
    staleTime: 300_000,
  })

/** Opens the days that were open before. */
export async function openAgain(center: string, closures: readonly { readonly date: string }[]): Promise<void> {
  for (const { date } of closures) await api.closures.remove(center, date)
}
