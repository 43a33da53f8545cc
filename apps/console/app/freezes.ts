/** The stops of a center: those in force, then the last ones that were lifted. */
import type { Freeze } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from './api.ts'

export const freezesQuery = (center: string) =>
  queryOptions({ queryKey: ['freezes', center], queryFn: ({ signal }) => api.freezes.list({ signal }) })

export const inForce = (freezes: readonly Freeze[] | undefined): readonly Freeze[] =>
  (freezes ?? []).filter(({ liftedAt }) => liftedAt === null)
