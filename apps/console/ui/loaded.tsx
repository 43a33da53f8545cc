/** What a query has read, or its skeleton, or why it failed. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorPanel } from './error-panel.tsx'
import { Skeleton } from './skeleton.tsx'

interface Properties<T> {
  readonly query: UseQueryResult<T>
  readonly skeletonRows: number
  readonly children: (data: T) => ReactNode
}

export const Loaded = <T,>({ query: { data, error, refetch }, skeletonRows, children }: Properties<T>) => (
  <>
    {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
    {data === undefined && !error && <Skeleton rows={skeletonRows} />}
    {data !== undefined && children(data)}
  </>
)
