/**
 * POST /api/v1/decision-events/{id}/approvals by one API process, on one chain and on 64, next to a bare route, next to
 * the same server with a row lock per request, and next to one without trees, signatures and receipts: same load,
 * interleaved windows, Redis on.
 */
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import autocannon from 'autocannon'
import { openWorld, type World } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, type Running, say, settings, startProcess } from './place.ts'

export const callers = 256
const body = JSON.stringify({
  approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
  result: 'approved',
  reason: 'Agrees with my own assessment.',
})

export interface Tenant {
  readonly centerId: number
  readonly key: string
}

/** Decisions that wait for an approval, as the API would have recorded them, inserted in bulk. */
export async function supply(
  world: World,
  tenants: readonly Tenant[],
  count: number,
  stored: boolean,
): Promise<{ path: string; key: string }[]> {
  const made: { path: string; key: string }[] = []
  for (let done = 0; done < count; ) {
    const ids: string[] = []
    const centers: number[] = []
    for (; done < count && ids.length < 5000; done++) {
      const { centerId, key } = tenants[done % tenants.length] as Tenant
      const id = newUuid()
      ids.push(id)
      centers.push(centerId)
      made.push({ path: `/api/v1/decision-events/${typedId('decisionEvent', id)}/approvals`, key })
    }
    if (!stored) continue
    await world.query(
      `insert into cell.decision_events (center_id, id, decision_id, type, actor, action, ai_context, tags, occurred_at, created_at, updated_at)
       select c, i, 'dec-' || i, 'ai_recommendation', '{"id":"agent-7","type":"ai_agent","name":"Care planner"}',
         '{"type":"plan.adjust","description":"Two sessions a week","input":{"client":"c-102"},"output":{"sessions":2}}',
         '{"model":"planner-3","provider":"in-house","confidence":0.92,"reasoning":"Progress slowed in week six."}',
         '{care-plan}', now(), now(), now()
       from unnest($1::integer[], $2::uuid[]) t (c, i)`,
      [centers, ids],
    )
  }
  await world.query('analyze cell.decision_events')
  return made
}

export interface Window {
  readonly perSecond: number
  readonly p99: number
  readonly cpuMicros: number
}

export async function load(
  server: Running,
  targets: { path: string; key: string }[],
  seconds: number,
): Promise<Window> {
  const cpuBefore = server.cpuSeconds()
  const result = await autocannon({
    url: server.url,
    method: 'POST',
    connections: callers,
    duration: seconds,
    requests: [
      {
        setupRequest: (request: object) => {
          const { path, key } = targets.pop() as { path: string; key: string }
          const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
          return { ...request, path, headers, body }
        },
      },
    ],
  } as autocannon.Options)
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} refused requests and ${result.errors} errors: the measurement is invalid`)
  const cpuMicros = (1e6 * (server.cpuSeconds() - cpuBefore)) / result['2xx']
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99, cpuMicros }
}

/** Events per second: more than any server can seal, because a server that runs out ends the measurement. */
const most = { bare: 60_000, ours: 20_000, unsigned: 20_000, locked: 4000 }

export async function benchSeal({ seconds, windows, profile }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const tenants = await Promise.all(
    Array.from({ length: 128 }, async () => {
      const center = await world.center()
      return { centerId: center.id, key: await world.key(center) }
    }),
  )
  const env = settings(place, 'api')
  const flags = profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : []
  const servers = {
    bare: await startProcess('./bare-approval.process.ts', {}),
    ours: await startProcess('../../apps/server/main.ts', env, flags),
    unsigned: await startProcess('./unsigned.process.ts', env),
    locked: await startProcess('./row-lock.process.ts', env),
  }
  type Name = keyof typeof servers
  const measured: Record<string, Window[]> = {}
  const measure = async (name: Name, chains: number, time: number) => {
    // The bare route reads no rows.
    // The server without trees gets separate chains: a signing server would first build the missing trees.
    const [from, to] = name === 'unsigned' ? [64, 64 + chains] : [0, chains]
    const targets = await supply(world, tenants.slice(from, to), most[name] * time + callers, name !== 'bare')
    return load(servers[name], targets, time)
  }
  try {
    for (const name of Object.keys(servers) as Name[]) await measure(name, 64, 1)
    for (let window = 0; window < windows; window++) {
      for (const chains of [1, 64]) {
        for (const name of Object.keys(servers) as Name[]) {
          const result = await measure(name, chains, seconds)
          const key = `${name} ${chains}`
          measured[key] = [...(measured[key] ?? []), result]
          say(
            `${chains} chains, ${name}: ${Math.round(result.perSecond)}/s, p99 ${result.p99} ms, ${Math.round(result.cpuMicros)} µs`,
          )
        }
      }
    }
    const rate = (name: string) => median((measured[name] as Window[]).map((window) => window.perSecond))
    const ratios = (own: string, other: string) =>
      median(
        (measured[own] as Window[]).map((w, i) => w.perSecond / ((measured[other] as Window[])[i] as Window).perSecond),
      )
    const p99 = (name: string) => median((measured[name] as Window[]).map((window) => window.p99))
    const cpu = (name: string) => Math.round(median((measured[name] as Window[]).map((window) => window.cpuMicros)))
    const round = (value: number) => Number(value.toFixed(3))
    return {
      value: Math.round(rate('ours 1')),
      unit: 'seals/s',
      bare: Math.round(rate('bare 1')),
      ratio: round(ratios('ours 1', 'bare 1')),
      ratio64: round(ratios('ours 64', 'bare 64')),
      value64: Math.round(rate('ours 64')),
      locked: Math.round(rate('locked 1')),
      locked64: Math.round(rate('locked 64')),
      overLocked: round(ratios('ours 1', 'locked 1')),
      overLocked64: round(ratios('ours 64', 'locked 64')),
      unsigned: Math.round(rate('unsigned 1')),
      unsigned64: Math.round(rate('unsigned 64')),
      overUnsigned: round(ratios('ours 1', 'unsigned 1')),
      overUnsigned64: round(ratios('ours 64', 'unsigned 64')),
      unsignedCpuMicros: cpu('unsigned 1'),
      p99Ms: p99('ours 1'),
      p99Ms64: p99('ours 64'),
      cpuMicros: cpu('ours 1'),
      bareCpuMicros: cpu('bare 1'),
      callers,
    }
  } finally {
    for (const server of Object.values(servers)) await server.stop()
    await world.close()
    await place.close()
  }
}
