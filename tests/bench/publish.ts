/** The cost that one matching webhook adds to a seal: the same server, centers with and without a webhook, in alternation. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import { openWorld } from '../support/world.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, median, say, settings, startProcess } from './place.ts'
import { callers, load, supply, type Window } from './seal-load.ts'

const mostPerSecond = 20_000

export async function benchPublish({ seconds, windows }: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const tenant = async () => {
    const center = await world.center()
    return { centerId: center.id, key: await world.key(center) }
  }
  const [alone, subscribed] = [await tenant(), await tenant()]
  const webhook = newUuid()
  await world.query(
    `with w as (
       insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
       values ($1, $2, 'https://hooks.example.org/', '{dpu.sealed}', '', true, now()))
     insert into cell.webhook_endpoints (center_id, webhook_id) values ($1, $2)`,
    [subscribed.centerId, webhook],
    true,
  )
  // This server only publishes: no delivery worker runs.
  const server = await startProcess('../../apps/server/main.ts', settings(place, 'api'))
  const measured: { alone: Window[]; subscribed: Window[] } = { alone: [], subscribed: [] }
  const measure = async (who: typeof alone, time: number) =>
    load([server], await supply(world, [who], mostPerSecond * time + callers, true), time)
  try {
    for (const who of [alone, subscribed]) await measure(who, 2)
    for (let window = 0; window < windows; window++) {
      // The order alternates, so that growth over time affects both equally.
      const order = window % 2 === 0 ? (['alone', 'subscribed'] as const) : (['subscribed', 'alone'] as const)
      for (const name of order) {
        const result = await measure(name === 'alone' ? alone : subscribed, seconds)
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
      value: Math.round(rate('subscribed')),
      unit: 'seals/s',
      bare: Math.round(rate('alone')),
      /** The cost with the webhook relative to the cost without it. */
      ratio: Number(
        median(measured.alone.map((w, i) => w.perSecond / (measured.subscribed[i] as Window).perSecond)).toFixed(3),
      ),
      ...published,
    }
  } finally {
    await server.stop()
    await world.close()
    await place.close()
  }
}
