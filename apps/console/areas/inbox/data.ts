/** What the inbox reads. */
import type { InboxOrder, InboxView } from '@countersign/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useRoles } from '../../app/role.ts'

/** One page holds what people work through; the counts cover all. */
const most = 100

export const inboxQuery = (center: string, view: InboxView, sort: InboxOrder) =>
  queryOptions({
    queryKey: ['inbox', center, view, sort],
    queryFn: ({ signal }) => api.console.listInbox({ view, sort, limit: most }, { signal }),
  })

/** Drafts that this person was asked to review, of the same answer as the first page. */
export function useSentDrafts(center: string) {
  const isStaff = useRoles(center).some((role) => role === 'ADMIN' || role === 'INSTRUCTOR')
  const { data } = useQuery({
    queryKey: ['today', center],
    queryFn: ({ signal }) => api.console.getToday({ signal }),
    enabled: isStaff,
  })
  return data?.drafts.filter(({ sentToMe }) => sentToMe) ?? []
}
