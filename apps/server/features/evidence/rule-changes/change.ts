/** Changes a policy, or records the decision that the change has to wait for. */

import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { loosened } from '../../../governance/loosens.ts'
import { type Applied, appliedOf, ownLine, policyChange } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { digestOfPolicy, policiesInForce } from '../../../governance/rules.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { requireKnownGroups } from '../../identity/groups/api.ts'
import { type ApprovalAddress, eventRows, newEvent, requestApproval } from '../decision-events/api.ts'
import { addVersion, bodyText, type VersionRow } from '../policies/api.ts'
import { type RuleChangeRow, ruleChangeRows } from './sealed-rows.ts'

export interface Asking {
  readonly center: CenterProfile
  readonly caller: Caller
  readonly person: { readonly actorId: string; readonly name: string }
  readonly approvalUrl: ApprovalAddress
}

export interface WantedChange {
  readonly id: string
  /** The version that it changes, with its text; null for a new policy. */
  readonly old: { readonly version: number; readonly body: PolicyBody } | null
  /** Null where the policy ends. */
  readonly body: PolicyBody | null
}

export type Changed = { readonly row: VersionRow } | { readonly pending: string }

/** A policy that nobody has relied on for a day may still be corrected. */
const youngMs = 86_400_000

export function changeRules(batch: Batch, asking: Asking, wanted: WantedChange): Changed {
  const { center, caller } = asking
  const { id, old, body } = wanted
  if (body) requireKnownGroups(batch, body)
  const version = (old?.version ?? 0) + 1
  const action = body === null ? 'deleted' : old ? 'updated' : 'created'
  const text = body && bodyText(body)
  const before = policiesInForce(batch, center).map(appliedOf)
  const others = before.filter((policy) => policy.id !== typedId('policy', id))
  const after = text === null ? others : [...others, appliedOf({ ...nextRow(center, id, version, text) })]
  const known = batch.rows(ruleChangeRows).find(id)
  if (known?.open) {
    throw new Problem(
      'CONFLICT',
      'A change to this policy is already waiting for approval. Approve or refuse that change first.',
    )
  }
  const loosens = isSandboxCenter(center.centerId) ? [] : loosened(before, after)
  const isFree = loosens.length === 0 || (isYoung(known, batch.at) && loosened(others, after).length === 0)
  if (isFree) {
    return { row: addVersion(batch, { center, caller, action }, id, version, body ?? (old?.body as PolicyBody)) }
  }
  const event = draftOf(batch.at, asking, wanted, { action, digest: text && digestOfPolicy(text), loosens, before })
  batch.rows(eventRows).insert(event)
  const lines = before.filter((policy) => loosens.includes(policy.id) && requirementsOf([policy], null) !== null)
  const deciding = { center, caller, event, approval: null, prior: [] }
  requestApproval(batch, deciding, lines.length > 0 ? lines : [ownLine], asking.approvalUrl)
  const row = { center_id: center.centerId, policy_id: id, since: null, asked: false }
  batch.rows(ruleChangeRows).update({ ...row, open: true, event_id: event.id, base: version - 1, policy: text })
  return { pending: typedId('decisionEvent', event.id) }
}

const nextRow = ({ centerId }: CenterProfile, id: string, version: number, policy: string) => ({
  center_id: centerId,
  id,
  version,
  policy,
  digest: digestOfPolicy(policy),
})

const isYoung = (known: RuleChangeRow | undefined, at: string): boolean =>
  known !== undefined && !known.asked && (known.since === null || Date.parse(at) - Date.parse(known.since) < youngMs)

interface Described {
  readonly action: string
  readonly digest: string | null
  readonly loosens: readonly string[]
  readonly before: readonly Applied[]
}

/** What the approver is shown: each member that differs, before and after. The digest names the text that takes effect. */
function draftOf(
  at: string,
  { center: { centerId }, person }: Asking,
  { id, old, body }: WantedChange,
  { action, digest, loosens, before }: Described,
): EventRow {
  const [was, becomes] = [old?.body ?? {}, body ?? {}] as Record<string, Json>[]
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(becomes ?? {})])]
  const differs = names.filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(becomes?.[name]))
  const part = (from: Record<string, Json> | undefined) =>
    Object.fromEntries(differs.flatMap((name) => (from?.[name] === undefined ? [] : [[name, from[name]]])))
  const input = {
    policy: old?.body.name ?? body?.name ?? '',
    id: typedId('policy', id),
    change: action,
    base: old?.version ?? 0,
    loosens: before.filter((each) => loosens.includes(each.id)).map((each) => each.body.name),
    ...(old && body && { before: part(was) }),
    ...(body ? { after: old ? part(becomes) : becomes } : {}),
    ...(digest && { digest }),
  }
  const actor = { id: person.actorId, type: 'human' as const, name: person.name }
  return newEvent(
    { type: 'policy_decision', actor, action: { type: policyChange, input } },
    { centerId, at: Date.parse(at), recordedBy: null, traceparent: null, key: null },
  )
}
