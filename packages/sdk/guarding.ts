/** The steps of guarded calls: ask, wait, verify, take, run, report. An adapter shares them among its tools. */
import { canonical, type Json } from '@countersign/proof'
import type { Decision, NewAgentDecision } from './api.generated.ts'
import { ApprovalPendingError } from './approval.ts'
import { systemClock } from './clock.ts'
import { ConflictError, PolicyViolationError } from './errors.ts'
import { sealedOutcome, verifiedDigest } from './guard-proof.ts'
import { type CallTerms, termsOf, valueFor } from './guard-terms.ts'
import type { Asked, GuardedCall, GuardOptions, Taken, Terms, Tool, ToolTerms } from './guard-types.ts'
import { frozenJson, GuardError, reportable, restored } from './guard-values.ts'

export interface Guarding {
  ask<I extends object, O>(tool: Tool<I, O>, input: I, call: GuardedCall): Promise<Asked>
  take<I extends object>(tool: ToolTerms<I>, input: I, call: GuardedCall): Promise<Taken>
  run<I extends object, O>(tool: Tool<I, O>, input: I, call: GuardedCall): Promise<O>
}

/** How many times the guard asks again for one call, and the longest ID that leaves room for the suffix. */
const maxAsked = 9
const maxCallIdLength = 250

/** Witnesses cosign within seconds of a seal, so a call that no longer waits for a person still waits for them. */
const witnessesWithinMs = 30_000

/** How many decisions are remembered as told; the oldest are forgotten first. */
const mostTold = 10_000

interface Opened<I> {
  readonly input: I
  readonly body: NewAgentDecision
  readonly eventId: string
  readonly terms: CallTerms
}

export function guarding(options: GuardOptions, tools: readonly Terms<never>[] = [{}]): Guarding {
  const { agent, onUnreported = () => {}, clock = systemClock } = options
  const termsFor = termsOf(options, tools)
  const inProgress = new Map<string, Promise<unknown>>()
  const told = new Set<string>()

  function tellWaiting(decision: Decision): void {
    if (told.has(decision.id)) return
    told.add(decision.id)
    for (const oldest of told) {
      if (told.size <= mostTold) break
      told.delete(oldest)
    }
    options.onWaiting?.(decision)
  }

  /** Asks the server; the same key and body continue the decision in its present state. */
  async function decided({ client }: CallTerms, body: NewAgentDecision, { callId, signal }: GuardedCall, end: number) {
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
  async function asRecorded(
    { client }: CallTerms,
    body: NewAgentDecision,
    { callId, signal }: GuardedCall,
  ): Promise<NewAgentDecision | null> {
    const { data } = await client.decisions.list({ decisionId: callId, limit: 1 }, { signal })
    if (!data[0]) return null
    const { aiContext } = await client.decisions.get(data[0].id, { signal })
    return aiContext ? { ...body, aiContext } : null
  }

  async function untilClosed(
    { client }: CallTerms,
    eventId: string,
    signal: AbortSignal | undefined,
    end: number,
  ): Promise<void> {
    const wait = { withinMs: Math.max(0, end - clock.now()), onWaiting: tellWaiting, ...(signal && { signal }) }
    const decision = await client.decisions.waitForApproval(eventId, wait).catch((error) => {
      if (!(error instanceof ApprovalPendingError)) throw error
      const approvalUrl = error.decision?.waiting?.approvalUrl ?? null
      const message = `No one has decided yet.${approvalUrl ? ` A person can approve or refuse at ${approvalUrl}` : ''}`
      throw new GuardError('waiting', message, eventId, { cause: error, approvalUrl })
    })
    if (decision.status === 'rejected') throw refused(decision)
  }

  /** Finds an approval whose time has passed before consuming it. The server decides. */
  async function requireUsable({ client }: CallTerms, eventId: string, signal: AbortSignal | undefined): Promise<void> {
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

  /** The name under which the outcome is reported; only a 200 gives the right to run. Null: an earlier attempt has run it. */
  async function taken(
    terms: CallTerms,
    eventId: string,
    actionDigest: string,
    idempotent: boolean,
  ): Promise<string | null> {
    const executor = crypto.randomUUID()
    try {
      // No signal: an answer that is lost would leave the decision consumed without an executor.
      await terms.client.decisions.consume(eventId, { actionDigest, executor })
      return executor
    } catch (error) {
      const other = error instanceof ConflictError ? error.details.executor : undefined
      if (typeof other !== 'string') throw refusalOf(error, eventId)
      return takenBefore(terms, eventId, other, idempotent)
    }
  }

  async function takenBefore(
    { client }: CallTerms,
    eventId: string,
    executor: string,
    idempotent: boolean,
  ): Promise<string | null> {
    const { execution } = await client.decisions.get(eventId)
    const { status, output } = execution?.outcome ?? {}
    if (status === 'succeeded') return null
    if (status === 'failed') {
      const why = typeof output?.error === 'string' ? `: ${output.error}` : '.'
      throw new GuardError('done', `An earlier attempt ran this call, and it failed${why}`, eventId)
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

  /** The output of the attempt that succeeded: from the proof, not from what the server says beside it. */
  async function replayed<I extends object, O>(tool: Tool<I, O>, { input, eventId, terms }: Opened<I>): Promise<O> {
    const done = (why: string) =>
      new GuardError('done', `An earlier attempt already ran this call: succeeded.${why}`, eventId)
    if (terms.onDone !== 'replay') throw done('')
    const outcome = await sealedOutcome(eventId, { ...terms, clock, end: clock.now() + witnessesWithinMs })
    const reported = outcome?.status === 'succeeded' && !outcome.isHidden ? restored(outcome.output) : null
    if (reported === null) throw done(" Its output isn't in the proof.")
    if (tool.restore) return tool.restore(reported.value, input)
    if (tool.report) throw done(' Only part of its output was reported, and the tool has no restore function.')
    return reported.value as O
  }

  async function opened<I extends object>(tool: ToolTerms<I>, given: I, call: GuardedCall): Promise<Opened<I>> {
    const input = frozenJson(given)
    const terms = await termsFor(tool, input)
    const end = clock.now() + terms.withinMs
    const description = valueFor(tool.describe, input)
    const riskScore = valueFor(tool.riskScore, input)
    const reason = call.reason ?? valueFor(tool.reason, input)
    const first: NewAgentDecision = {
      agent,
      action: { type: tool.action, ...(description && { description }), input: input as Record<string, unknown> },
      aiContext: { ...call.aiContext, toolCallId: call.callId },
      ...(riskScore !== undefined && { riskScore }),
      ...(reason && { reason }),
    }
    try {
      let body = first
      const { eventId, outcome } = await decided(terms, body, call, end).catch(async (error: unknown) => {
        const isOther = error instanceof ConflictError && error.details.reason !== 'frozen'
        const recorded = isOther ? await asRecorded(terms, first, call) : null
        if (!recorded) throw error
        body = recorded
        return decided(terms, body, call, end)
      })
      if (outcome === 'refused') throw refused(await terms.client.decisions.get(eventId, { signal: call.signal }))
      if (outcome === 'approval_required') await untilClosed(terms, eventId, call.signal, end)
      return { input, body, eventId, terms }
    } catch (error) {
      throw refusalOf(error)
    }
  }

  /** Everything before the tool. The executor may run it; null if an earlier attempt has run it with success. */
  async function takenCall<I extends object>(tool: ToolTerms<I>, given: I, call: GuardedCall) {
    const start = clock.now()
    const found = await opened(tool, given, call)
    const { body, eventId, terms } = found
    const end = Math.max(start + terms.withinMs, clock.now() + witnessesWithinMs)
    const { digest, text } = await verifiedDigest(eventId, body, { ...terms, clock, end, signal: call.signal })
    await options.onProof?.(text, eventId)
    call.signal?.throwIfAborted()
    const executor = await taken(terms, eventId, digest, tool.idempotent ?? false)
    return { found, executor }
  }

  async function whole<I extends object, O>(tool: Tool<I, O>, given: I, call: GuardedCall): Promise<O> {
    const { found, executor } = await takenCall(tool, given, call)
    if (executor === null) return replayed(tool, found)
    const { input, eventId, terms } = found
    const report = async (status: 'succeeded' | 'failed' | 'unknown', value: () => unknown) => {
      try {
        const output = reportable(value())
        await terms.client.decisions.reportOutcome(eventId, { executor, status, ...(output && { output }) })
      } catch (error) {
        onUnreported(error, eventId)
      }
    }
    let output: O
    try {
      output = await tool.run(input, { eventId, signal: call.signal })
    } catch (error) {
      const isUnknown = error instanceof GuardError && error.reason === 'unknown'
      await report(isUnknown ? 'unknown' : 'failed', () => ({
        error: error instanceof Error ? error.message : String(error),
      }))
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
          await requireUsable(found.terms, found.eventId, call.signal)
          return found.eventId
        })
        return { state: 'ready', eventId, approvalUrl: null, refusal: null, message: 'The call can run.' }
      } catch (error) {
        if (!(error instanceof GuardError)) throw error
        const { reason, eventId, approvalUrl, refusal, message } = error
        const state = askedStates.find((each) => each === reason)
        if (!state) throw error
        return { state, eventId, approvalUrl, refusal, message }
      }
    },

    take: (tool, input, call) =>
      askingAgain(call, async (each) => {
        const { found, executor } = await takenCall(tool, input, each)
        if (executor !== null) return { eventId: found.eventId, executor }
        throw new GuardError('done', 'An earlier attempt already ran this call: succeeded.', found.eventId)
      }),

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

const askedStates = ['waiting', 'refused', 'expired', 'replaced', 'withdrawn', 'frozen', 'changed'] as const

/** What the service itself refuses, and what the agent is told. */
const ownRefusals = {
  expired: 'Nobody decided in time, so the request expired. To ask again, call with a new ID.',
  replaced: 'The request was replaced by a new decision. To ask again, call with a new ID.',
  withdrawn: 'The request was withdrawn. To ask again, call with a new ID.',
} as const

function refused({ id, approvals }: Decision): GuardError {
  const { identity, approver, reason = null } = approvals.at(-1) ?? {}
  const own = identity?.level === 'system' && reason !== null && Object.hasOwn(ownRefusals, reason)
  if (own)
    return new GuardError(reason as keyof typeof ownRefusals, ownRefusals[reason as keyof typeof ownRefusals], id)
  const by = approver?.name ?? approver?.id ?? null
  // Quoted: these are a person's words, and a model reads them.
  const words = reason === null ? 'No reason was given.' : `The reason: ${JSON.stringify(reason)}`
  const refusal = { by, reason }
  return new GuardError('refused', `${by ?? 'The approver'} refused the call. ${words}`, id, { refusal })
}

/** Why `consume` refuses an approval that was given; `frozen` also stops new requests. */
const overReasons = ['stale', 'policy', 'frozen', 'unconfirmed'] as const

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
