/**
 * POST /api/v1/decision-events by one API process next to a bare route and to the engine run bare: same load, interleaved
 * windows, Redis on.
 */
import { randomBytes } from 'node:crypto'
import { openWorld } from '../support/world.ts'
import { recordedEvent } from './bodies.ts'
import { sideBySide } from './load.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, startProcess } from './place.ts'

const tenants = 64
const connections = 256

const body = JSON.stringify(recordedEvent)

export async function benchIngest(options: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const keys = await Promise.all(Array.from({ length: tenants }, async () => world.key(await world.center())))
  const server = await startProcess(
    '../../apps/server/main.ts',
    {
      ROLE: 'all',
      DATABASE_URL: place.url,
      REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
      REDIS_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
      RATE_LIMIT_PROOF: '100000000/60',
      SECRET_KEY: randomBytes(32).toString('base64'),
    },
    options.profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : [],
  )
  const bare = await startProcess('./bare.process.ts', {})
  const engine = await startProcess('./bare-engine.process.ts', { DATABASE_URL: place.url })
  try {
    const requests = keys.map((key) => ({
      method: 'POST' as const,
      path: '/api/v1/decision-events',
      body,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    }))
    const result = await sideBySide(server, bare, { connections, requests }, options, engine)
    const rows = await world.query<{ n: number }>('select count(*)::int as n from cell.decision_events')
    return { unit: 'events/s', ...result, tenants, recorded: rows[0]?.n }
  } finally {
    await server.stop()
    await bare.stop()
    await engine.stop()
    await world.close()
    await place.close()
  }
}
