/** What this area reads. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import type { Body } from './body.ts'

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: ({ signal }) => api.policies.list({ signal }),
})

export const useVersions = (id: string | null) =>
  useQuery({
    queryKey: ['policies', 'versions', id],
    queryFn: ({ signal }) => api.policies.listVersions(id ?? '', { signal }),
    enabled: id !== null,
  })

/** `text` is the draft, and identifies it: the same draft is not judged twice. */
export const useDryRun = (policyId: string | null, text: string | null) =>
  useQuery({
    queryKey: ['dry-run', policyId, text],
    queryFn: ({ signal }) => {
      const policy = JSON.parse(text ?? '{}') as Body
      return api.console.dryRunPolicy({ policy, ...(policyId !== null && { policyId }) }, { signal })
    },
    enabled: text !== null,
    staleTime: 60_000,
  })
