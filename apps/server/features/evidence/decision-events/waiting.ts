/** What an open decision waits for, judged on policies that may change: the seal judges again. Pure, except for recording it. */
import type { ApprovingGuard } from '@countersign/contract/enums.ts'
import type { PolicyApproval } from '@countersign/contract/policy-body.ts'
import { canonical, type Json } from '@countersign/proof/canonical.ts'
import { lineOf as stepsOf } from '@countersign/proof/line.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import type { Caller } from '../../../data/directory.ts'
import { type Applied, appliedOf, factsOfEvent, isOwn, matchPolicies, named } from '../../../governance/policies.ts'
import { type Requirements, requirementsOf } from '../../../governance/requirements.ts'
import type { EventRow, PolicyRow } from '../../../governance/rows.ts'
import { now } from '../../../lib/clock.ts'
import { typedId, uuidOf } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import { beginWaiting, findEvent, type PolicyCopy, policyCopy } from './queries.ts'

export interface WaitingRow {
  readonly center_id: number
  readonly event_id: string
  readonly since: string
  readonly reasons: readonly ApprovingGuard[]
  readonly policies: readonly { readonly id: string; readonly version: number; readonly digest: string }[]
  readonly expires_at: string | null
  /** Until when the requester takes an answer; null where it named no time. */
  readonly deadline: string | null
  readonly escalates_at: string | null
  /** The number of versions of policies that it was judged under; null for the present number. */
  readonly versions: number | null
  /** The versions that asked when it began to wait, by the ids of the rows; null in rows of 0.1.0. */
  readonly pinned: readonly { readonly id: string; readonly version: number }[] | null
  /** Whom the policies that ask name to be told when the decision is closed; null for nobody. */
  readonly informing: PolicyApproval['inform'] | null
  /** Their texts. Absent in a new row. */
  readonly lines?: readonly PolicyRow[]
  /** Whether chat channels were notified. Absent in a new row. */
  readonly announced?: boolean
  /** Whether members were noted as to be told, when, and after how many approvals and approvals taken back. Absent in a new row. */
  readonly told?: boolean
  readonly told_at?: string | null
  readonly told_changes?: number
}

/** The page on which a member approves a decision. The address contains no credential. */
export function approvalAddress({ authUrl }: Pick<Config, 'authUrl'>): (eventId: string) => string {
  const { origin } = new URL(authUrl)
  return (eventId) => `${origin}/approve/${eventId}`
}
export type ApprovalAddress = ReturnType<typeof approvalAddress>

export type JudgedEvent = Pick<
  EventRow,
  | 'center_id'
  | 'id'
  | 'decision_id'
  | 'type'
  | 'actor'
  | 'action'
  | 'ai_context'
  | 'tags'
  | 'risk_score'
  | 'action_digest'
>

const later = (since: string, seconds: number | null): string | null =>
  seconds === null ? null : new Date(Date.parse(since) + seconds * 1000).toISOString()

const earlier = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && Date.parse(other) < Date.parse(one)) ? other : one

/** The policies that ask for an approval, of all that match. */
export const askingPolicies = (policies: readonly Applied[], { lines }: Pick<Requirements, 'lines'>) =>
  named(policies.filter(({ id, version }) => lines.some((line) => line.policyId === id && line.version === version)))

/** Everybody whom one of the policies names. */
function informedBy(policies: readonly Applied[]): WaitingRow['informing'] {
  const all = policies.flatMap(({ body }) => body.approval?.inform ?? [])
  if (all.length === 0) return null
  const of = <M extends keyof (typeof all)[number]>(member: M) => [
    ...new Set(all.flatMap((each) => each[member] ?? [])),
  ]
  return { roles: of('roles'), actorIds: of('actorIds'), groupIds: of('groupIds') } as WaitingRow['informing']
}

/** The row of a decision that waits; null if no policy asks for an approval. */
export function waitingUnder(
  policies: readonly Applied[],
  event: Pick<EventRow, 'center_id' | 'id' | 'risk_score'>,
  since: string,
  versions: number | null,
  deadline: string | null = null,
): WaitingRow | null {
  const asked = requirementsOf(policies, event.risk_score)
  if (!asked) return null
  const asking = askingPolicies(policies, asked)
  const texts = policies.filter(({ id }) => asked.reasons.some(({ policyId }) => policyId === id))
  // Of the first steps; the job that tells members goes on to the next.
  const escalations = texts.flatMap((policy) => stepsOf(policy).steps[0]?.escalateTo?.afterSeconds ?? [])
  return {
    center_id: event.center_id,
    event_id: event.id,
    since,
    reasons: [...new Set(asked.reasons.map(({ guard }) => guard as ApprovingGuard))],
    policies: asking,
    pinned: asking.flatMap(({ id, version }) => {
      const uuid = uuidOf('policy', id)
      return uuid === null ? [] : [{ id: uuid, version }]
    }),
    informing: informedBy(texts),
    expires_at: earlier(later(since, asked.expiresAfterSeconds), deadline),
    deadline,
    escalates_at: later(since, escalations.length > 0 ? Math.min(...escalations) : null),
    versions,
  }
}

/** Policies in the order in which seals and pages name them. */
export const inOrder = (policies: readonly Applied[]): readonly Applied[] =>
  [...policies].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : a.version - b.version))

/**
 * The policies over an open decision: those that match it now, and the versions that asked when it began to wait. A change of
 * policy adds to what a waiting decision needs and takes nothing away.
 */
export function overOpen(present: readonly Applied[], row: Pick<WaitingRow, 'lines'> | undefined): readonly Applied[] {
  const known = new Set(present.map(lineOf))
  return inOrder([...present, ...(row?.lines ?? []).map(appliedOf).filter((policy) => !known.has(lineOf(policy)))])
}

/** Versions of a policy that match and require the same form one line. */
const lineOf = ({ id, body: { match, guards, approval } }: Applied): string =>
  canonical({ id, match, guards, approval: approval ?? null } as unknown as Json)

/** The same for a decision that is not yet matched with policies. */
export function judgeWaiting(
  { versions, policies }: PolicyCopy,
  event: JudgedEvent,
  center: CenterProfile,
  since: string,
): WaitingRow | null {
  // Most centers have no policies: nothing is computed for them.
  if (policies.length === 0) return null
  return waitingUnder(matchPolicies(policies, factsOfEvent(event), center), event, since, versions)
}

/** The row of a decision that already waits; null if no policy asks, as for a decision of 0.1.0 whose policy has ended. */
export function judgeAgainUnder(
  { versions, policies }: PolicyCopy,
  { waiting, event }: { readonly waiting: WaitingRow; readonly event: JudgedEvent },
  center: CenterProfile,
): WaitingRow | null {
  const present = isOwn(event.action.type) ? [] : matchPolicies(policies, factsOfEvent(event), center)
  return waitingUnder(overOpen(present, waiting), event, waiting.since, versions, waiting.deadline)
}

/** The data of `agent.approval.requested`. */
export const approvalRequest = (event: JudgedEvent, row: WaitingRow, at: string, approvalUrl: ApprovalAddress) => {
  const eventId = typedId('decisionEvent', event.id)
  return {
    decisionId: event.decision_id,
    eventId,
    agentId: event.actor.id,
    actionType: event.action.type,
    riskScore: event.risk_score,
    policies: row.policies.map(({ id }) => id),
    requestedAt: at,
    approvalUrl: approvalUrl(eventId),
    description: event.action.description ?? null,
    actionDigest: event.action_digest,
    expiresAt: row.expires_at,
  }
}

/** What cell.begin_waiting takes for an event that is being recorded: its row, and the message about it. */
export function waitingInput(
  copy: PolicyCopy,
  event: JudgedEvent,
  { center, at, approvalUrl }: { center: CenterProfile; at: string; approvalUrl: ApprovalAddress },
): string | null {
  const row = judgeWaiting(copy, event, center, at)
  return row && JSON.stringify({ ...row, message: JSON.stringify(approvalRequest(event, row, at, approvalUrl)) })
}

/** The reason of a refusal after which the decision waits under the policies of now. */
export const policiesChanged = 'policies'

/** The row of a decision that did not wait when it was recorded, and whose approval a policy of today refuses. */
async function noteWaiting(tx: TenantTx, eventId: string, center: CenterProfile): Promise<void> {
  const event = await findEvent(tx, eventId)
  const row = event && judgeWaiting(await policyCopy(tx), event, center, now().toISOString())
  if (row) await beginWaiting(tx, [JSON.stringify(row)])
}

/** The caller gets the refusal whether or not the row can be written: the next refused approval writes it. */
export async function notingRefusal<T>(
  cells: Cells,
  { center, caller, eventId }: { center: CenterProfile; caller: Caller; eventId: string },
  approving: Promise<T>,
): Promise<T> {
  try {
    return await approving
  } catch (error) {
    const isNews =
      error instanceof Problem && (error.code === 'POLICY_VIOLATION' || error.details.reason === policiesChanged)
    if (isNews) {
      await cells
        .of(center.cell)
        .inTenant(caller, (tx) => noteWaiting(tx, eventId, center))
        .catch(() => {})
    }
    throw error
  }
}
