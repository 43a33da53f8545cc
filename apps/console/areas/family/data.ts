/** What a guardian sees over all centers, and what a client sees of a center. */
import type { Page } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { type Ask, usePages } from '../../app/pages.ts'
import { centerQuery, useMe } from '../../app/queries.ts'
import { addDays, dayOf, startOf, today } from '../../ui/day.ts'
import { ownAppointment } from './appointment.ts'

export const useFamily = () => useQuery({ queryKey: ['family'], queryFn: ({ signal }) => api.family.get({ signal }) })

export const useAppointments = (childId: string | undefined) =>
  useQuery({
    // Also stale when a booking changes.
    queryKey: ['bookings', 'family', childId],
    queryFn: ({ signal }) => api.family.listAppointments({ ...(childId && { childId }) }, { signal }),
  })

/** The appointments of a child, or of the signed-in client, in all centers around this time. */
export function useAround(childId: string, at: string | undefined) {
  const day = at === undefined ? today() : dayOf(at)
  return useQuery({
    queryKey: ['bookings', 'family', childId, 'around', day],
    enabled: at !== undefined,
    queryFn: ({ signal }) => {
      const span = { from: startOf(addDays(day, -1)), to: startOf(addDays(day, 2)) }
      return api.family.listAppointments({ childId, ...span }, { signal })
    },
  })
}

/**
 * The lists below name the person as the client: a client who is also staff would otherwise see those of everybody.
 * Nothing is asked before the person is known.
 */
function useOwnPages<T, C>(
  center: string,
  key: readonly unknown[],
  read: (clientId: string, ask: Ask) => Promise<Page<T, C>>,
) {
  const me = useMe()
  const clientId = me.data?.actorId ?? ''
  const list = usePages(['bookings', center, 'own', clientId, ...key], (ask) => read(clientId, ask), clientId !== '')
  return { ...list, error: me.error ?? list.error, again: me.error ? () => void me.refetch() : list.again }
}

/** From today on: what is over is in the attendance. */
export function useOwnAppointments(center: string) {
  const { data } = useQuery(centerQuery(center))
  const from = startOf(today())
  const { rows, ...rest } = useOwnPages(center, [from], (clientId, { limit, page, signal }) =>
    api.bookings.list(center, { clientId, from, limit, page }, { signal }),
  )
  const appointments = rows?.map((row) => ownAppointment(row, { domain: center, name: data?.name ?? center }))
  return { appointments, ...rest }
}

export const useOwnAttendance = (center: string) =>
  useOwnPages(center, ['attendance'], (clientId, { limit, page, signal }) =>
    api.attendance.list(center, { clientId, limit, page }, { signal }),
  )

/** The signed-in person as a client of this center. */
export function useOwnClient(center: string) {
  const { data: me } = useMe()
  const { data } = useQuery(centerQuery(center))
  return me && { childId: me.actorId, childName: me.name, centerDomain: center, centerName: data?.name ?? center }
}
