/** What the page reads beside the stops themselves: names for what can be stopped, and how much waits. */
import type { NewFreeze } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

const recent = 100

type Covered = Pick<NewFreeze, 'actorId' | 'keyId' | 'actionTypes'>

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

/** What waits and what runs of all that a stop covers. `index`: of its entry, around which runs are counted. */
export const coverageQuery = (center: string, { actorId, keyId, actionTypes }: Covered, index: number | null = null) =>
  queryOptions({
    queryKey: ['decisions', 'covered', center, actorId, keyId, actionTypes, index],
    queryFn: ({ signal }) =>
      api.freezes.getCoverage(
        {
          ...(actorId !== undefined && { actorId }),
          ...(keyId !== undefined && { keyId }),
          ...(actionTypes && { actionTypes: actionTypes.join(',') }),
          ...(index !== null && { index }),
        },
        { signal },
      ),
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
