/** What this area reads. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api, sessionFetch } from '../../app/api.ts'
import { SessionRefusal } from '../../app/session.ts'
import type { Body } from './body.ts'

export type Outcome = 'completed' | 'approval_required' | 'refused'

export interface DryRun {
  readonly decisions: number
  readonly matched: number
  readonly before: Readonly<Record<Outcome, number>>
  readonly after: Readonly<Record<Outcome, number>>
  readonly changed: readonly {
    readonly eventId: string
    readonly actionType: string
    readonly createdAt: string
    readonly before: Outcome
    readonly after: Outcome
  }[]
}

export const policiesQuery = queryOptions({
  queryKey: ['policies'],
  queryFn: ({ signal }) => api.policies.list({ signal }),
})

export const useVersions = (id: string | null) =>
  useQuery({
    queryKey: ['policies', 'versions', id],
    queryFn: ({ signal }) => api.policies.listVersions(id ?? '', { signal }),
    enabled: id !== null,
  })

async function dryRun(policyId: string | null, policy: Body, signal: AbortSignal): Promise<DryRun> {
  const response = await sessionFetch('/api/console/policies/dry-run', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ policy, ...(policyId !== null && { policyId }) }),
    signal,
  })
  const answer = (await response.json()) as { data: DryRun; error?: { code: string } }
  if (!response.ok) {
    throw new SessionRefusal(
      response.status,
      answer.error?.code ?? 'UNREADABLE',
      response.headers.get('x-request-id'),
      0,
    )
  }
  return answer.data
}

/** `text` is the draft, and identifies it: the same draft is not judged twice. */
export const useDryRun = (policyId: string | null, text: string | null) =>
  useQuery({
    queryKey: ['dry-run', policyId, text],
    queryFn: ({ signal }) => dryRun(policyId, JSON.parse(text ?? '{}') as Body, signal),
    enabled: text !== null,
    staleTime: 60_000,
  })
