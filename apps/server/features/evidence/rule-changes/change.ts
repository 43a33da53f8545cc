/** Changes a policy, or records the decision that the change has to wait for. */

import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { loosened } from '../../../governance/loosens.ts'
import { type Applied, appliedOf, ownLine, policyChange } from '../../../governance/policies.ts'
import { requirementsOf } from '../../../governance/requirements.ts'
import type { EventRow, PolicyRow } from '../../../governance/rows.ts'
import { digestOfPolicy, policiesInForce } from '../../../governance/rules.ts'
import { typedId } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Batch } from '../../../sealing/batch.ts'
import { requireKnownGroups } from '../../identity/groups/api.ts'
import { type ApprovalAddress, eventRows, newEvent, requestApproval, requireReadable } from '../decision-events/api.ts'
import { addVersion, bodyText, type VersionRow } from '../policies/api.ts'
import { type RuleChangeRow, ruleChangeRows } from './sealed-rows.ts'

export interface Asking {
  readonly center: CenterProfile
  readonly caller: Caller
  /** Who asks: the ADMIN, or whoever made the key that does. */
  readonly person: { readonly actorId: string; readonly name: string; readonly isKey?: boolean }
  /** The key by which they ask. */
  readonly keyId?: string
  readonly approvalUrl: ApprovalAddress
}

export interface WantedChange {
  readonly id: string
  /** The version that it changes, with its text; null for a new policy. */
  readonly old: { readonly version: number; readonly body: PolicyBody } | null
  /** Null where the policy ends. */
  readonly body: PolicyBody | null
}

export type Changed = { readonly rows: readonly VersionRow[] } | { readonly pending: string }

/** A policy that nobody has relied on for a day may still be corrected. */
const youngMs = 86_400_000

interface Weighed {
  readonly before: readonly Applied[]
  /** The policies in force that the changes would loosen; none where nobody has to agree. */
  readonly loosens: readonly string[]
}

/** What all of these changes together would loosen. `rows`: the versions in force. */
export function weigh(
  center: CenterProfile,
  rows: readonly PolicyRow[],
  wanted: readonly WantedChange[],
  known: (id: string) => Pick<RuleChangeRow, 'asked' | 'since'> | undefined,
  at: string,
): Weighed {
  const before = rows.map(appliedOf)
  const among = (changes: readonly WantedChange[]) => new Set(changes.map(({ id }) => typedId('policy', id)))
  const without = (ids: ReadonlySet<string>) => before.filter(({ id }) => !ids.has(id))
  const next = wanted.flatMap((each) =>
    each.body === null ? [] : [appliedOf(nextRow(center, each.id, versionOf(each), bodyText(each.body)))],
  )
  const after = [...without(among(wanted)), ...next]
  const loosens = isSandboxCenter(center.centerId) ? [] : loosened(before, after)
  const young = wanted.filter(({ id }) => isYoung(known(id), at))
  const isFree = loosens.length === 0 || loosened(without(among(young)), after).length === 0
  return { before, loosens: isFree ? [] : loosens }
}

const versionOf = ({ old }: WantedChange): number => (old?.version ?? 0) + 1
const actionOf = ({ old, body }: WantedChange) => (body === null ? 'deleted' : old ? 'updated' : 'created')

/** All of them take effect together, or wait as one decision. `beside` says what else takes effect with it. */
export function changeRules(
  batch: Batch,
  asking: Asking,
  wanted: readonly WantedChange[],
  beside?: Readonly<Record<string, Json>>,
): Changed {
  const { center, caller } = asking
  for (const { body } of wanted) if (body) requireKnownGroups(batch, body)
  const known = (id: string) => batch.rows(ruleChangeRows).find(id)
  if (wanted.some(({ id }) => known(id)?.open)) {
    throw new Problem(
      'CONFLICT',
      'A change to this policy is already waiting for approval. Approve or refuse that change first.',
      { details: { reason: 'changeWaits' } },
    )
  }
  const { before, loosens } = weigh(center, policiesInForce(batch, center), wanted, known, batch.at)
  if (loosens.length === 0) {
    return {
      rows: wanted.map((each) => {
        const versioning = { center, caller, action: actionOf(each) } as const
        return addVersion(batch, versioning, each.id, versionOf(each), each.body ?? (each.old?.body as PolicyBody))
      }),
    }
  }
  const names = before.filter((each) => loosens.includes(each.id)).map((each) => each.body.name)
  const [only] = wanted
  const input =
    beside || wanted.length !== 1 || !only
      ? { changes: wanted.map(describe), ...beside, loosens: names }
      : { ...describe(only), loosens: names }
  const event = draftOf(batch.at, asking, input)
  if (beside) requireReadable(event)
  batch.rows(eventRows).insert(event)
  const lines = before.filter((policy) => loosens.includes(policy.id) && requirementsOf([policy], null) !== null)
  const deciding = { center, caller, event, approval: null, prior: [] }
  requestApproval(batch, deciding, lines.length > 0 ? lines : [ownLine], asking.approvalUrl)
  for (const each of wanted) {
    const row = { center_id: center.centerId, policy_id: each.id, since: null, asked: false }
    const policy = each.body && bodyText(each.body)
    batch.rows(ruleChangeRows).update({ ...row, open: true, event_id: event.id, base: each.old?.version ?? 0, policy })
  }
  return { pending: typedId('decisionEvent', event.id) }
}

const nextRow = ({ centerId }: CenterProfile, id: string, version: number, policy: string) => ({
  center_id: centerId,
  id,
  version,
  policy,
  digest: digestOfPolicy(policy),
})

const isYoung = (known: Pick<RuleChangeRow, 'asked' | 'since'> | undefined, at: string): boolean =>
  known !== undefined && !known.asked && (known.since === null || Date.parse(at) - Date.parse(known.since) < youngMs)

/** The members that differ, before and after. */
export function differing(was: object | null, becomes: object | null) {
  const [old, next] = [was ?? {}, becomes ?? {}] as [Record<string, Json>, Record<string, Json>]
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])]
  const differs = names.filter((name) => canonical(old[name] ?? null) !== canonical(next[name] ?? null))
  const part = (from: Record<string, Json>) =>
    Object.fromEntries(differs.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name] as Json]])))
  return { before: part(old), after: part(next) }
}

/** What the approver is shown: each member that differs, before and after. The digest names the text that takes effect. */
function describe(change: WantedChange): Record<string, Json> {
  const { id, old, body } = change
  const { before, after } = differing(old?.body ?? null, body)
  return {
    policy: old?.body.name ?? body?.name ?? '',
    id: typedId('policy', id),
    change: actionOf(change),
    base: old?.version ?? 0,
    ...(old && body && { before }),
    ...(body && { after }),
    ...(body && { digest: digestOfPolicy(bodyText(body)) }),
  }
}

function draftOf(at: string, { center: { centerId }, person, keyId }: Asking, input: Record<string, Json>): EventRow {
  const actor = {
    id: person.actorId,
    type: person.isKey ? ('service' as const) : ('human' as const),
    name: person.name,
  }
  return newEvent(
    { type: 'policy_decision', actor, action: { type: policyChange, input } },
    { centerId, at: Date.parse(at), recordedBy: keyId ?? null, traceparent: null, key: null },
  )
}
