/** The members of a center who can approve, and its groups. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** Administrators read the member list; others know the instructors. */
async function readStaff(center: string, isAdmin: boolean, signal: AbortSignal) {
  if (!isAdmin) return (await api.instructors.list(center, { signal })).map(({ id, name }) => ({ actorId: id, name }))
  const { data } = await api.members.list(center, { status: 'ACTIVE', limit: 100 }, { signal })
  return data.flatMap(({ actorId, name, role }) =>
    actorId !== null && (role === 'ADMIN' || role === 'INSTRUCTOR') ? [{ actorId, name }] : [],
  )
}

export const staffQuery = (center: string, isAdmin: boolean) =>
  queryOptions({
    queryKey: ['members', center, 'staff'],
    queryFn: ({ signal }) => readStaff(center, isAdmin, signal),
  })

/** Groups that approval lines name. */
export const groupsQuery = (center: string) =>
  queryOptions({ queryKey: ['groups', center], queryFn: ({ signal }) => api.groups.list(center, { signal }) })
