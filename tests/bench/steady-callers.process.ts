/**
 * Callers that send requests at fixed times, whether or not earlier ones are answered. A latency counts from the time at
 * which the request was due, so a server that stalls is charged for every request that was due meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { approval, recordedEvent } from './bodies.ts'

export interface SteadyLoad {
  readonly url: string
  /** One key per center; the centers take turns. */
  readonly keys: readonly string[]
  readonly perSecond: number
  readonly seconds: number
  /** Sealing only, or each center records an event and then approves it. */
  readonly kind: 'decide' | 'record and approve'
}

export interface SteadyResult {
  readonly latencies: readonly number[]
  /** Answers by status; a request without an answer counts under the name of its error. */
  readonly statuses: Readonly<Record<string, number>>
  /** How late this process sent its requests: a busy generator would measure itself. */
  readonly lateness: readonly number[]
}

const timeoutMs = 15_000
const agent = new Agent({ pipelining: 1, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })

const decision = {
  agent: { id: 'agent-7', name: 'Stock keeper' },
  action: { type: 'stock.reorder', description: 'Order 40 boxes', input: { sku: 'A-17' }, output: { boxes: 40 } },
}

interface Answered {
  readonly status: string
  readonly id: string | null
}

async function post(url: string, key: string, body: object): Promise<Answered> {
  const response = await request(url, {
    method: 'POST',
    dispatcher: agent,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
  const { data } = (await response.body.json()) as { data?: { id?: string; outcome?: string } }
  // An agent's decision that is not sealed is answered 200 with the outcome `pending`.
  const pending = data?.outcome === 'pending' ? ' pending' : ''
  return { status: `${response.statusCode}${pending}`, id: data?.id ?? null }
}

async function run({ url, keys, perSecond, seconds, kind }: SteadyLoad): Promise<SteadyResult> {
  const latencies: number[] = []
  const lateness: number[] = []
  const statuses: Record<string, number> = {}
  /** Events that wait for their approval, by center. */
  const recorded = keys.map((): string[] => [])
  const one = async (due: number, center: number) => {
    const key = keys[center] as string
    const events = recorded[center] as string[]
    const event = events.pop()
    let outcome: string
    try {
      if (kind === 'decide') outcome = (await post(`${url}/api/v1/agents/decide`, key, decision)).status
      else if (event === undefined) {
        const { status, id } = await post(`${url}/api/v1/decision-events`, key, recordedEvent)
        if (id !== null) events.push(id)
        outcome = status
      } else {
        outcome = (await post(`${url}/api/v1/decision-events/${event}/approvals`, key, approval)).status
      }
    } catch (error) {
      outcome = (error as { code?: string }).code ?? (error as Error).name
    }
    latencies.push(performance.now() - due)
    statuses[outcome] = (statuses[outcome] ?? 0) + 1
  }
  const began = performance.now()
  const all: Promise<void>[] = []
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = began + (1000 * n) / perSecond
    const early = due - performance.now()
    if (early > 1) await sleep(early)
    lateness.push(Math.max(0, performance.now() - due))
    all.push(one(due, n % keys.length))
  }
  await Promise.all(all)
  return { latencies, statuses, lateness }
}

process.on('message', async (load: SteadyLoad) => process.send?.(await run(load)))
process.on('SIGTERM', () => process.exit(0))
process.send?.('ready')
