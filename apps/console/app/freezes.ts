/** The stops of a center: those in force, then the last ones that were lifted. */
import type { Freeze } from '@countersign/sdk'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { useRole } from './role.ts'

export const freezesQuery = (center: string) =>
  queryOptions({ queryKey: ['freezes', center], queryFn: ({ signal }) => api.freezes.list({ signal }) })

export const inForce = (freezes: readonly Freeze[] | undefined): readonly Freeze[] =>
  (freezes ?? []).filter(({ liftedAt }) => liftedAt === null)

/** Those in force, for everyone who works with decisions. */
export function useFreezes(center: string): readonly Freeze[] {
  const role = useRole(center)
  const { data } = useQuery({ ...freezesQuery(center), enabled: role === 'ADMIN' || role === 'INSTRUCTOR' })
  return inForce(data)
}
