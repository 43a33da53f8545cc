/** What this area reads. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import type { Body } from './body.ts'

/** What an unsaved policy is called while it is judged: its name changes no outcome. */
export const draftName = 'draft'

export const useVersions = (id: string | null) =>
  useQuery({
    queryKey: ['policies', 'versions', id],
    queryFn: ({ signal }) => api.policies.listVersions(id ?? '', { signal }),
    enabled: id !== null,
  })

/** `text` is the draft, and identifies it: the same draft is not judged twice. */
export const useDryRun = (policyId: string | null, text: string | null) =>
  useQuery({
    queryKey: ['dry-run', policyId, text],
    queryFn: ({ signal }) => {
      const policy = JSON.parse(text ?? '{}') as Body
      return api.console.dryRunPolicy({ policy, ...(policyId !== null && { policyId }) }, { signal })
    },
    enabled: text !== null,
    staleTime: 60_000,
  })

const nowhere = '/action/input/amount'

/** As deep as the pointer says. */
function inputWith(pointer: string, value: number): Record<string, unknown> {
  const names = pointer.split('/').slice(3)
  return names.reduceRight<unknown>((inside, name) => ({ [name]: inside }), value) as Record<string, unknown>
}

/**
 * What the draft and the other policies would ask of a request that the draft is about. Without a value every condition counts as
 * met, so that the draft's line is among the lines.
 */
export const useCheck = (
  policyId: string | null,
  text: string | null,
  { pointer, value }: { readonly pointer: string; readonly value: number | null } = { pointer: nowhere, value: null },
) =>
  useQuery({
    queryKey: ['policy-check', policyId, text, pointer, value],
    queryFn: ({ signal }) => {
      const policy = JSON.parse(text ?? '{}') as Body
      const type = (policy.match.actionTypes?.[0] ?? 'any').replaceAll('*', 'any')
      const input = value === null ? {} : { input: inputWith(pointer, value) }
      const draft = { policy, ...(policyId !== null && { policyId }) }
      return api.policies.check(
        { agent: { id: 'policy-check' }, action: { type, description: type, ...input }, draft },
        { signal },
      )
    },
    enabled: text !== null,
    staleTime: 60_000,
  })
