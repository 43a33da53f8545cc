/** The newest decisions of a center, for suggestions: which agents asked, and for which types of actions. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

const most = 100

export const recentQuery = (center: string) =>
  queryOptions({
    queryKey: ['decisions', 'recent', center],
    queryFn: async ({ signal }) => {
      const { data } = await api.decisions.list({ limit: most }, { signal })
      const agents = data.filter(({ actor }) => actor.type !== 'human').flatMap(({ actor: { id } }) => id ?? [])
      return {
        decisions: data,
        agents: [...new Set(agents)].toSorted(),
        types: [...new Set(data.map(({ action }) => action.type))].toSorted(),
      }
    },
  })
