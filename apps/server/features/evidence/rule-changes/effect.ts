/** What a decision about rules changes in the commit that seals it. */

import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { isOwn } from '../../../governance/policies.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { digestOfPolicy, standingPolicy } from '../../../governance/rules.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { needGroups, unknownGroup } from '../../identity/groups/api.ts'
import type { Effect } from '../decision-events/api.ts'
import { addVersion } from '../policies/api.ts'
import { type RuleChangeRow, ruleChangeRows } from './sealed-rows.ts'

/** Null for a decision of any other kind. */
export const effectOf = (
  { id, actionType }: { readonly id: string; readonly actionType: string },
  center: CenterProfile,
  caller: Caller,
): Effect | null =>
  isOwn(actionType)
    ? {
        needs: [needGroups, need(ruleChangeRows, { event_id: id })],
        isCurrent: (batch) => changesOf(batch, id).every((change) => isCurrent(batch, change)),
        take: (batch, event) => take(batch, event, center, caller),
      }
    : null

const changesOf = (batch: Batch, eventId: string): readonly RuleChangeRow[] =>
  batch
    .rows(ruleChangeRows)
    .all()
    .filter(({ event_id }) => event_id === eventId)

/** It was asked for this version, and for no other, and the groups that it names have not ended meanwhile. */
const isCurrent = (batch: Batch, { policy_id, base, policy }: RuleChangeRow): boolean =>
  (standingPolicy(batch, policy_id)?.version ?? 0) === base &&
  (policy === null || unknownGroup(batch, JSON.parse(policy) as PolicyBody) === undefined)

function take(batch: Batch, event: EventRow, center: CenterProfile, caller: Caller): void {
  for (const { policy_id: id, base, policy } of changesOf(batch, event.id)) {
    const { digest } = (event.action.input ?? {}) as { readonly digest?: string }
    if (policy !== null && digestOfPolicy(policy) !== digest) {
      throw new Problem(
        'CHAIN_BROKEN',
        "The policy change that's waiting isn't the one that was approved, so nothing was sealed. Contact the operator.",
      )
    }
    const old = standingPolicy(batch, id)
    const body = JSON.parse(policy ?? old?.policy ?? '{}') as PolicyBody
    const action = policy === null ? 'deleted' : old ? 'updated' : 'created'
    addVersion(batch, { center, caller, action }, id, (base ?? 0) + 1, body)
  }
}
