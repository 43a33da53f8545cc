/** An execution and its draft. */
import type { NamedDpu } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../app/api.ts'

export const useRun = (executionId: string) =>
  useQuery({
    queryKey: ['workflows', 'run', executionId],
    queryFn: ({ signal }) => api.executions.get(executionId, { signal }),
    // A safety net beside the event stream, while it runs.
    refetchInterval: ({ state }) => (state.data?.status === 'RUNNING' ? 30_000 : false),
  })

export const draftKey = (dpuId: string | null | undefined) => ['workflows', 'draft', dpuId] as const

export const useDraft = (dpuId: string | null | undefined) =>
  useQuery({
    queryKey: draftKey(dpuId),
    enabled: Boolean(dpuId),
    queryFn: ({ signal }) => api.dpus.get(dpuId ?? '', { signal }),
  })

export type Draft = NamedDpu & { readonly draft: NonNullable<NamedDpu['draft']> }
export const isDraft = (dpu: NamedDpu): dpu is Draft => dpu.draft !== null

/** What changes with a draft: its page, the lists of executions, the first page, the inbox and the decisions. */
export const changedWithDraft = ['workflows', 'today', 'decisions']
