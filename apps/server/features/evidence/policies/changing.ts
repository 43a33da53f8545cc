/** What every change of a policy of a center requires. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { type CenterProfile, isInherited } from '../../../data/center-profile.ts'
import type { PolicyRow } from '../../../governance/rows.ts'
import { needPolicies, policyRule, policyRules } from '../../../governance/rules.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { limitReached, Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { unknownPolicy } from './policy.ts'

/** Nothing is sealed while the policies change, so that a seal names the version in force when it was made. */
export const holds = { chains: ['history', 'proof'], rows: [needPolicies] } as const

/** The version in force, locked through the chain `history`, which every change of a policy appends to. */
export function standing(batch: Batch, id: string | null): PolicyRow & { body: PolicyBody } {
  const row = policyRule(batch, id ?? '')
  if (!row || row.deleted) throw unknownPolicy()
  return { ...row, body: JSON.parse(row.policy) as PolicyBody }
}

export const isFixed = (center: CenterProfile, id: string): boolean =>
  center.inherited?.isFixed === true && isInherited(center, id)

export function requireOwn(center: CenterProfile, id: string | null): void {
  if (id === null || !isFixed(center, id)) return
  throw new Problem(
    'FORBIDDEN',
    "This policy is set by the partner, so the center can't change it. Ask the partner to change it.",
    { details: { reason: 'partnersPolicy' } },
  )
}

/** `mostStanding` limits the time of a seal, which reads all policies while other seals of the batch wait. */
const mostEver = 1000

export function requireRoom(batch: Batch, mostStanding: number, { created, ended } = { created: 1, ended: 0 }): void {
  if (created === 0) return
  const own = policyRules(batch).filter(({ center_id }) => center_id !== null)
  if (own.filter(({ deleted }) => !deleted).length + created - ended > mostStanding) {
    throw limitReached('maxPolicies', mostStanding, 'policies in force', 'Change or delete one of them')
  }
  if (own.length + created > mostEver) {
    throw new Problem(
      'CONFLICT',
      `This center has created ${mostEver} policies, the maximum, counting deleted ones. Change one that's in force.`,
      { details: { reason: 'maxEverPolicies' } },
    )
  }
}

/** After the commit: decisions that wait are judged again. */
export const waking =
  (jobs: Jobs, { cell, centerId }: CenterProfile) =>
  <T>(answer: T): T => {
    jobs.wake(cell, 'waiting-decisions', { centerId })
    return answer
  }
