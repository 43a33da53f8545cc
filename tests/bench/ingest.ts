/** POST /v1/decision-events by one API process beside a bare route: same load, interleaved windows, Redis on. */
import { randomBytes } from 'node:crypto'
import autocannon from 'autocannon'
import { openWorld } from '../support/world.ts'
import { makePlace, median, type Running, say, startProcess } from './place.ts'
import type { BenchOptions, BenchResult } from './run.ts'

const tenants = 64
const connections = 256

const body = JSON.stringify({
  type: 'ai_recommendation',
  actor: { id: 'agent-7', type: 'ai_agent', name: 'Care planner' },
  action: {
    type: 'plan.adjust',
    description: 'Two sessions a week',
    input: { client: 'c-102' },
    output: { sessions: 2 },
  },
  aiContext: { model: 'planner-3', provider: 'in-house', confidence: 0.92, reasoning: 'Progress slowed in week six.' },
  tags: ['care-plan'],
})

interface Window {
  readonly perSecond: number
  readonly p99: number
  /** Processor time of the server per answered request. */
  readonly cpuMicros: number
}

async function load(server: Running, keys: readonly string[], seconds: number): Promise<Window> {
  const cpuBefore = server.cpuSeconds()
  const result = await autocannon({
    url: `${server.url}/api/v1/decision-events`,
    method: 'POST',
    connections,
    duration: seconds,
    body,
    headers: { 'content-type': 'application/json' },
    requests: keys.map((key) => ({ headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` } })),
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refusals and ${result.errors} errors: not a measurement`)
  const cpuMicros = (1e6 * (server.cpuSeconds() - cpuBefore)) / result['2xx']
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99, cpuMicros }
}

export async function benchIngest({ seconds, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const keys = await Promise.all(Array.from({ length: tenants }, async () => world.key(await world.center())))
  const server = await startProcess(
    '../../server/main.ts',
    {
      ROLE: 'all',
      DATABASE_URL: place.url,
      REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
      REDIS_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
      RATE_LIMIT_PROOF: '100000000/60',
      SECRET_KEY: randomBytes(32).toString('base64'),
    },
    profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : [],
  )
  const bare = await startProcess('./bare.process.ts', {})
  try {
    await load(server, keys, 2)
    await load(bare, keys, 2)
    const ours: Window[] = []
    const theirs: Window[] = []
    for (let window = 0; window < windows; window++) {
      theirs.push(await load(bare, keys, seconds))
      ours.push(await load(server, keys, seconds))
      say(
        `window ${window + 1}: bare ${Math.round(theirs.at(-1)?.perSecond ?? 0)}/s, ours ${Math.round(ours.at(-1)?.perSecond ?? 0)}/s`,
      )
    }
    const ratios = ours.map((own, index) => own.perSecond / (theirs[index] as Window).perSecond)
    const rows = await world.query<{ n: number }>('select count(*)::int as n from cell.decision_events')
    return {
      value: Math.round(median(ours.map((window) => window.perSecond))),
      unit: 'events/s',
      bare: Math.round(median(theirs.map((window) => window.perSecond))),
      ratio: Number(median(ratios).toFixed(3)),
      ratios: ratios.map((ratio) => Number(ratio.toFixed(3))),
      p99Ms: median(ours.map((window) => window.p99)),
      cpuMicros: Math.round(median(ours.map((window) => window.cpuMicros))),
      bareCpuMicros: Math.round(median(theirs.map((window) => window.cpuMicros))),
      tenants,
      connections,
      recorded: rows[0]?.n,
    }
  } finally {
    await server.stop()
    await bare.stop()
    await world.close()
    await place.close()
  }
}
