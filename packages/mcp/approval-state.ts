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
      '`allowed`: the decision is sealed; consume it, then act. `refused`: do not act. `withdrawn`: whoever asked took the request back; do not act. `pending`: a person has to approve it first. `retry`: nothing is decided yet; send the same request again with `decisionId` as its `idempotencyKey`',
  }),
  eventId: decided.eventId,
  decisionId: decided.decisionId,
  approvalUrl: Type.Union([Type.String(), Type.Null()], {
    description: 'The page on which a member of the center approves or refuses, after signing in; null unless it waits',
  }),
  expiresAt: Type.Union([Type.String(), Type.Null()], {
    description: 'From then on the decision counts as refused; null if it never expires',
  }),
  retryAfterMs: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How long to pause before the next call of wait_for_approval; null unless it waits',
  }),
  usableUntil: Type.Union([Type.String(), Type.Null()], {
    description: 'The last time at which an allowed decision can be consumed; null if it has no end',
  }),
  approvals: details.approvals,
})
export type ApprovalState = Static<typeof ApprovalState>

const pauseMs = 5000
/** The longest time that one call waits: clients give up after 60 seconds. */
export const mostWaitSeconds = 50

export const retryState = ({ eventId, decisionId }: { eventId: string; decisionId: string }): Done<ApprovalState> => ({
  text: `Nothing is decided yet. Call request_approval again in a few seconds with idempotencyKey ${decisionId} and otherwise the same arguments.`,
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
      text: `${id} is sealed and allowed.${end} Call consume_approval with the action that you are about to run, and run it only if that succeeds.`,
      value: { status: 'allowed', ...shared, ...closed } as ApprovalState,
    }
  }
  if (status === 'rejected') {
    const { approver, reason, identity } = approvals.at(-1) ?? {}
    if (identity?.level === 'system' && reason === 'withdrawn') {
      return {
        text: `${id} was withdrawn by whoever asked for it. Do not run the action. To ask again, call request_approval with a new idempotencyKey.`,
        value: { status: 'withdrawn', ...shared, ...closed } as ApprovalState,
      }
    }
    const who = approver?.name ?? approver?.id ?? 'a policy'
    return {
      text: `${id} is refused by ${who}. Do not run the action; tell the user.${reason ? ` The reason: ${JSON.stringify(reason)}` : ''}`,
      value: { status: 'refused', ...shared, ...closed } as ApprovalState,
    }
  }
  const { approvalUrl = null, expiresAt = null } = waiting ?? {}
  const page = approvalUrl
    ? `A person has to decide at ${approvalUrl}.`
    : 'No policy asks a person; it is sealed by an approval through the API.'
  return {
    text: `${id} waits for an approval. Do not run the action yet. ${page} Then call wait_for_approval with this eventId.`,
    value: { status: 'pending', ...shared, approvalUrl, expiresAt, retryAfterMs: pauseMs } as ApprovalState,
  }
}

/** Waits for a person, at most this long, and answers with the state at the end. */
export async function waited(eventId: string, withinMs: number, call: ToolCall): Promise<Done<ApprovalState>> {
  const { client, signal, stopping, progress } = call
  let last: Decision | null = null
  try {
    const decision = await client.decisions.waitForApproval(eventId, {
      withinMs,
      signal: stopping ? AbortSignal.any([signal, stopping]) : signal,
      onWaiting(seen) {
        last = seen
        progress(`${eventId} waits for an approval`)
      },
    })
    return stateOf(decision)
  } catch (error) {
    const seen = error instanceof ApprovalPendingError ? error.decision : stopping?.aborted ? last : null
    if (seen === null) throw error
    return stateOf(seen)
  }
}
