/** The agents that ask for decisions in a center, which administrators read. */
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

export const agentsQuery = (center: string) =>
  queryOptions({
    // What is recorded and decided changes it.
    queryKey: ['decisions', 'agents', center],
    queryFn: ({ signal }) => api.console.listAgents({ signal }),
  })
