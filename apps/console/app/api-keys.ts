/** The API keys of the entered center, which administrators read. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => api.apiKeys.list({ signal }),
})
