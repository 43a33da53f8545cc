/** A cluster that archives its log, a server over it that is never lost, and a second cluster to restore into. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { typedId } from '@countersign/server/lib/ids.ts'
import { countersign } from '../../packages/cli/test/program.ts'
import { databaseUrl, withClient } from '../../tools/postgres.ts'
import { type Client, openClient } from '../support/client.ts'
import { openClusters } from '../support/postgres-cluster.ts'
import { openWorld } from '../support/world.ts'
import { type Drill, openDrill } from './drill-settings.ts'
import { logOf } from './failover-judge.ts'
import { startKillable } from './killable-server.ts'
import type { Fixture } from './ledger.ts'
import { archiving, type Origin } from './restores.ts'
import { decide, type Served } from './served.ts'

export interface RestoreSite {
  readonly drill: Drill
  readonly origin: Origin
  /** How many times fixtures were made. */
  readonly rounds: number
  fixtures(count: number): Promise<readonly Fixture[]>
  /** Seals this many decisions of each center, in the original database. */
  seal(fixtures: readonly Fixture[], count: number, served: Served): Promise<void>
  /** The proof of the newest seal of each center in the original database. */
  newestProofs(fixtures: readonly Fixture[]): Promise<ReadonlyMap<Fixture, unknown>>
  /** Audits this center of the original database; the file keeps what was seen. */
  audit(fixture: Fixture, memory: string): Promise<string>
  /** Waits until the witness has cosigned everything of these centers, in the original database unless another is named. */
  untilCosigned(fixtures: readonly Fixture[], url?: string): Promise<void>
  /** Waits for its refusal; false when there is none for a while. */
  witnessRefuses(url: string, fixture: Fixture): Promise<boolean>
  close(): Promise<void>
}

const database = 'chaos'
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A fence store as it is at this moment, also while processes use it. */
export async function copyStore(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  const store = new DatabaseSync(join(from, 'main.fence'), { readOnly: true })
  await backup(store, join(to, 'main.fence'))
  store.close()
}

interface Position {
  readonly behind: boolean
  readonly refusal: string | null
}

const positionOf = async (url: string, { center }: Fixture): Promise<Position | undefined> =>
  (
    await withClient(url, (client) =>
      client.query<Position>(
        `select coalesce(p.size, 0) < h.next_index as behind, p.refusal from cell.chain_heads h
         left join cell.witness_positions p using (center_id, domain) where h.center_id = $1 and h.domain = 'proof'`,
        [center.id],
      ),
    )
  ).rows[0]

async function newestProof(url: string, client: Client, { center, key: token }: Fixture): Promise<unknown> {
  const { rows } = await withClient(url, (database) =>
    database.query(`select id from cell.chain_entries where center_id = $1 and domain = 'proof' order by idx desc`, [
      center.id,
    ]),
  )
  const id = typedId('evidence', rows[0].id)
  return (await client.call('GET', `/api/v1/evidence/${id}/export`, { token })).body
}

/** What `countersign audit` says of the proofs of a center. */
export async function auditOf(url: string, { key }: Fixture, memory: string): Promise<string> {
  const args = ['audit', '--base-url', url, '--memory', memory, '--domain', 'proof', '--lang', 'en']
  const { out, err } = await countersign(args, { env: { COUNTERSIGN_API_KEY: key } })
  return `${out}${err}`
}

/** What `countersign verify --online` says of a proof that was exported earlier. */
export async function verifyOnline(url: string, { key }: Fixture, proof: unknown): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-online-'))
  const [file, policy] = [join(folder, 'proof.json'), join(folder, 'policy')]
  const published = await fetch(`${url}/.well-known/countersign-log.json`)
  writeFileSync(file, JSON.stringify(proof))
  writeFileSync(policy, ((await published.json()) as { policy: string }).policy)
  const args = ['verify', file, '--trust', policy, '--online', '--base-url', url, '--lang', 'en']
  const { code, out, err } = await countersign(args, { env: { COUNTERSIGN_API_KEY: key } })
  rmSync(folder, { recursive: true })
  return `${code} ${out}${err}`
}

async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds()) return true
    await pause(100)
  }
  return false
}

export async function openRestoreSite(): Promise<RestoreSite> {
  const clusters = openClusters()
  const closing: (() => unknown)[] = [() => clusters.close()]
  const close = async () => {
    for (const each of closing.toReversed()) await each()
  }
  try {
    const cluster = await clusters.make('origin', await archiving(clusters.folder))
    const other = await clusters.make('other')
    await Promise.all([cluster.start(), other.start()])
    const url = databaseUrl(cluster.url, database)
    await cluster.query(`create database ${database}`)
    // The roles of the service belong to a cluster; a dump of one database does not have them.
    for (const target of [url, other.url]) await migrateAll({ databaseUrl: target, cells: new Map([['main', target]]) })
    const drill = await openDrill()
    closing.push(() => drill.close())
    const server = await startKillable({ ...drill.settings(url), ROLE: 'all' })
    closing.push(() => server.stop())
    const client = openClient(server.url)
    let rounds = 0
    return {
      drill,
      origin: { clusters, cluster, other, database },
      get rounds() {
        return rounds
      },
      async fixtures(count) {
        rounds++
        const world = await openWorld(url)
        try {
          return await Promise.all(
            Array.from({ length: count }, async () => {
              const center = await world.center()
              return { center, key: await world.key(center, { scopes: ['proof:write', 'proof:read'] }) }
            }),
          )
        } finally {
          await world.close()
        }
      },
      async seal(fixtures, count, served) {
        for (let n = 0; n < count; n++) {
          for (const fixture of fixtures) {
            if (!(await until(async () => (await decide(client, fixture, served)).seal !== null)))
              throw new Error('the original database does not seal')
          }
        }
      },
      async newestProofs(fixtures) {
        const proofs = new Map<Fixture, unknown>()
        for (const fixture of fixtures) proofs.set(fixture, await newestProof(url, client, fixture))
        return proofs
      },
      audit: (fixture, memory) => auditOf(server.url, fixture, memory),
      async untilCosigned(fixtures, where = url) {
        for (const fixture of fixtures) {
          if (await until(async () => (await positionOf(where, fixture))?.behind === false)) continue
          const { refusal } = (await positionOf(where, fixture)) ?? {}
          throw new Error(`the witness does not cosign ${logOf(fixture)}: ${refusal}`)
        }
      },
      witnessRefuses: (restored, fixture) =>
        until(async () => {
          const { behind, refusal } = (await positionOf(restored, fixture)) ?? {}
          return behind === true && refusal !== null && refusal !== undefined && refusal !== 'no answer'
        }),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
