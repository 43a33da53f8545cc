/** Tools that write a decision down: one that was made, and one that a person may have to approve. */
import { decide, NewAgentDecision, NewDecisionEvent, readDecision, recordDecisionEvent } from '@countersign/contract'
import { type AiContext, ConflictError, type Countersign, PolicyViolationError } from '@countersign/sdk'
import { Type } from 'typebox'
import { ApprovalState, mostWaitSeconds, retryState, stateOf, waited } from './approval-state.ts'
import { type ToolCall, tool } from './tool.ts'
import type { Trace } from './trace.ts'

type Traced = { readonly aiContext?: AiContext }

/** What the agent itself states takes precedence over what its client sends. */
const withTrace = <B extends Traced>(body: B, trace: Trace): B =>
  Object.keys(trace).length === 0 ? body : { ...body, aiContext: { ...trace, ...body.aiContext } }

async function recordedTrace(client: Countersign, decisionId: string): Promise<Trace | null> {
  const { data } = await client.decisions.list({ decisionId, limit: 1 })
  if (!data[0]) return null
  const { traceId, spanId } = (await client.decisions.get(data[0].id)).aiContext ?? {}
  return { ...(traceId && { traceId }), ...(spanId && { spanId }) }
}

/** A repeated request belongs to another trace than the first one; all else must be the same, and the server judges that. */
async function once<B extends Traced, R>(
  { client, trace }: ToolCall,
  key: string | undefined,
  body: B,
  send: (traced: B) => Promise<R>,
): Promise<R> {
  const traced = withTrace(body, trace)
  try {
    return await send(traced)
  } catch (error) {
    if (!(error instanceof ConflictError) || key === undefined || traced === body) throw error
    const first = await recordedTrace(client, key)
    if (first === null) throw error
    return send(withTrace(body, first))
  }
}

export const recordDecision = tool({
  name: 'record_decision',
  title: 'Record a decision',
  description:
    "Records a decision that a person, an agent or a system has already made. It's evidence, not permission: before you act, use request_approval. To make retries safe, pass an idempotencyKey that stays the same for this decision. The key is visible as the decisionId.",
  operations: [recordDecisionEvent],
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: NewDecisionEvent,
  output: recordDecisionEvent.spec.replies[201],
  async run(body, call) {
    const { signal } = call
    const value = await once(call, body.idempotencyKey, body, (sent) => call.client.decisions.record(sent, { signal }))
    return {
      text: `${value.id} has been recorded. To see whether it's waiting for approval, call get_decision.`,
      value,
    }
  },
})

/** A policy that forbids the action has refused it, and the refusal is sealed like a person's. */
function refusedEvent(error: unknown): string {
  const eventId = error instanceof PolicyViolationError ? error.details.eventId : undefined
  if (typeof eventId !== 'string') throw error
  return eventId
}

/** How long a call waits after the user has opened the approval page. */
const waitAfterOpeningMs = 25_000

export const requestApproval = tool({
  name: 'request_approval',
  title: 'Request approval for an action',
  description:
    "Call this before you act. Describe the action, with exactly the input you're about to run it with. The center's policies either allow it right away (allowed), refuse it (refused), or ask a person (pending). If the status is pending, show approvalUrl to the user and call wait_for_approval. No one can approve an action through these tools. Pass an idempotencyKey that stays the same for this action, such as your run ID and tool call ID; repeating the request with the same key continues the same decision.",
  operations: [decide, readDecision.mounts[0]],
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: Type.Object(
    {
      ...NewAgentDecision.properties,
      idempotencyKey: Type.Optional(
        Type.String({
          pattern: '^[!-~]{1,255}$',
          description:
            "Stays the same for this action. It becomes the `decisionId`, which is unique in the center and visible to others, so don't include personal data",
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: ApprovalState,
  async run({ idempotencyKey, ...body }, call) {
    const { client, signal, opened, opensUrls } = call
    const key = idempotencyKey ?? call.state ?? crypto.randomUUID()
    const decided = await once(call, key, body, (sent) =>
      client.agents.decide(sent, { idempotencyKey: key, signal }),
    ).catch((error: unknown) => ({ eventId: refusedEvent(error), outcome: 'refused' as const, decisionId: key }))
    if (decided.outcome === 'pending') return retryState(decided)
    if (opened === 'accept' && decided.outcome === 'approval_required') {
      return waited(decided.eventId, waitAfterOpeningMs, call)
    }
    const decision = await client.decisions.get(decided.eventId, { signal })
    const url = decision.waiting?.approvalUrl
    if (!url || !opensUrls || opened !== null) return stateOf(decision)
    const { type, description } = body.action
    return { ask: { url, message: `Approve or refuse: ${(description ?? type).slice(0, 300)}`, state: key } }
  },
})

export const waitForApproval = tool({
  name: 'wait_for_approval',
  title: 'Wait for approval',
  description:
    "Waits up to withinSeconds for a person to approve or refuse a decision, then returns the decision's status. People may take days: if the decision is still pending, do something else and call this again later.",
  operations: [readDecision.mounts[0]],
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: Type.Object(
    {
      eventId: decide.spec.replies[201].properties.eventId,
      withinSeconds: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: mostWaitSeconds,
          default: 25,
          description: 'How many seconds to wait; 0 returns the current status without waiting',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: ApprovalState,
  run: ({ eventId, withinSeconds = 25 }, call) => waited(eventId, withinSeconds * 1000, call),
})
