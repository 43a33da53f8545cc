/**
 * Held calls, from the decision to the outcome. Each call is driven by one loop, which a restarted process takes up where the
 * journal says. The loop doesn't depend on the agent: it goes on when the agent has gone, and keeps the result.
 */
import { hash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonical, type Json } from '@countersign/proof'
import { GuardError } from '@countersign/sdk/guard'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Offered } from './catalog.ts'
import type { Agent } from './config.ts'
import { type End, endOf, FailedCallError, NotRunError } from './ending.ts'
import { type ForwardingNeeds, forwarding, type Waiting } from './forwarding.ts'
import type { HeldCall } from './journal.ts'
import type { Trace } from './trace.ts'

/** A call that this process drives. */
export interface Driven {
  readonly call: HeldCall
  readonly settled: Promise<CallToolResult>
  /** What it waits for; null while no person is asked. */
  waiting(): Waiting | null
  onWaiting(listener: () => void): () => void
}

export interface Holding {
  /** Begins a call, or takes up the one that the agent left: `TooManyCallsError` above the limit. */
  begin(agent: Agent, shown: string, offered: Offered, args: Args, trace: Trace): Promise<Driven>
  /** The call with this handle, if it belongs to this agent. */
  find(agent: Agent, handle: string): Driven | null
  /** Whether this is what the agent called. */
  isSame(driven: Driven, offered: Offered, args: Args): boolean
  /** The agent has its result. */
  delivered(id: string): Promise<void>
  /** The agent was told that the call goes on, or has gone. */
  leave(id: string): Promise<void>
  /** Drives all calls that an earlier process left, and returns their number. */
  resume(): Promise<number>
  close(): Promise<void>
}

type Args = Readonly<Record<string, unknown>>

export class TooManyCallsError extends Error {}

const [firstPauseMs, longestPauseMs] = [500, 15_000]

const digestOf = (agent: string, upstream: string, tool: string, args: Args): string =>
  hash('sha256', canonical([agent, upstream, tool, args] as Json), 'hex')

export function openHolding(needs: ForwardingNeeds): Holding {
  const { config, journal, metrics, say } = needs
  const driven = new Map<string, Driven>()
  /** Open calls by agent, those included whose row isn't written yet. */
  const open = new Map<string, number>()
  const stopping = new AbortController()
  const attempt = forwarding(needs)
  const count = (agent: string, change: 1 | -1) => open.set(agent, (open.get(agent) ?? 0) + change)

  /** One attempt after the other, until one ends the call. */
  async function ended(call: HeldCall, onWaiting: (waiting: Waiting) => void): Promise<End> {
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return { result: await attempt(call, { onWaiting, signal: stopping.signal }), outcome: 'succeeded' }
      } catch (error) {
        const isEnd = error instanceof FailedCallError || error instanceof GuardError || error instanceof NotRunError
        if (!isEnd) stopping.signal.throwIfAborted()
        const end = endOf(error, journal.phase(call.id), journal.result(call.id))
        const isDefect = end?.outcome === 'defect' || (!end && pause === longestPauseMs)
        if (isDefect) say(`${call.id}: ${(error as Error).stack ?? (error as Error).message}`)
        if (end) return end
      }
      await sleep(pause, undefined, { signal: stopping.signal })
    }
  }

  async function drive(call: HeldCall, onWaiting: (waiting: Waiting) => void): Promise<CallToolResult> {
    const { result, outcome } = await ended(call, onWaiting)
    metrics.ended(call.upstream, outcome, Math.max(0, Date.now() - call.madeAt))
    // The agent gets its result all the same. The next process comes to the same end by what the journal still says.
    await journal.end(call.id, result, Date.now()).catch((error: Error) => say(`${call.id}: ${error.message}`))
    return result
  }

  function start(call: HeldCall): Driven {
    const listeners = new Set<() => void>()
    let waiting: Waiting | null = null
    const settled = drive(call, (seen) => {
      waiting = seen
      for (const listener of listeners) listener()
    }).finally(() => {
      driven.delete(call.id)
      count(call.agent, -1)
    })
    // Nobody may be waiting for it.
    settled.catch(() => {})
    const each: Driven = {
      ...{ call, settled },
      waiting: () => waiting,
      onWaiting(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    }
    driven.set(call.id, each)
    return each
  }

  function taken(call: HeldCall): Driven | null {
    const going = driven.get(call.id)
    const result = going || journal.phase(call.id) !== 'ended' ? null : journal.result(call.id)
    if (!result) return going ?? null
    return { call, settled: Promise.resolve(result), waiting: () => null, onWaiting: () => () => {} }
  }

  return {
    async begin(agent, shown, { upstream, tool, digest: toolDigest, rule, action }, args, trace) {
      const digest = digestOf(agent.id, upstream.name, tool.name, args)
      const left = await journal.rejoin(digest)
      const again = left && taken(left)
      if (again) return again
      const { callsPerAgent } = config.limits
      if ((open.get(agent.id) ?? 0) >= callsPerAgent) {
        throw new TooManyCallsError(`${callsPerAgent} calls of this agent are open. Wait until some have ended.`)
      }
      count(agent.id, 1)
      const call: HeldCall = {
        // Sorts by time.
        id: `gw-${Date.now().toString(36)}-${randomBytes(16).toString('base64url')}`,
        ...{ agent: agent.id, agentName: agent.name, upstream: upstream.name, tool: tool.name, toolDigest },
        ...{ shown, action, args, trace, digest, riskScore: rule.riskScore, madeAt: Date.now() },
      }
      try {
        await journal.add(call)
      } catch (error) {
        count(agent.id, -1)
        throw error
      }
      return start(call)
    },
    find(agent, handle) {
      const call = journal.find(handle)
      return call?.agent === agent.id ? taken(call) : null
    },
    isSame: ({ call }, { upstream, tool }, args) =>
      call.digest === digestOf(call.agent, upstream.name, tool.name, args),
    delivered: (id) => journal.delivered(id),
    leave: (id) => journal.leave(id),
    async resume() {
      await journal.leaveAll()
      const calls = journal.unended()
      for (const call of calls) {
        count(call.agent, 1)
        start(call)
      }
      return calls.length
    },
    async close() {
      stopping.abort()
      await Promise.allSettled([...driven.values()].map(({ settled }) => settled))
    },
  }
}
