/** An installation with two cells, filled to a given size by the functions and operations of the server itself. */
import { secretContext } from '@countersign/server/features/automation/webhooks/subscriptions.ts'
import { newEvent } from '@countersign/server/features/evidence/decision-events/record.ts'
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import { secretBox } from '@countersign/server/lib/secret-box.ts'
import autocannon from 'autocannon'
import { openWorld, type Person, type World } from '../support/world.ts'
import { approval, recordedEvent } from './bodies.ts'
import { sampleSecret } from './deliver-sample.ts'
import { makePlace, type Place, type Running, say, settings, startProcess } from './place.ts'
import type { Target, Tenant } from './seal-load.ts'

const cellNames = ['one', 'two'] as const
const recordedAtOnce = 500
const sealingCallers = 256

export interface Sizes {
  readonly centers: number
  readonly events: number
  readonly seals: number
}

export interface ScaleTenant extends Tenant {
  readonly cell: string
  readonly domain: string
  readonly webhook: string
}

export interface Bytes {
  readonly disk: number
  readonly wal: number
}

export interface Installation {
  readonly sizes: Sizes
  readonly place: Place
  readonly env: Record<string, string>
  readonly tenants: readonly ScaleTenant[]
  readonly api: Running
  worldOf(cell: string): World
  /** The world of the directory. */
  readonly world: World
  /** Events that are sealed, and events that are not. */
  readonly sealed: readonly Target[]
  readonly open: Target[]
  readonly perEvent: Bytes
  readonly perSeal: Bytes
  close(): Promise<void>
}

export async function install(sizes: Sizes, consumer: string): Promise<Installation> {
  const place = await makePlace(cellNames)
  const env: Record<string, string> = {
    ...settings(place, 'api'),
    RATE_LIMIT_STANDARD: '100000000/60',
    RATE_LIMIT_LOGIN: '100000000/60',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  const world = await openWorld(place.url)
  const worlds = new Map<string, World>()
  for (const [cell, url] of place.cells) worlds.set(cell, await openWorld(url))
  const worldOf = (cell: string) => worlds.get(cell) as World
  const size = async () => {
    const rows = await Promise.all(
      [...worlds.values()].map((each) =>
        each.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes'),
      ),
    )
    return rows.flat().reduce((sum, { bytes }) => sum + Number(bytes), 0)
  }
  const wal = async () => {
    const [row] = await world.query<{ at: string }>(`select pg_current_wal_insert_lsn() - '0/0' as at`)
    return Number(row?.at)
  }
  /** What the work adds, divided by the number of its items. */
  async function costOf(count: number, work: () => Promise<void>): Promise<Bytes> {
    const before = [await size(), await wal()] as const
    await work()
    return { disk: ((await size()) - before[0]) / count, wal: ((await wal()) - before[1]) / count }
  }

  const tenants = await makeTenants(world, worldOf, sizes.centers, consumer, env.SECRET_KEY as string)
  const events: Target[] = []
  const perEvent = await costOf(sizes.events, () => record(worldOf, tenants, sizes.events, events))
  for (const each of worlds.values()) await each.query('vacuum analyze')
  const api = await startProcess('../../apps/server/main.ts', env)
  const sealed = events.splice(0, sizes.seals)
  const perSeal = await costOf(sizes.seals, () => sealAll(api, sealed))
  for (const each of worlds.values()) await each.query('vacuum analyze')
  return {
    ...{ sizes, place, env, tenants, api, world, worldOf, sealed, open: events, perEvent, perSeal },
    async close() {
      await api.stop()
      for (const each of [world, ...worlds.values()]) await each.close()
      await place.close()
    },
  }
}

async function makeTenants(
  world: World,
  worldOf: (cell: string) => World,
  count: number,
  url: string,
  secretKey: string,
): Promise<ScaleTenant[]> {
  const box = secretBox([Buffer.from(secretKey, 'base64')])
  const tenants: ScaleTenant[] = []
  for (let made = 0; made < count; made++) {
    const cell = cellNames[made % cellNames.length] as string
    const center = await world.center({ cell })
    const [webhook, secret] = [newUuid(), newUuid()]
    await worldOf(cell).query(
      `with w as (
         insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
         values ($1, $2, $3, '{payment.completed}', '', true, now())
       ), s as (
         insert into cell.webhook_secrets (center_id, webhook_id, id, sealed, created_at) values ($1, $2, $4, $5, now())
       )
       insert into cell.webhook_endpoints (center_id, webhook_id) values ($1, $2)`,
      [center.id, webhook, url, secret, box.seal(sampleSecret, secretContext(secret))],
    )
    tenants.push({ centerId: center.id, key: await world.key(center), cell, domain: center.domain, webhook })
    if (made % 2000 === 0) say(`${made} of ${count} centers`)
  }
  return tenants
}

/** Events of all centers in turn, so that the events of one center lie as far apart as in production. */
async function record(
  worldOf: (cell: string) => World,
  tenants: readonly ScaleTenant[],
  count: number,
  made: Target[],
): Promise<void> {
  for (let done = 0; done < count; ) {
    const batches = new Map<string, { centers: Set<number>; rows: string[] }>(
      cellNames.map((cell) => [cell, { centers: new Set(), rows: [] }]),
    )
    const until = Math.min(count, done + cellNames.length * recordedAtOnce)
    for (; done < until; done++) {
      const { centerId, key, cell } = tenants[done % tenants.length] as ScaleTenant
      const event = newEvent(recordedEvent as never, {
        centerId,
        recordedBy: 'key_01kz9x4q8hfx5r3v7t2b6n0m1c',
        at: Date.now(),
        traceparent: null,
        key: null,
      })
      const batch = batches.get(cell)
      batch?.centers.add(centerId)
      batch?.rows.push(JSON.stringify(event))
      made.push({
        id: event.id,
        centerId,
        key,
        path: `/api/v1/decision-events/${typedId('decisionEvent', event.id)}/approvals`,
      })
    }
    await Promise.all(
      Array.from(batches, ([cell, { centers, rows }]) =>
        worldOf(cell).query('select count(*) from cell.record_events($1, $2, true)', [
          [...centers],
          `[${rows.join(',')}]`,
        ]),
      ),
    )
    if (done % 100_000 < cellNames.length * recordedAtOnce) say(`${done} of ${count} events`)
  }
}

async function sealAll(api: Running, targets: readonly Target[]): Promise<void> {
  const step = 20_000
  for (let from = 0; from < targets.length; from += step) {
    const left = targets.slice(from, from + step)
    const amount = left.length
    const body = JSON.stringify(approval)
    const result = await autocannon({
      url: api.url,
      connections: Math.min(sealingCallers, amount),
      amount,
      timeout: 60,
      method: 'POST',
      requests: [
        {
          setupRequest: (request: object) => {
            const target = left.pop() as Target
            const headers = { 'content-type': 'application/json', authorization: `Bearer ${target.key}` }
            return { ...request, path: target.path, headers, body }
          },
        },
      ],
    } as autocannon.Options)
    if (result['2xx'] !== amount) throw new Error(`${amount - result['2xx']} of ${amount} seals failed`)
    say(`${from + amount} of ${targets.length} seals, ${Math.round(result.requests.average)}/s`)
  }
}

/** Access tokens of directors of some centers. */
export async function directorsOf({ world, api, tenants }: Installation, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let made = 0; made < count; made++) {
    const { centerId: id, domain } = tenants[Math.floor((made * tenants.length) / count)] as ScaleTenant
    const person: Person = await world.person()
    await world.member(person, { id, domain })
    const response = await fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email, password: person.password, centerDomain: domain }),
    })
    if (response.status !== 200) throw new Error(`no sign-in: ${await response.text()}`)
    tokens.push(((await response.json()) as { data: { accessToken: string } }).data.accessToken)
  }
  return tokens
}
