/** The members of a center who can approve, and its groups. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** So many hundreds of members with a role; no center has more. */
const maxPages = 10

async function membersWith(center: string, role: 'ADMIN' | 'INSTRUCTOR', signal: AbortSignal) {
  const found: { actorId: string; name: string }[] = []
  for (let page = 1; page <= maxPages; page += 1) {
    const { data, pagination } = await api.members.list(
      center,
      { role, status: 'ACTIVE', page, limit: 100 },
      { signal },
    )
    for (const { actorId, name } of data) if (actorId !== null) found.push({ actorId, name })
    if (page * 100 >= pagination.total) break
  }
  return found
}

/** Administrators read the member list; others know the instructors. */
async function readStaff(center: string, isAdmin: boolean, signal: AbortSignal) {
  if (!isAdmin) return (await api.instructors.list(center, { signal })).map(({ id, name }) => ({ actorId: id, name }))
  const lists = await Promise.all((['ADMIN', 'INSTRUCTOR'] as const).map((role) => membersWith(center, role, signal)))
  return [...new Map(lists.flat().map((each) => [each.actorId, each])).values()].toSorted((one, other) =>
    one.name.localeCompare(other.name),
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
