/** What one matching webhook adds to the cost of a seal: the same server, centers with and without one, in turn. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import { openWorld } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, say, settings, startProcess } from './place.ts'
import { callers, load, supply, type Window } from './seal.ts'

const mostPerSecond = 20_000

export async function benchPublish({ seconds, windows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const tenant = async () => {
    const center = await world.center()
    return { centerId: center.id, key: await world.key(center) }
  }
  const [alone, heard] = [await tenant(), await tenant()]
  const webhook = newUuid()
  await world.query(
    `with w as (
       insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
       values ($1, $2, 'https://hooks.example.org/', '{dpu.sealed}', '', true, now()))
     insert into cell.webhook_endpoints (center_id, webhook_id) values ($1, $2)`,
    [heard.centerId, webhook],
    true,
  )
  // It only publishes: nobody here delivers.
  const server = await startProcess('../../apps/server/main.ts', settings(place, 'api'))
  const measured: { alone: Window[]; heard: Window[] } = { alone: [], heard: [] }
  const measure = async (who: typeof alone, time: number) =>
    load(server, await supply(world, [who], mostPerSecond * time + callers, true), time)
  try {
    for (const who of [alone, heard]) await measure(who, 2)
    for (let window = 0; window < windows; window++) {
      // Who goes first changes, so that what grows with time is shared by both.
      const order = window % 2 === 0 ? (['alone', 'heard'] as const) : (['heard', 'alone'] as const)
      for (const name of order) {
        const result = await measure(name === 'alone' ? alone : heard, seconds)
        measured[name].push(result)
        say(`${name}: ${Math.round(result.perSecond)}/s, p99 ${result.p99} ms, ${Math.round(result.cpuMicros)} µs`)
      }
    }
    const [published] = await world.query<{ events: string; deliveries: string }>(
      'select (select count(*) from cell.webhook_events) as events, (select count(*) from cell.webhook_deliveries) as deliveries',
      [],
      true,
    )
    const rate = (name: keyof typeof measured) => median(measured[name].map(({ perSecond }) => perSecond))
    return {
      value: Math.round(rate('heard')),
      unit: 'seals/s',
      bare: Math.round(rate('alone')),
      /** Cost with the webhook against cost without it. */
      ratio: Number(
        median(measured.alone.map((w, i) => w.perSecond / (measured.heard[i] as Window).perSecond)).toFixed(3),
      ),
      ...published,
    }
  } finally {
    await server.stop()
    await world.close()
    await place.close()
  }
}
