/** Runs a tool only when exactly this call was decided, approved where a policy asks for it, and taken once. */
import type { TrustPolicy } from '@countersign/proof'
import type { AiContext, DecisionEventDetails, NewAgentDecision } from './api.generated.ts'
import { ApprovalPendingError } from './approval.ts'
import { type Clock, systemClock } from './clock.ts'
import type { Countersign } from './countersign.ts'
import { ConflictError, PolicyViolationError } from './errors.ts'
import { verifiedDigest } from './guard-proof.ts'
import { frozenJson, GuardError, reportable } from './guard-values.ts'

export { parsePolicy, type TrustPolicy } from '@countersign/proof'
export { GuardError } from './guard-values.ts'

export interface Tool<I extends object, O> {
  /** Type of the action, which policies match: `refund.issue`. */
  readonly action: string
  /** One sentence for the person who approves. */
  readonly describe?: (input: I) => string
  /** From 0 to 1. Without one, every risk threshold counts as exceeded. */
  readonly riskScore?: (input: I) => number
  /** A second run with the same `eventId` does nothing. Then a call that was interrupted may run again. */
  readonly idempotent?: boolean
  /** `input` is a frozen copy: exactly the values that were approved. Pass `eventId` on as an idempotency key. */
  run(input: I, call: { readonly eventId: string; readonly signal?: AbortSignal | undefined }): O | Promise<O>
}

export interface GuardOptions {
  readonly client: Pick<Countersign, 'agents' | 'decisions' | 'evidence'>
  /** Whose log counts. It came over another channel than the answers of the server. */
  readonly policy: TrustPolicy
  readonly agent: { readonly id: string; readonly name?: string }
  /** How long a call waits for a person; with 0 it ends as `waiting` at once. */
  readonly withinMs: number
  /** Run nothing without the approval of a person, known at least in this way, whatever the server asks for. */
  readonly requires?: 'session' | 'passkey'
  readonly onWaiting?: (decision: DecisionEventDetails) => void
  /** The tool has run, and its outcome could not be reported. */
  readonly onUnreported?: (error: unknown, eventId: string) => void
  readonly clock?: Clock
}

export interface GuardedCall {
  /** Stable for this call and unique in the center: the same id continues the same decision, in another process too. */
  readonly callId: string
  readonly reason?: string
  readonly aiContext?: AiContext
  readonly signal?: AbortSignal
}

export type Guarded<I extends object, O> = (input: I, call: GuardedCall) => Promise<O>

export function guard<I extends object, O>(tool: Tool<I, O>, options: GuardOptions): Guarded<I, O> {
  const { client, agent, withinMs, onUnreported = () => {}, clock = systemClock } = options
  const inProgress = new Map<string, Promise<O>>()

  /** Asks the server; the same key and body continue the decision in its present state. */
  async function decided(body: NewAgentDecision, { callId, signal }: GuardedCall, end: number): Promise<string> {
    for (let pause = 1000; ; pause = Math.min(pause * 2, 15_000)) {
      const { eventId, outcome } = await client.agents
        .decide(body, { idempotencyKey: callId, signal })
        .catch((error: unknown) => {
          throw refusalOf(error)
        })
      if (outcome !== 'pending') return eventId
      if (clock.now() >= end) throw new GuardError('waiting', 'The decision could not be sealed yet.', eventId)
      await clock.sleep(pause, signal)
    }
  }

  async function untilClosed(eventId: string, signal: AbortSignal | undefined, end: number): Promise<void> {
    const wait = { withinMs: Math.max(0, end - clock.now()), ...(signal && { signal }) }
    const onWaiting = options.onWaiting && { onWaiting: options.onWaiting }
    const { status } = await client.decisions.waitForApproval(eventId, { ...wait, ...onWaiting }).catch((error) => {
      if (!(error instanceof ApprovalPendingError)) throw error
      const at = error.decision?.waiting?.approvalUrl ?? null
      throw new GuardError('waiting', `No person has decided yet${at ? `; ask at ${at}` : ''}.`, eventId, {
        cause: error,
      })
    })
    if (status === 'rejected') throw new GuardError('refused', 'The call was refused, or expired.', eventId)
  }

  /** The name under which the outcome is reported; only a 200 gives the right to run. */
  async function taken(eventId: string, actionDigest: string): Promise<string> {
    const executor = crypto.randomUUID()
    try {
      // No signal: an answer that is lost would leave the decision consumed without an executor.
      await client.decisions.consume(eventId, { actionDigest, executor })
      return executor
    } catch (error) {
      const other = error instanceof ConflictError ? error.details.executor : undefined
      if (typeof other !== 'string') throw refusalOf(error, eventId)
      return takenBefore(eventId, other)
    }
  }

  async function takenBefore(eventId: string, executor: string): Promise<string> {
    const { execution } = await client.decisions.get(eventId)
    const status = execution?.outcome?.status
    if (status === 'succeeded' || status === 'failed') {
      throw new GuardError('done', `An earlier attempt ran this call: ${status}.`, eventId)
    }
    if (tool.idempotent) return executor
    if (status === undefined) {
      await client.decisions.reportOutcome(eventId, { executor, status: 'unknown' }).catch((error: unknown) => {
        // It was reported meanwhile.
        if (!(error instanceof ConflictError)) throw error
      })
    }
    throw new GuardError('unknown', 'An earlier attempt took this call, and it is not known whether it ran.', eventId)
  }

  async function run(input: I, eventId: string, executor: string, signal: AbortSignal | undefined): Promise<O> {
    const report = (status: 'succeeded' | 'failed', value: unknown) => {
      const output = reportable(value)
      return client.decisions
        .reportOutcome(eventId, { executor, status, ...(output && { output }) })
        .catch((error: unknown) => onUnreported(error, eventId))
    }
    let output: O
    try {
      output = await tool.run(input, { eventId, signal })
    } catch (error) {
      await report('failed', { error: error instanceof Error ? error.message : String(error) })
      throw error
    }
    await report('succeeded', output)
    return output
  }

  async function whole(given: I, call: GuardedCall): Promise<O> {
    const end = clock.now() + withinMs
    const input = frozenJson(given)
    const description = tool.describe?.(input)
    const body = {
      agent,
      action: { type: tool.action, ...(description && { description }), input: input as Record<string, unknown> },
      aiContext: { ...call.aiContext, toolCallId: call.callId },
      ...(tool.riskScore && { riskScore: tool.riskScore(input) }),
      ...(call.reason && { reason: call.reason }),
    }
    const eventId = await decided(body, call, end)
    await untilClosed(eventId, call.signal, end)
    const digest = await verifiedDigest(eventId, body, { ...options, clock, end, signal: call.signal })
    const executor = await taken(eventId, digest)
    return run(input, eventId, executor, call.signal)
  }

  return (input, call) => {
    const { callId } = call
    const known = inProgress.get(callId)
    if (known) return known
    const started = whole(input, call).finally(() => inProgress.delete(callId))
    inProgress.set(callId, started)
    return started
  }
}

function refusalOf(error: unknown, eventId: string | null = null): unknown {
  if (error instanceof PolicyViolationError) {
    const refused = typeof error.details.eventId === 'string' ? error.details.eventId : eventId
    const reason = error.details.guard === 'action' ? 'changed' : 'refused'
    return new GuardError(reason, error.message, refused, { cause: error })
  }
  if (error instanceof ConflictError) return new GuardError('changed', error.message, eventId, { cause: error })
  return error
}
