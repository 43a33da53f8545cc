/** What the last decisions would have met under a policy that is not saved. Pure but for the queries. */
import type { dryRunPolicy } from '@countersign/contract/console-policies.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { factsOfEvent, matchPolicies } from '../../../governance/policies.ts'
import type { PolicyRow } from '../../../governance/rows.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { outcomeOf } from './check.ts'
import type { JudgedDecision } from './dry-run-queries.ts'
import { unknownPolicy, type VersionRow } from './policy.ts'
import { requireSound } from './sound.ts'

type DryRun = BodyOf<(typeof dryRunPolicy)['spec']>
type Outcome = ReturnType<typeof outcomeOf>

const draftId = '00000000-0000-0000-0000-000000000000'
const mostShown = 100

/** The policies as they would stand, and the row of the policy that is tried; null where it is withdrawn. */
export function planned(rows: readonly VersionRow[], { policyId, policy, withdraw }: DryRun) {
  if (withdraw ? policy !== undefined || policyId === undefined : policy === undefined) {
    throw new Problem(
      'VALIDATION_ERROR',
      'The request has nothing to test. Send "policy", or "policyId" with "withdraw": true.',
      { details: { reason: 'nothingToTest' } },
    )
  }
  const id = policyId === undefined ? null : uuidOf('policy', policyId)
  const old = rows.find((row) => row.id === id)
  const isOwn = old !== undefined && (JSON.parse(old.policy) as PolicyBody).scope === 'center'
  if (policyId !== undefined && !isOwn) throw unknownPolicy()
  const others: readonly PolicyRow[] = rows.filter((row) => row !== old)
  if (policy === undefined) return { after: others, tried: old }
  const body: PolicyBody = { ...policy, scope: 'center' }
  requireSound(body)
  const tried: PolicyRow = {
    ...(rows[0] as VersionRow),
    id: old?.id ?? draftId,
    version: (old?.version ?? 0) + 1,
    policy: JSON.stringify(body),
    digest: '',
  }
  return { after: [...others, tried], tried }
}

const none = () => ({ completed: 0, approval_required: 0, refused: 0 })

export function dryRun(
  request: DryRun,
  rows: readonly VersionRow[],
  decisions: readonly JudgedDecision[],
  center: CenterProfile,
) {
  const { after, tried } = planned(rows, request)
  const counts = { before: none(), after: none() }
  const changed: { eventId: string; actionType: string; createdAt: string; before: Outcome; after: Outcome }[] = []
  let matched = 0
  for (const event of decisions) {
    const facts = factsOfEvent(event)
    const [was, would] = [outcomeOf(rows, event, center), outcomeOf(after, event, center)]
    counts.before[was]++
    counts.after[would]++
    if (tried && matchPolicies([tried], facts, center).length > 0) matched++
    if (was === would || changed.length === mostShown) continue
    const { id, action, created_at } = event
    const createdAt = new Date(created_at).toISOString()
    changed.push({
      eventId: typedId('decisionEvent', id),
      actionType: action.type,
      createdAt,
      before: was,
      after: would,
    })
  }
  return { decisions: decisions.length, matched, ...counts, changed }
}
