/** The steps of guarded calls: ask, wait, verify, take, run, report. An adapter shares them among its tools. */
import { canonical, type Json } from '@countersign/proof'
import type { Decision, NewAgentDecision } from './api.generated.ts'
import { ApprovalPendingError } from './approval.ts'
import { systemClock } from './clock.ts'
import { ConflictError, PolicyViolationError } from './errors.ts'
import { verifiedDigest } from './guard-proof.ts'
import { checkTrust } from './guard-trust.ts'
import type { Asked, GuardedCall, GuardOptions, Tool } from './guard-types.ts'
import { frozenJson, GuardError, reportable } from './guard-values.ts'

export interface Guarding {
  ask<I extends object, O>(tool: Tool<I, O>, input: I, call: GuardedCall): Promise<Asked>
  run<I extends object, O>(tool: Tool<I, O>, input: I, call: GuardedCall): Promise<O>
}

/** How many times the guard asks again for one call, and the longest ID that leaves room for the suffix. */
const maxAsked = 9
const maxCallIdLength = 250

/** Witnesses cosign within seconds of a seal, so a call that no longer waits for a person still waits for them. */
const witnessesWithinMs = 30_000

export function guarding(options: GuardOptions): Guarding {
  const { client, agent, withinMs, onUnreported = () => {}, clock = systemClock } = options
  checkTrust(options)
  const inProgress = new Map<string, Promise<unknown>>()

  interface Opened<I> {
    readonly input: I
    readonly body: NewAgentDecision
    readonly eventId: string
  }

  /** Asks the server; the same key and body continue the decision in its present state. */
  async function decided(body: NewAgentDecision, { callId, signal }: GuardedCall, end: number) {
    for (let pause = 1000; ; pause = Math.min(pause * 2, 15_000)) {
      const { eventId, outcome } = await client.agents.decide(body, { idempotencyKey: callId, signal })
      if (outcome !== 'pending') return { eventId, outcome }
      if (clock.now() >= end)
        throw new GuardError(
          'waiting',
          "The decision hasn't been sealed yet. Try again later with the same call ID.",
          eventId,
        )
      await clock.sleep(pause, signal)
    }
  }

  /** A process that continues a call runs in another trace: what the first one said about itself stays. */
  async function asRecorded(body: NewAgentDecision, { callId, signal }: GuardedCall): Promise<NewAgentDecision | null> {
    const { data } = await client.decisions.list({ decisionId: callId, limit: 1 }, { signal })
    if (!data[0]) return null
    const { aiContext } = await client.decisions.get(data[0].id, { signal })
    return aiContext ? { ...body, aiContext } : null
  }

  async function untilClosed(eventId: string, signal: AbortSignal | undefined, end: number): Promise<void> {
    const wait = { withinMs: Math.max(0, end - clock.now()), ...(signal && { signal }) }
    const onWaiting = options.onWaiting && { onWaiting: options.onWaiting }
    const decision = await client.decisions.waitForApproval(eventId, { ...wait, ...onWaiting }).catch((error) => {
      if (!(error instanceof ApprovalPendingError)) throw error
      const approvalUrl = error.decision?.waiting?.approvalUrl ?? null
      const message = `No one has decided yet${approvalUrl ? `. To approve or refuse, open ${approvalUrl}` : ''}.`
      throw new GuardError('waiting', message, eventId, { cause: error, approvalUrl })
    })
    if (decision.status === 'rejected') throw refused(decision)
  }

  /** Finds an approval whose time has passed before consuming it. The server decides. */
  async function requireUsable(eventId: string, signal: AbortSignal | undefined): Promise<void> {
    const { usableUntil, execution } = await client.decisions.get(eventId, { signal })
    if (usableUntil === null || execution !== null || Date.parse(usableUntil) >= clock.now()) return
    throw new GuardError('stale', `The approval could only be used until ${usableUntil}.`, eventId)
  }

  /** Asks again for an approval that can no longer be used: with another decision, under an ID that every process finds. */
  async function askingAgain<T>(call: GuardedCall, work: (call: GuardedCall) => Promise<T>): Promise<T> {
    for (let asked = 0; ; asked++) {
      const callId = asked === 0 ? call.callId : `${call.callId}~${asked}`
      try {
        return await work({ ...call, callId })
      } catch (error) {
        const isOver = error instanceof GuardError && (error.reason === 'stale' || error.reason === 'policy')
        if (!isOver || asked === maxAsked || callId.length > maxCallIdLength) throw error
      }
    }
  }

  /** The name under which the outcome is reported; only a 200 gives the right to run. */
  async function taken(eventId: string, actionDigest: string, idempotent: boolean): Promise<string> {
    const executor = crypto.randomUUID()
    try {
      // No signal: an answer that is lost would leave the decision consumed without an executor.
      await client.decisions.consume(eventId, { actionDigest, executor })
      return executor
    } catch (error) {
      const other = error instanceof ConflictError ? error.details.executor : undefined
      if (typeof other !== 'string') throw refusalOf(error, eventId)
      return takenBefore(eventId, other, idempotent)
    }
  }

  async function takenBefore(eventId: string, executor: string, idempotent: boolean): Promise<string> {
    const { execution } = await client.decisions.get(eventId)
    const status = execution?.outcome?.status
    if (status === 'succeeded' || status === 'failed') {
      throw new GuardError('done', `An earlier attempt already ran this call: ${status}.`, eventId)
    }
    if (idempotent) return executor
    if (status === undefined) {
      await client.decisions.reportOutcome(eventId, { executor, status: 'unknown' }).catch((error: unknown) => {
        // It was reported meanwhile.
        if (!(error instanceof ConflictError)) throw error
      })
    }
    throw new GuardError(
      'unknown',
      'An earlier attempt consumed this call, and may or may not have run it. Check whether it took effect.',
      eventId,
    )
  }

  async function opened<I extends object, O>(tool: Tool<I, O>, given: I, call: GuardedCall): Promise<Opened<I>> {
    const end = clock.now() + withinMs
    const input = frozenJson(given)
    const description = tool.describe?.(input)
    const first: NewAgentDecision = {
      agent,
      action: { type: tool.action, ...(description && { description }), input: input as Record<string, unknown> },
      aiContext: { ...call.aiContext, toolCallId: call.callId },
      ...(tool.riskScore && { riskScore: tool.riskScore(input) }),
      ...(call.reason && { reason: call.reason }),
    }
    try {
      let body = first
      const { eventId, outcome } = await decided(body, call, end).catch(async (error: unknown) => {
        const isOther = error instanceof ConflictError && error.details.reason !== 'frozen'
        const recorded = isOther ? await asRecorded(first, call) : null
        if (!recorded) throw error
        body = recorded
        return decided(body, call, end)
      })
      if (outcome === 'refused') throw refused(await client.decisions.get(eventId, { signal: call.signal }))
      if (outcome === 'approval_required') await untilClosed(eventId, call.signal, end)
      return { input, body, eventId }
    } catch (error) {
      throw refusalOf(error)
    }
  }

  async function whole<I extends object, O>(tool: Tool<I, O>, given: I, call: GuardedCall): Promise<O> {
    const start = clock.now()
    const { input, body, eventId } = await opened(tool, given, call)
    const end = Math.max(start + withinMs, clock.now() + witnessesWithinMs)
    const { digest, text } = await verifiedDigest(eventId, body, { ...options, clock, end, signal: call.signal })
    await options.onProof?.(text, eventId)
    const executor = await taken(eventId, digest, tool.idempotent ?? false)
    const report = async (status: 'succeeded' | 'failed', value: () => unknown) => {
      try {
        const output = reportable(value())
        await client.decisions.reportOutcome(eventId, { executor, status, ...(output && { output }) })
      } catch (error) {
        onUnreported(error, eventId)
      }
    }
    let output: O
    try {
      output = await tool.run(input, { eventId, signal: call.signal })
    } catch (error) {
      await report('failed', () => ({ error: error instanceof Error ? error.message : String(error) }))
      throw error
    }
    await report('succeeded', () => (tool.report ? tool.report(output) : output))
    return output
  }

  return {
    async ask(tool, input, call) {
      try {
        const eventId = await askingAgain(call, async (each) => {
          const found = await opened(tool, input, each)
          await requireUsable(found.eventId, call.signal)
          return found.eventId
        })
        return { state: 'ready', eventId, approvalUrl: null, message: 'The call can run.' }
      } catch (error) {
        if (!(error instanceof GuardError)) throw error
        const { reason, eventId, approvalUrl, message } = error
        const state = askedStates.find((each) => each === reason)
        if (!state) throw error
        return { state, eventId, approvalUrl, message }
      }
    },

    async run<I extends object, O>(tool: Tool<I, O>, input: I, call: GuardedCall): Promise<O> {
      const key = canonical([tool.name ?? tool.action, tool.action, call.callId, frozenJson(input)] as Json)
      const known = inProgress.get(key)
      if (known) return known as Promise<O>
      const started = askingAgain(call, (each) => whole(tool, input, each)).finally(() => inProgress.delete(key))
      inProgress.set(key, started)
      return started
    },
  }
}

const askedStates = ['waiting', 'refused', 'withdrawn', 'frozen', 'changed'] as const

function refused({ id, approvals }: Decision): GuardError {
  const { identity, reason } = approvals.at(-1) ?? {}
  const isWithdrawn = identity?.level === 'system' && reason === 'withdrawn'
  return isWithdrawn
    ? new GuardError('withdrawn', 'The request was withdrawn. To ask again, call with a new ID.', id)
    : new GuardError('refused', 'The call was refused or has expired.', id)
}

/** Why `consume` refuses an approval that was given; `frozen` also stops new requests. */
const overReasons = ['stale', 'policy', 'frozen'] as const

function refusalOf(error: unknown, eventId: string | null = null): unknown {
  if (error instanceof PolicyViolationError) {
    const id = typeof error.details.eventId === 'string' ? error.details.eventId : eventId
    const reason = error.details.guard === 'action' ? 'changed' : 'refused'
    return new GuardError(reason, error.message, id, { cause: error })
  }
  const over = error instanceof ConflictError && overReasons.find((each) => each === error.details.reason)
  if (over) return new GuardError(over, error.message, eventId, { cause: error })
  if (error instanceof ConflictError) return new GuardError('changed', error.message, eventId, { cause: error })
  return error
}
