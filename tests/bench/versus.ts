/**
 * `npm run bench -- versus --other FOLDER`: processor time per request of this version beside another one, which is checked out
 * in FOLDER with its packages installed. Both run at once, each with its own database; windows alternate, and so does the one
 * that begins. Work that is the same for both: approvals, decisions that are sealed at once, and events.
 */
import { pathToFileURL } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'
import { approval, recordedEvent } from './bodies.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { median, say } from './place.ts'

const callers = 64
const chains = 8
const { type: _, actor, ...decided } = recordedEvent
const decision = { agent: { id: actor.id, name: actor.name }, ...decided }
export const here = new URL('../../', import.meta.url).pathname

/** The load and the database of a version are its own: tables may differ. */
const partsOf = async (folder: string) => {
  const part = <T>(file: string): Promise<T> => import(pathToFileURL(`${folder}/tests/${file}`).href)
  return {
    ...(await part<typeof import('./place.ts')>('bench/place.ts')),
    ...(await part<typeof import('./cost.ts')>('bench/cost.ts')),
    ...(await part<typeof import('./seal-load.ts')>('bench/seal-load.ts')),
    ...(await part<typeof import('../support/world.ts')>('support/world.ts')),
    ...(await part<typeof import('../support/client.ts')>('support/client.ts')),
  }
}

export interface Figures {
  readonly serverMicros: number
  readonly postgresMicros: number
  readonly walBytes: number
}
const works = ['approve', 'decide', 'record'] as const
type Work = (typeof works)[number]

export interface Side {
  measure(work: Work, seconds: number): Promise<Figures>
  /** So many approvals, however long they take: for a machine on which other work runs. */
  approve(count: number): Promise<Figures>
  /** Of an average entry of the log `proof`, as it is stored. */
  entryBytes(): Promise<number>
  close(): Promise<void>
}

/** With a policy, every approval is one that it asks for. */
export async function openSide(folder: string, policy?: object): Promise<Side> {
  const parts = await partsOf(folder)
  const place = await parts.makePlace()
  const world = await parts.openWorld(place.url)
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  const tenants = await Promise.all(
    Array.from({ length: chains }, async () => {
      const center = await world.center()
      return { center, centerId: center.id, key: await world.key(center, { scopes: ['proof:write', 'proof:approve'] }) }
    }),
  )
  const server = await parts.startProcess('../../apps/server/main.ts', parts.settings(place, 'api'))
  const visitor = parts.openClient(server.url)
  for (const { center } of policy ? tenants : []) {
    const admin = await world.person()
    await world.member(admin, center, 'ADMIN')
    const { accessToken: token } = await visitor.signIn(admin, center.domain)
    const { status, text } = await visitor.call('POST', '/api/policies', { token, body: policy })
    if (status !== 201) throw new Error(`could not make a policy: ${text}`)
  }

  async function post(path: string, body: object, duration: number): Promise<number> {
    let next = 0
    const setupRequest = (request: object) => ({
      ...request,
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${tenants[next++ % chains]?.key as string}`,
      },
    })
    const result = await autocannon({
      ...{ url: server.url, method: 'POST', connections: callers, duration },
      requests: [{ path, body: JSON.stringify(body), setupRequest }],
    } as autocannon.Options)
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} of ${path} were refused`)
    return result['2xx']
  }

  return {
    async measure(work, seconds) {
      const targets = work === 'approve' ? await parts.supply(world, tenants, 6000 * seconds, true) : []
      const before = server.cpuSeconds()
      let count = 0
      const cost = await parts.costOf(client, async () => {
        if (work === 'approve') count = (await parts.load([server], targets, seconds)).seals
        else if (work === 'decide') count = await post('/api/v1/agents/decide', decision, seconds)
        else count = await post('/api/v1/decision-events', recordedEvent, seconds)
      })
      return {
        serverMicros: (1e6 * (server.cpuSeconds() - before)) / count,
        postgresMicros: cost.postgresMicros / count,
        walBytes: cost.walBytes / count,
      }
    },
    async approve(count) {
      const targets = await parts.supply(world, tenants, count, true)
      const before = server.cpuSeconds()
      const caller = async () => {
        for (let target = targets.pop(); target; target = targets.pop()) {
          const answer = await visitor.call('POST', target.path, { token: target.key, body: approval })
          // Nothing was changed: a busy machine lost a connection.
          if (answer.status === 503) targets.push(target)
          else if (answer.status !== 200) throw new Error(answer.text)
        }
      }
      const cost = await parts.costOf(client, () => Promise.all(Array.from({ length: callers }, caller)))
      return {
        serverMicros: (1e6 * (server.cpuSeconds() - before)) / count,
        postgresMicros: cost.postgresMicros / count,
        walBytes: cost.walBytes / count,
      }
    },
    async entryBytes() {
      const { rows } = await client.query<{ bytes: number }>(
        `select avg(octet_length(content))::float8 as bytes from cell.chain_entries where domain = 'proof'`,
      )
      return Math.round(rows[0]?.bytes ?? Number.NaN)
    },
    async close() {
      await server.stop()
      await client.end()
      await world.close()
      await place.close()
    },
  }
}

export async function benchVersus({ seconds, windows, other }: BenchOptions): Promise<BenchResult> {
  if (other === undefined) throw new Error('name the folder of the other version: --other FOLDER')
  const sides = [await openSide(here), await openSide(other)] as const
  const all: Record<Work, { readonly ours: Figures; readonly theirs: Figures }[]> = {
    approve: [],
    decide: [],
    record: [],
  }
  const micros = ({ serverMicros, postgresMicros }: Figures) => serverMicros + postgresMicros
  try {
    for (const work of works) for (const side of sides) await side.measure(work, 2)
    for (let window = 0; window < windows; window++) {
      for (const work of works) {
        const figures: Figures[] = []
        for (const at of window % 2 === 0 ? [0, 1] : [1, 0])
          figures[at] = await (sides[at] as Side).measure(work, seconds)
        const [ours, theirs] = figures as [Figures, Figures]
        all[work].push({ ours, theirs })
        say(`${work}: ${Math.round(micros(ours))} µs, the other version ${Math.round(micros(theirs))} µs`)
      }
    }
    const round = (value: number) => Number(value.toFixed(3))
    const summary = works.map((work) => {
      const of = (side: 'ours' | 'theirs') => {
        const middle = (figure: keyof Figures) => Math.round(median(all[work].map((each) => each[side][figure])))
        return { server: middle('serverMicros'), postgres: middle('postgresMicros'), walBytes: middle('walBytes') }
      }
      const ratio = round(median(all[work].map(({ ours, theirs }) => micros(ours) / micros(theirs))))
      return [work, { ratio, ours: of('ours'), other: of('theirs') }] as const
    })
    const { approve } = Object.fromEntries(summary) as Record<Work, (typeof summary)[number][1]>
    return {
      value: approve.ours.server + approve.ours.postgres,
      unit: 'µs per seal',
      bare: approve.other.server + approve.other.postgres,
      ratio: approve.ratio,
      ...Object.fromEntries(summary),
      entryBytes: { ours: await sides[0].entryBytes(), other: await sides[1].entryBytes() },
      ...{ chains, callers, windows, seconds },
    }
  } finally {
    for (const side of sides) await side.close()
  }
}
