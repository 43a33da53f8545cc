/** The policies that a decision waits for, as an approver has to know them. Pure. */
import type { ApprovingGuard } from '@countersign/contract/enums.ts'
import { appliedOf } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { PolicyRow } from '../../../governance/rows.ts'

interface Asked {
  readonly waiting: { readonly policies: readonly { readonly id: string; readonly version: number }[] } | null
  readonly risk_score: number | null
}

export function rulesOf({ waiting, risk_score }: Asked, policies: readonly PolicyRow[]) {
  if (!waiting) return []
  const asked = waiting.policies.map(({ id, version }) => `${id} ${version}`)
  return policies.map(appliedOf).flatMap((policy) => {
    const { id, version, body } = policy
    const asking = asked.includes(`${id} ${version}`) ? requirementsOf([policy], risk_score) : null
    if (!asking) return []
    return {
      id,
      version,
      name: body.name,
      description: body.description ?? null,
      guards: asking.reasons.map(({ guard }) => guard as ApprovingGuard),
      identity: asking.identity,
      roles: body.approval?.roles ? [...body.approval.roles] : null,
      expiresAfterSeconds: asking.expiresAfterSeconds,
      pointers: (body.match.when ?? []).map(({ pointer }) => pointer),
      conditions: [...(body.match.when ?? [])],
      riskThreshold: body.guards.riskThreshold ?? null,
    }
  })
}

/** By the ids that seals and waiting rows name. */
export const namesOfPolicies = (policies: readonly PolicyRow[]): ReadonlyMap<string, string> =>
  new Map(policies.map(appliedOf).map(({ id, body }) => [id, body.name]))
