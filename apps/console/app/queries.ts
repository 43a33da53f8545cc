/** What was read, and for how long it counts as fresh. The event stream says what has changed; nothing is polled. */
import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { speak } from './language.ts'
import { learnTerms } from './terms.ts'

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The client already repeats what can succeed.
      retry: false,
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

/** The person, with the memberships. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  async queryFn({ signal }) {
    const me = await api.auth.getMe({ signal })
    // The language of the account is that of each browser in which the person signs in.
    if (me.language !== null) speak(me.language)
    return me
  },
})

/** The center itself: name, settings, and whether it is a sandbox. */
export const centerQuery = (center: string) =>
  queryOptions({
    queryKey: ['center', center],
    async queryFn({ signal }) {
      const found = await api.centers.get(center, { signal })
      learnTerms(center, found.settings.terms)
      return found
    },
  })

/** What members open from the center; it changes with the installation. */
export const appsQuery = (center: string) =>
  queryOptions({
    queryKey: ['apps', center],
    staleTime: 300_000,
    queryFn: ({ signal }) => api.centers.listApps(center, { signal }),
  })

export const useMe = () => useQuery(meQuery)
