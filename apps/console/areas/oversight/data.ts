/** What the page reads. */
import type { OversightGrouping, OversightPeriod, OversightStep } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'

const freshMs = 60_000

export interface Whose {
  readonly by: OversightGrouping
  readonly id: string
}

const filterOf = (whose: Whose | null) =>
  whose === null
    ? {}
    : whose.by === 'policy'
      ? { policyId: whose.id as `pol_${string}` }
      : whose.by === 'person'
        ? { actorId: whose.id }
        : { agentId: whose.id }

export const oversightQuery = (center: string, period: OversightPeriod, step: OversightStep, whose: Whose | null) =>
  queryOptions({
    queryKey: ['oversight', center, period, step, whose],
    queryFn: ({ signal }) => api.console.getOversight({ period, step, ...filterOf(whose) }, { signal }),
    staleTime: freshMs,
  })

export const groupsQuery = (center: string, period: OversightPeriod, by: OversightGrouping) =>
  queryOptions({
    queryKey: ['oversight', center, 'groups', period, by],
    queryFn: ({ signal }) => api.console.listOversightGroups({ by, period }, { signal }),
    staleTime: freshMs,
  })
