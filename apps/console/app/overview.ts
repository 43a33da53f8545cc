/** How the platform stands, for its operator. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

/** The event stream follows a center; nothing tells a page about all of them. */
const askEveryMs = 60_000

export const overviewQuery = queryOptions({
  queryKey: ['overview', 'operator'],
  queryFn: ({ signal }) => api.admin.getOverview({ signal }),
  refetchInterval: askEveryMs,
})
