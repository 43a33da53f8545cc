/** Every page of what was found, up to what still is a list for paper. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { foundQuery } from './data.ts'
import type { Filters } from './search.ts'

const mostPrinted = 600

export function useListPages(center: string, filters: Filters) {
  const found = useInfiniteQuery(foundQuery(center, filters))
  const items = found.data?.pages.flatMap(({ decisions }) => decisions) ?? []
  const { hasNextPage, isFetching, error, fetchNextPage } = found
  const isComplete = !hasNextPage
  const goesOn = hasNextPage && items.length < mostPrinted && !error
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage()
  }, [goesOn, isFetching, fetchNextPage])
  return { items, isComplete, isPending: found.isPending || goesOn, error, again: () => void found.refetch() }
}
