/** What was read, and for how long it counts as fresh. The event stream says what has changed; nothing is polled. */
import { QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

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
export const meQuery = queryOptions({ queryKey: ['me'], queryFn: ({ signal }) => api.auth.getMe({ signal }) })

/** The center itself: name, settings, and whether it is a sandbox. */
export const centerQuery = (center: string) =>
  queryOptions({ queryKey: ['center', center], queryFn: ({ signal }) => api.centers.get(center, { signal }) })

export const useMe = () => useQuery(meQuery)
