/** The policies that a decision waits for, as an approver has to know them. Pure. */
import type { ApprovingGuard } from '@countersign/contract/enums.ts'
import { type Applied, appliedOf } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { PolicyRow } from '../../../governance/rows.ts'

/** The policies that ask for the approval of an open decision. */
export function rulesOf({ risk_score }: { readonly risk_score: number | null }, policies: readonly Applied[]) {
  return policies.flatMap((policy) => {
    const { id, version, digest, body } = policy
    const asking = requirementsOf([policy], risk_score)
    if (!asking) return []
    return {
      id,
      version,
      digest,
      name: body.name,
      description: body.description ?? null,
      guards: asking.reasons.map(({ guard }) => guard as ApprovingGuard),
      identity: asking.identity,
      roles: body.approval?.roles ? [...body.approval.roles] : null,
      expiresAfterSeconds: asking.expiresAfterSeconds,
      usableForSeconds: asking.usableForSeconds,
      pointers: (body.match.when ?? []).map(({ pointer }) => pointer),
      conditions: [...(body.match.when ?? [])],
      riskThreshold: body.guards.riskThreshold ?? null,
    }
  })
}

/** By the ids that seals and waiting rows name. */
export const namesOfPolicies = (policies: readonly PolicyRow[]): ReadonlyMap<string, string> =>
  new Map(policies.map(appliedOf).map(({ id, body }) => [id, body.name]))
