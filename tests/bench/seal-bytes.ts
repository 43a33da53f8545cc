/**
 * Bytes of one decision, by table and index: on disk, and in the write-ahead log of recording and of sealing, through the API by
 * one process. Rounds record, seal and vacuum, and the first one does not count, so that what a round grows is what stays.
 * The log counts without page images, as with full_page_writes = off. Jobs of the worker do not run.
 */
import pg from 'pg'
import { openClient } from '../support/client.ts'
import { openWorld, type World } from '../support/world.ts'
import { approval, recordedEvent } from './bodies.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { type Given, makeSigner, type Signer, signedApprovals, withWorker } from './passkey.ts'
import { makePlace, type Running, say, settings, startProcess } from './place.ts'
import { short, sized } from './sized.ts'
import { keepingWal, walByRelation, walPosition } from './wal.ts'

const perRound = sized(1024, 16)
const rounds = sized(3, 1)
const callers = sized(256, 8)
const mostTries = 100
const manyChains = sized(1000, 4)
/** A passkey is registered in each; the requests in flight are of different chains, as with more of them. */
const signingChains = sized(64, 2)
const runs = [
  { way: 'claim', chains: 1 },
  { way: 'claim', chains: manyChains },
  { way: 'session', chains: 1 },
  { way: 'session', chains: manyChains },
  { way: 'passkey', chains: 1 },
  { way: 'passkey', chains: signingChains },
] as const
type Way = (typeof runs)[number]['way']

const origin = 'http://localhost:3000'

/** `token` approves: a session's, or the key itself. */
interface Approver {
  readonly key: string
  readonly token: string
  readonly signer?: Signer
}

/** The answers in the order of the requests. */
async function send({ url }: Running, posts: readonly Given[]): Promise<string[]> {
  const answers: string[] = []
  let at = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let index = at++; index < posts.length; index = at++) {
        const { path, key, body } = posts[index] as Given
        const request = {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        }
        let response = await fetch(`${url}${path}`, request)
        let text = await response.text()
        // Refused by load shedding, or before the role of a new approver was sealed: the server has done nothing.
        const isEarly = () => response.status === 503 || (response.status === 409 && text.includes('"eligibility"'))
        for (let tries = 0; isEarly() && tries < mostTries; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 250))
          response = await fetch(`${url}${path}`, request)
          text = await response.text()
        }
        if (response.status >= 300) throw new Error(`${path}: ${response.status} ${text}`)
        answers[index] = text
      }
    }),
  )
  return answers
}

async function disk(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ relation: string; bytes: number }>(
    `select coalesce(o.relname || ' toast', c.relname) as relation, sum(pg_relation_size(c.oid))::float as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_index i on i.indexrelid = c.oid
       left join pg_class o on o.reltoastrelid in (c.oid, i.indrelid) and o.reltoastrelid <> 0
     where c.relkind in ('r', 'i', 't') and n.nspname in ('cell', 'pg_toast') and c.relfilenode <> 0 group by 1`,
  )
  return new Map(rows.map(({ relation, bytes }) => [relation, bytes]))
}

async function makeApprovers(world: World, server: Running, way: Way, count: number): Promise<Approver[]> {
  const client = openClient(server.url)
  const made: Approver[] = []
  for (let left = count; left > 0; left--) {
    if (way === 'passkey') {
      const signer = await makeSigner(world, client)
      made.push({ key: await world.key({ id: signer.centerId, domain: '' }), token: signer.key, signer })
      continue
    }
    const center = await world.center()
    const key = await world.key(center)
    if (way === 'claim') {
      made.push({ key, token: key })
      continue
    }
    const person = await world.person()
    await world.member(person, center, 'ADMIN')
    made.push({ key, token: (await client.signIn(person, center.domain)).accessToken })
  }
  return made
}

/** Of one decision: bytes on disk, and bytes and records of the log. */
interface Figures {
  disk: number
  record: number
  recordRecords: number
  seal: number
  sealRecords: number
}

const none = (): Figures => ({ disk: 0, record: 0, recordRecords: 0, seal: 0, sealRecords: 0 })
const columns = Object.keys(none()) as (keyof Figures)[]

function sum(all: Iterable<Figures>): Figures {
  const total = none()
  for (const each of all) for (const column of columns) total[column] += each[column]
  return total
}

async function measure(
  { client, server }: { client: pg.Client; server: Running },
  way: Way,
  approvers: readonly Approver[],
): Promise<ReadonlyMap<string, Figures>> {
  const found = new Map<string, Figures>()
  const of = (relation: string): Figures => {
    const known = found.get(relation) ?? none()
    found.set(relation, known)
    return known
  }
  const seals = perRound * rounds
  const logged = (kind: 'record' | 'seal', counts: boolean, posts: readonly Given[]): Promise<string[]> =>
    keepingWal(client, async () => {
      const start = await walPosition(client)
      const answers = await send(server, posts)
      if (!counts) return answers
      for (const { relation, bytes, records } of await walByRelation(client, start, await walPosition(client))) {
        of(relation)[kind] += bytes / seals
        of(relation)[`${kind}Records`] += records / seals
      }
      return answers
    })
  let before: ReadonlyMap<string, number> = new Map()
  for (let round = 0; round <= rounds; round++) {
    if (round === 1) before = await disk(client)
    const turns = Array.from({ length: perRound }, (_, at) => approvers[at % approvers.length] as Approver)
    const recorded = await logged(
      'record',
      round > 0,
      turns.map(({ key }) => ({ path: '/api/v1/decision-events', key, body: recordedEvent })),
    )
    const approvals = recorded.map((text, at) => {
      const { id } = (JSON.parse(text) as { data: { id: string } }).data
      const { token } = turns[at] as Approver
      return way === 'claim'
        ? { path: `/api/v1/decision-events/${id}/approvals`, key: token, body: approval }
        : {
            path: `/api/decisions/${id}/approvals`,
            key: token,
            body: { result: approval.result, reason: approval.reason },
          }
    })
    const signers = approvers.flatMap(({ signer }) => (signer ? [signer] : []))
    const posts = way === 'passkey' ? await signedApprovals(openClient(server.url), signers, approvals) : approvals
    await logged('seal', round > 0, posts)
    await client.query('vacuum')
  }
  for (const [relation, bytes] of await disk(client)) {
    const grown = bytes - (before.get(relation) ?? 0)
    if (grown !== 0) of(relation).disk += grown / seals
  }
  return new Map([...found].sort(([, a], [, b]) => b.disk + b.record + b.seal - (a.disk + a.record + a.seal)))
}

function print(title: string, found: ReadonlyMap<string, Figures>): void {
  const cells = (each: Figures) =>
    columns.map((column) => each[column].toFixed(column.endsWith('Records') ? 2 : 0).padStart(9)).join('')
  say(`\n${title.padEnd(46)}     disk   record  records     seal  records`)
  for (const [relation, each] of found)
    if (each.disk + each.record + each.seal >= 1) say(`${relation.padEnd(46)}${cells(each)}`)
  say(`${'all'.padEnd(46)}${cells(sum(found.values()))}`)
}

const rounded = (each: Figures): Figures =>
  Object.fromEntries(
    columns.map((column) => [column, Number(each[column].toFixed(column.endsWith('Records') ? 2 : 0))]),
  ) as unknown as Figures

export async function benchSealBytes(_: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const client = new pg.Client({ connectionString: place.url })
  await client.connect()
  const unlimited = {
    RATE_LIMIT_STANDARD: '100000000/60',
    RATE_LIMIT_PUBLIC: '100000000/60',
    RATE_LIMIT_LOGIN: '100000000/60',
  }
  const env = { ...settings(place, 'api'), ...unlimited, AUTH_URL: origin, LOG_LEVEL: 'error' }
  const server = await startProcess('../../apps/server/main.ts', env)
  const measured: Record<string, Readonly<Record<string, Figures>>> = {}
  const totals: Record<string, Figures> = {}
  try {
    // Only tables of one run grow while it is measured, and a vacuum of the bench replaces autovacuum.
    for (const { way, chains } of runs) {
      const make = () => makeApprovers(world, server, way, chains)
      const approvers = await (way === 'passkey' ? withWorker(env, make) : make())
      const found = await measure({ client, server }, way, approvers)
      const name = `${way} ${chains}`
      print(`${way}, ${chains} chain${chains === 1 ? '' : 's in turn'}: bytes per decision`, found)
      measured[name] = Object.fromEntries([...found].map(([relation, each]) => [relation, rounded(each)]))
      totals[name] = rounded(sum(found.values()))
    }
    const of = (way: Way, chains: number) => totals[`${way} ${chains}`] as Figures
    const [one, many] = [of('session', 1), of('session', manyChains)]
    return {
      value: one.disk,
      unit: 'bytes on disk of a decision approved by a session',
      bare: 3000,
      ratio: Number((one.disk / 3000).toFixed(2)),
      disk1000: many.disk,
      walSeal: one.seal,
      walSeal1000: many.seal,
      totals,
      ...(!short && { measured }),
    }
  } finally {
    await server.stop()
    await client.end()
    await world.close()
    await place.close()
  }
}
