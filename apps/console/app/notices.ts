/** What concerns the whole center now: one answer for all pages of it. */
import type { Notices } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'

const everyMs = 300_000

export type { Notices }

export const useNotices = (center: string) =>
  useQuery({
    queryKey: ['notices', center],
    queryFn: ({ signal }) => api.console.getNotices({ signal }),
    staleTime: everyMs,
    refetchInterval: everyMs,
  })
