/** What the page reads beside the stops themselves: names for what can be stopped, and how much waits. */
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

const recent = 100

/** Agents and action types of the newest decisions: suggestions, since anything may be stopped by its name. */
export const recentQuery = (center: string) =>
  queryOptions({
    queryKey: ['decisions', 'recent', center],
    queryFn: async ({ signal }) => {
      const { data } = await api.decisions.list({ limit: recent }, { signal })
      const agents = data.filter(({ actor }) => actor.type !== 'human').flatMap(({ actor: { id } }) => id ?? [])
      return {
        agents: [...new Set(agents)].toSorted(),
        types: [...new Set(data.map(({ action }) => action.type))].toSorted(),
      }
    },
  })

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => api.apiKeys.list({ signal }),
})

/** How many requests wait for an approval: of this agent, or of all. */
export const waitingQuery = (center: string, actorId: string | null) =>
  queryOptions({
    queryKey: ['decisions', 'waiting', center, actorId],
    queryFn: async ({ signal }) => {
      const query = { waiting: true, limit: 1, ...(actorId !== null && { actorId }) }
      return (await api.decisions.list(query, { signal })).pagination.total
    },
  })

/** Names of the administrators, who are the only people of the center that stop and lift. */
export const adminsQuery = (center: string) =>
  queryOptions({
    queryKey: ['members', center, 'admins'],
    queryFn: async ({ signal }) => {
      const { data } = await api.members.list(center, { role: 'ADMIN', limit: 100 }, { signal })
      return new Map(data.flatMap(({ actorId, name }) => (actorId === null ? [] : [[actorId, name] as const])))
    },
  })
