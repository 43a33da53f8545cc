/**
 * Callers of one center that send large bodies, or download its chain, one after another, as many at a time as there are callers. A refused caller
 * waits for Retry-After, at most 100 ms, and tries again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { recordedEvent } from './bodies.ts'

export interface GreedyLoad {
  readonly url: string
  readonly key: string
  readonly callers: number
  readonly bytes: number
  readonly kind: 'record' | 'decide' | 'read'
}

/** Answers by status; a request without an answer counts under the name of its error. */
export type GreedyResult = Readonly<Record<string, number>>

const longestWaitMs = 100

let running: { stop(): Promise<GreedyResult> } | undefined

function start({ url, key, callers, bytes, kind }: GreedyLoad) {
  const agent = new Agent({ pipelining: 1 })
  const given = new AbortController()
  const statuses: Record<string, number> = {}
  const { actor, action, ...event } = recordedEvent
  const large = { ...action, input: { text: 'x'.repeat(bytes) } }
  const body = Buffer.from(
    JSON.stringify(kind === 'record' ? { ...event, actor, action: large } : { agent: { id: actor.id }, action: large }),
  )
  const paths = {
    record: '/api/v1/decision-events',
    decide: '/api/v1/agents/decide',
    read: '/api/v1/chains/proof/entries',
  }
  const sent = kind === 'read' ? ({ method: 'GET' } as const) : ({ method: 'POST', body } as const)
  const one = async (): Promise<void> => {
    let wait = 0
    let outcome: string
    try {
      const {
        statusCode,
        headers,
        body: answer,
      } = await request(`${url}${paths[kind]}`, {
        ...sent,
        dispatcher: agent,
        signal: given.signal,
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
      })
      for await (const _ of answer);
      outcome = String(statusCode)
      if (statusCode >= 300) wait = Math.min(longestWaitMs, 1000 * Number(headers['retry-after'] ?? 0))
    } catch (error) {
      if (given.signal.aborted) return
      outcome = (error as { code?: string }).code ?? (error as Error).name
      wait = longestWaitMs
    }
    statuses[outcome] = (statuses[outcome] ?? 0) + 1
    if (wait > 0) await sleep(wait)
  }
  const all = Promise.all(
    Array.from({ length: callers }, async () => {
      while (!given.signal.aborted) await one()
    }),
  )
  return {
    async stop() {
      given.abort()
      await all
      await agent.destroy()
      return statuses
    },
  }
}

process.on('message', async (message: GreedyLoad | 'stop') => {
  if (message !== 'stop') {
    running = start(message)
    process.send?.('started')
    return
  }
  const result = await running?.stop()
  running = undefined
  process.send?.(result ?? {})
})
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
