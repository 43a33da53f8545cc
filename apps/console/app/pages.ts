/** A long list, read page by page. */
import type { Page } from '@countersign/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'

export interface Ask {
  readonly limit: number
  readonly page: number
  readonly signal: AbortSignal
}

export function usePages<T, C>(key: readonly unknown[], read: (ask: Ask) => Promise<Page<T, C>>, enabled = true) {
  const list = useInfiniteQuery({
    queryKey: key,
    enabled,
    queryFn: ({ pageParam, signal }) => read({ limit: 50, page: pageParam, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }, _pages, page) => (pagination.hasMore ? page + 1 : undefined),
  })
  const [first] = list.data?.pages ?? []
  return {
    rows: list.data?.pages.flatMap(({ data }) => data),
    total: first?.pagination.total,
    counts: first?.counts,
    error: list.error,
    again: () => void list.refetch(),
    more: list.hasNextPage ? () => void list.fetchNextPage() : null,
  }
}
