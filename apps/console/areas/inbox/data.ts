/** What the inbox reads. */
import type { InboxOrder, InboxView } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

/** One page holds what people work through; the counts cover all. */
const most = 100

export const inboxQuery = (center: string, view: InboxView, sort: InboxOrder) =>
  queryOptions({
    queryKey: ['inbox', center, view, sort],
    queryFn: ({ signal }) => api.console.listInbox({ view, sort, limit: most }, { signal }),
  })

export const oversightQuery = (center: string, days: number) =>
  queryOptions({
    queryKey: ['decisions', 'oversight', center, days],
    queryFn: ({ signal }) => api.console.getOversight({ days }, { signal }),
  })
