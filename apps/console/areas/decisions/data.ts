/** What the list and the detail read. */
import type { DecisionCounts } from '@countersign/sdk'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { checkApart } from './checking.ts'
import { countedBy, type Filters, queryOf } from './search.ts'

const pageSize = 30

export const foundQuery = (center: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['decisions', 'found', center, filters],
    queryFn: ({ signal, pageParam }) =>
      api.search.decisions(
        { ...queryOf(filters), limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

/** Of each kind of thing beside the decisions: the most that one answer has. */
export const mostOfKind = 10

export const kindsQuery = (center: string, q: string) =>
  queryOptions({
    queryKey: ['decisions', 'kinds', center, q],
    queryFn: ({ signal }) => api.search.all({ q, limit: mostOfKind }, { signal }),
  })

export const actionTypesQuery = (center: string) =>
  queryOptions({
    queryKey: ['action-types', center, 'names'],
    queryFn: ({ signal }) => api.actionTypes.list({ signal }),
    staleTime: 60_000,
  })

/** The total and the numbers beside the states. A search has none: it stops when a page is full. */
export const countsQuery = (center: string, filters: Filters) => {
  const counted = countedBy(filters)
  return queryOptions({
    queryKey: ['decisions', 'counts', center, counted],
    enabled: counted !== null,
    queryFn: ({ signal }) => api.decisions.list({ ...counted, limit: 1 }, { signal }),
  })
}

/** How many there are in each state, by the words of the list. */
export function countsOf({ byStatus, waiting }: DecisionCounts) {
  const { recorded, approved, sealed, rejected } = byStatus
  return { all: recorded + approved + sealed + rejected, waiting, sealed, rejected }
}

/** The exact bytes of the proof, and what they say. */
export const exportQuery = (dpuId: string) =>
  queryOptions({
    queryKey: ['decisions', dpuId, 'export'],
    queryFn: async ({ signal }) => {
      const { data, text } = await api.dpus.export(dpuId, {}, { signal }).withResponse()
      return { document: data as unknown as ProofFile, text }
    },
  })

/** With the texts of the policies, so that a verifier can check the approval lines: for readers who may know the policies. */
export const textWithPolicies = async (dpuId: string): Promise<string> =>
  (await api.dpus.export(dpuId, { policies: 'text' }).withResponse()).text

export interface ProofFile {
  readonly evidence: Readonly<Record<string, unknown>> & {
    readonly evidenceLevel: 'DRAFT' | 'DOCUMENTED' | 'AUDIT_READY'
    readonly commitments?: Readonly<Record<string, string>>
    readonly disclosures?: Readonly<Record<string, string>>
    readonly chain: { readonly previousHash: string | null; readonly index: number; readonly hash: string }
  }
  readonly verification: { readonly verifyUrl: string }
}

export const responsibilityQuery = (dpuId: string) =>
  queryOptions({
    queryKey: ['decisions', dpuId, 'responsibility'],
    queryFn: ({ signal }) => api.dpus.getResponsibility(dpuId, { signal }),
  })

/** Names for the policies that a record mentions by id; without the right to read them the ids stay. */
export const policyNamesQuery = (center: string) =>
  queryOptions({
    queryKey: ['policies', center, 'names'],
    queryFn: async ({ signal }) => {
      const list = await api.policies.list({ signal }).catch(() => [])
      return new Map(list.map(({ id, name }) => [id, name]))
    },
  })

export const checkedQuery = (dpuId: string, text: string) =>
  queryOptions({
    queryKey: ['decisions', dpuId, 'checked', text],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { policy } = await api.logs.get({ signal })
      return checkApart({ text, policy }, signal)
    },
  })

/** From the requests about a decision to the deliveries of its events. */
export const traceQuery = (eventId: string) =>
  queryOptions({
    queryKey: ['decisions', eventId, 'trace'],
    queryFn: ({ signal }) => api.console.getTrace(eventId, { signal }),
  })
