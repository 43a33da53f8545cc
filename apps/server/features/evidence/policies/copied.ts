/** The rules of a center in its sandbox: as the sandbox begins, and each time they are copied again. */
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { ActionTemplate } from '@countersign/proof/action-template.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { needPolicies, policyRule, policyRules } from '../../../governance/rules.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { createGroup, endGroup, groupsIn, needGroups, updateGroup } from '../../identity/groups/api.ts'
import {
  actionTypeVersion,
  actionTypeVersions,
  addActionType,
  keyOfType,
  needActionTypes,
  requireRoomForTypes,
} from '../action-types/api.ts'
import { addVersion } from './policy.ts'

export interface CopiedGroup {
  readonly id: string
  readonly name: string
  readonly actorIds: readonly string[]
}

/** Policies and groups have the IDs of those that they are copies of. */
export interface RuleCopy {
  /** Canonical texts. */
  readonly policies: readonly { readonly id: string; readonly policy: string }[]
  readonly groups: readonly CopiedGroup[]
  /** Canonical texts of templates. */
  readonly types: readonly string[]
}

interface Copying {
  readonly center: CenterProfile
  readonly caller: Caller
}

/** Nothing is sealed while rules change. */
export const copyHolds = { chains: ['history', 'proof'], rows: [needPolicies, needGroups, needActionTypes] } as const

/** In a sandbox everybody counts at once. */
const adding = ({ actorIds }: CopiedGroup) => ({
  makers: [],
  mayJoin: new Set(actorIds),
  countsFrom: (at: string) => at,
})

/** Once: whatever became of them since stays. All are written in one commit, so that one of them stands for all. */
export function copyFirst(batch: Batch, copying: Copying, { policies, groups, types }: RuleCopy): void {
  const isWritten =
    policies.some(({ id }) => policyRule(batch, id)) ||
    (policies.length === 0 && (groupsIn(batch).length > 0 || actionTypeVersions(batch).length > 0))
  if (isWritten) return
  for (const { id, policy } of policies) {
    addVersion(batch, { ...copying, action: 'created' }, id, 1, JSON.parse(policy) as PolicyBody)
  }
  for (const group of groups) createGroup(batch, copying, group.id, group, adding(group))
  for (const text of types) putType(batch, copying, text)
}

function putType(batch: Batch, copying: Copying, text: string): void {
  const template = JSON.parse(text) as ActionTemplate
  addActionType(batch, copying, keyOfType(template.type), template)
}

/** Until the sandbox has the same rules again, and no others. `typesNow`: the texts in force there, by key. */
export function copyAgain(
  batch: Batch,
  copying: Copying,
  { policies, groups, types }: RuleCopy,
  typesNow: ReadonlyMap<string, string>,
): void {
  const keys = new Map(types.map((text) => [keyOfType((JSON.parse(text) as ActionTemplate).type), text]))
  requireRoomForTypes(batch, [...keys.keys()].filter((key) => actionTypeVersion(batch, key) === 0).length)
  const wanted = new Map(policies.map(({ id, policy }) => [id, policy]))
  for (const row of policyRules(batch).filter(({ center_id, deleted }) => center_id !== null && !deleted)) {
    if (wanted.has(row.id)) continue
    addVersion(batch, { ...copying, action: 'deleted' }, row.id, row.version + 1, JSON.parse(row.policy) as PolicyBody)
  }
  for (const [id, policy] of wanted) {
    const row = policyRule(batch, id)
    if (row && !row.deleted && row.policy === policy) continue
    const action = row && !row.deleted ? 'updated' : 'created'
    addVersion(batch, { ...copying, action }, id, (row?.version ?? 0) + 1, JSON.parse(policy) as PolicyBody)
  }
  const standing = groupsIn(batch)
  for (const row of standing) if (!groups.some(({ id }) => id === row.id)) endGroup(batch, copying, row)
  for (const group of groups) {
    const row = standing.find(({ id }) => id === group.id)
    if (row) updateGroup(batch, copying, row, group, adding(group))
    else createGroup(batch, copying, group.id, group, adding(group))
  }
  for (const [key, text] of keys) if (typesNow.get(key) !== text) putType(batch, copying, text)
  for (const key of typesNow.keys()) if (!keys.has(key)) addActionType(batch, copying, key, null)
}
