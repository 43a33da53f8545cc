/** The state of a decision as an agent has to know it: whether to act, to wait or to stop. */
import { decide, readDecision } from '@countersign/contract'
import { ApprovalPendingError, type Decision } from '@countersign/sdk'
import { type Static, Type } from 'typebox'
import type { Done, ToolCall } from './tool.ts'

const details = readDecision.mounts[0].spec.replies[200].properties
const decided = decide.spec.replies[201].properties

export const ApprovalState = Type.Object({
  status: Type.Enum(['allowed', 'refused', 'withdrawn', 'pending', 'retry'], {
    description:
      "`allowed`: the decision is sealed; consume it, then act. `refused`: don't act. `withdrawn`: the requester withdrew the request; don't act. `pending`: a person has to approve the action first. `retry`: nothing has been decided yet; send the same request again with `decisionId` as the `idempotencyKey`",
  }),
  eventId: decided.eventId,
  decisionId: decided.decisionId,
  approvalUrl: Type.Union([Type.String(), Type.Null()], {
    description:
      'The page where a member of the center signs in to approve or refuse; null unless the decision is pending',
  }),
  expiresAt: Type.Union([Type.String(), Type.Null()], {
    description: 'When the decision expires and counts as refused; null if it never expires',
  }),
  retryAfterMs: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How long to wait before the next call, in milliseconds; null unless you have to call again',
  }),
  usableUntil: Type.Union([Type.String(), Type.Null()], {
    description: 'The last time at which an allowed decision can be consumed. Null if it never expires',
  }),
  approvals: details.approvals,
})
export type ApprovalState = Static<typeof ApprovalState>

const pauseMs = 5000
/** The longest time that one call waits, because clients give up after 60 seconds. */
export const mostWaitSeconds = 50

export const retryState = ({ eventId, decisionId }: { eventId: string; decisionId: string }): Done<ApprovalState> => ({
  text: `Nothing has been decided yet. Call request_approval again in a few seconds with the same arguments and the idempotencyKey ${decisionId}.`,
  value: {
    ...{ status: 'retry', eventId, decisionId, approvals: [] },
    ...{ approvalUrl: null, expiresAt: null, usableUntil: null, retryAfterMs: pauseMs },
  },
})

export function stateOf(decision: Decision): Done<ApprovalState> {
  const { id, decisionId, status, waiting, approvals, usableUntil } = decision
  const shared = { eventId: id, decisionId, usableUntil, approvals: [...approvals] } as const
  const closed = { approvalUrl: null, expiresAt: null, retryAfterMs: null }
  if (status === 'sealed') {
    const end = usableUntil === null ? '' : ` The approval can be used until ${usableUntil}.`
    return {
      text: `${id} is sealed and allowed.${end} Call consume_approval with the action you're about to run, and run it only if that succeeds.`,
      value: { status: 'allowed', ...shared, ...closed } as ApprovalState,
    }
  }
  if (status === 'rejected') {
    const { approver, reason, identity } = approvals.at(-1) ?? {}
    if (identity?.level === 'system' && reason === 'withdrawn') {
      return {
        text: `${id} was withdrawn by the requester. Don't run the action. To ask again, call request_approval with a new idempotencyKey.`,
        value: { status: 'withdrawn', ...shared, ...closed } as ApprovalState,
      }
    }
    const who = approver?.name ?? approver?.id ?? 'a policy'
    return {
      text: `${id} was refused by ${who}. Don't run the action; tell the user.${reason ? ` Reason: ${JSON.stringify(reason)}` : ''}`,
      value: { status: 'refused', ...shared, ...closed } as ApprovalState,
    }
  }
  const { approvalUrl = null, expiresAt = null } = waiting ?? {}
  const page = approvalUrl
    ? `A person has to decide at ${approvalUrl}.`
    : 'No policy requires a person to decide; an approval through the API will seal the decision.'
  return {
    text: `${id} is waiting for approval. Don't run the action yet. ${page} Next, call wait_for_approval with this eventId.`,
    value: { status: 'pending', ...shared, approvalUrl, expiresAt, retryAfterMs: pauseMs } as ApprovalState,
  }
}

/** Waits for a person, at most this long, and returns the state at the end. */
export async function waited(eventId: string, withinMs: number, call: ToolCall): Promise<Done<ApprovalState>> {
  const { client, signal, stopping, progress } = call
  let last: Decision | null = null
  try {
    const decision = await client.decisions.waitForApproval(eventId, {
      withinMs,
      signal: stopping ? AbortSignal.any([signal, stopping]) : signal,
      onRead(seen) {
        last = seen
        progress(`${eventId} is waiting for approval`)
      },
    })
    return stateOf(decision)
  } catch (error) {
    const seen = error instanceof ApprovalPendingError ? error.decision : stopping?.aborted ? last : null
    if (seen === null) throw error
    return stateOf(seen)
  }
}
