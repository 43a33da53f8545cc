/** What a guardian sees, over all centers. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

export const useFamily = () => useQuery({ queryKey: ['family'], queryFn: ({ signal }) => api.family.get({ signal }) })

export const useAppointments = (childId: string | undefined) =>
  useQuery({
    // Also stale when a booking changes.
    queryKey: ['bookings', 'family', childId],
    queryFn: ({ signal }) => api.family.listAppointments({ ...(childId && { childId }) }, { signal }),
  })
