/** What a decision about rules changes in the commit that seals it. */

import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { FiledActionType } from '@countersign/contract/policy-files.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { isOwn } from '../../../governance/policies.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { digestOfPolicy, standingPolicy } from '../../../governance/rules.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { need } from '../../../sealing/sealed-rows.ts'
import { needGroups, unknownGroup } from '../../identity/groups/api.ts'
import { actionTypeVersion, addActionType, keyOfType, needActionTypes, templateOf } from '../action-types/api.ts'
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
        needs: [needGroups, needActionTypes, need(ruleChangeRows, { event_id: id })],
        isCurrent: (batch, event) =>
          changesOf(batch, id).every((change) => isCurrent(batch, change)) &&
          typesOf(event).every(({ type, base }) => actionTypeVersion(batch, keyOfType(type)) === base),
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

/** What an import changes beside policies, as it was approved. */
export interface ImportedType {
  readonly type: string
  readonly base: number
  /** Null where the template ends. */
  readonly after: Omit<FiledActionType, 'type'> | null
}

interface ChangeInput {
  readonly digest?: string
  readonly changes?: readonly { readonly id: string; readonly digest?: string }[]
  readonly actionTypes?: readonly ImportedType[]
}

const inputOf = ({ action }: EventRow) => (action.input ?? {}) as ChangeInput
const typesOf = (event: EventRow): readonly ImportedType[] => inputOf(event).actionTypes ?? []

function approvedDigest(event: EventRow, id: string): string | undefined {
  const { digest, changes } = inputOf(event)
  return changes ? changes.find((each) => each.id === typedId('policy', id))?.digest : digest
}

export function takeTypes(
  batch: Batch,
  versioning: { center: CenterProfile; caller: Caller },
  types: readonly ImportedType[],
) {
  for (const { type, after } of types) {
    addActionType(batch, versioning, keyOfType(type), after && templateOf(type, after))
  }
}

function take(batch: Batch, event: EventRow, center: CenterProfile, caller: Caller): void {
  const changes = changesOf(batch, event.id)
  if (changes.some(({ policy_id, policy }) => policy && digestOfPolicy(policy) !== approvedDigest(event, policy_id))) {
    throw new Problem(
      'CHAIN_BROKEN',
      "The policy change that's waiting isn't the one that was approved, so nothing was sealed. Contact the operator.",
    )
  }
  for (const { policy_id: id, base, policy } of changes) {
    const old = standingPolicy(batch, id)
    const body = JSON.parse(policy ?? old?.policy ?? '{}') as PolicyBody
    const action = policy === null ? 'deleted' : old ? 'updated' : 'created'
    addVersion(batch, { center, caller, action }, id, (base ?? 0) + 1, body)
  }
  takeTypes(batch, { center, caller }, typesOf(event))
}
