/**
 * A primary and a standby, two API processes and a worker that share a fence store, a witness and a webhook consumer.
 * Every process has a connection of its own to the database, which the test leads from one cluster to the other.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '@countersign/server/config.ts'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { readLogKeys } from '@countersign/server/sealing/log-keys.ts'
import { runWitness, witnessFolder } from '../../packages/witness/test/program.ts'
import { databaseUrl } from '../../tools/postgres.ts'
import { type Client, openClient } from '../support/client.ts'
import { startConsumer } from '../support/consumer.ts'
import { type Cluster, type Clusters, follow, openClusters, untilFollowing } from '../support/postgres-cluster.ts'
import { openWire, type Wire } from '../support/tcp-proxy.ts'
import { openWorld, type World } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import { type Fixture, logHost } from './ledger.ts'
import { collectServed, type Served } from './served.ts'

export const database = 'chaos'
export const urlOf = ({ url }: Pick<Cluster, 'url'>): string => databaseUrl(url, database)

export interface Site {
  readonly clusters: Clusters
  primary: Cluster
  standby: Cluster
  /** What replication goes through. */
  readonly link: Wire
  /** Of the two API processes and of the worker. */
  readonly ways: readonly Wire[]
  readonly apis: readonly Client[]
  readonly served: Served
  readonly fence: string
  /** Settings of a process over this database. */
  readonly settings: (url: string) => Readonly<Record<string, string>>
  fixtures(count: number): Promise<readonly Fixture[]>
  inWorld<T>(cluster: Cluster, work: (world: World) => Promise<T>): Promise<T>
  /** Logs of which the witness has two roots for one size. */
  contradictions(): Promise<readonly string[]>
  /** Makes a standby of this cluster from a base backup, in place of the former one. */
  rebuild(primary: Cluster, former: Cluster | null): Promise<void>
  close(): Promise<void>
}

const unlimited = '1000000/60'
const standbyName = 'second'

/** Commits of the primary wait for the standby, or do not. */
export const setQuorum = async (cluster: Cluster, quorum: boolean): Promise<void> => {
  await cluster.query(`alter system set synchronous_standby_names = '${quorum ? `ANY 1 (${standbyName})` : ''}'`)
  await cluster.query('select pg_reload_conf()')
}

/** A cluster with the schema, and a witness that knows the log key. */
export async function openSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-failover-'))
  const clusters = openClusters()
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const each of closing.toReversed()) await each()
    await clusters.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const first = await clusters.make('one')
    await first.start()
    await first.query(`create database ${database}`)
    await migrateAll({ databaseUrl: urlOf(first), cells: new Map([['main', urlOf(first)]]) })
    const link = await openWire(first.url)
    closing.push(() => link.close())
    const consumer = await startConsumer()
    closing.push(() => consumer.close())
    const served = collectServed()
    consumer.answer(({ envelope }) => {
      if (typeof envelope.data.checkpoint === 'string') served.add(envelope.data.checkpoint, 'a webhook')
      return 200
    })

    const policy = join(folder, 'policy.txt')
    const fence = join(folder, 'fence')
    const common = {
      LOG_LEVEL: 'silent',
      TLOG_HOST: logHost,
      PUBLIC_URL: `http://${logHost}`,
      SECRET_KEY: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      RATE_LIMIT_PROOF: unlimited,
      RATE_LIMIT_PUBLIC: unlimited,
      RATE_LIMIT_STANDARD: unlimited,
    }
    const keys = readLogKeys(readConfig({ ...common, DATABASE_URL: first.url }).log.keys(), logHost)
    const witnessed = witnessFolder([keys.all[0]?.vkey as string])
    closing.push(() => witnessed.remove())
    const witness = await runWitness(witnessed.path)
    closing.push(() => witness.kill('SIGTERM'))
    writeFileSync(policy, `witness w1 ${witnessed.vkey} ${witness.url}\nquorum w1\n`)
    const settings = (url: string) => ({ ...common, TLOG_FENCE: fence, TLOG_POLICY_FILE: policy, DATABASE_URL: url })

    const ways = await Promise.all([0, 1, 2].map(() => openWire(urlOf(first))))
    closing.push(() => Promise.all(ways.map((way) => way.close())))
    const processes = await Promise.all(
      ways.map(({ url }, n) => startKillable({ ...settings(url), ROLE: n === 2 ? 'worker' : 'api' })),
    )
    closing.push(() => Promise.all(processes.map((each) => each.stop())))
    const apis = processes.slice(0, 2).map(({ url }) => openClient(url))

    const rebuild = async (primary: Cluster, former: Cluster | null): Promise<void> => {
      await former?.stop('immediate')
      site.standby = await clusters.backUp(primary, former?.name ?? 'two')
      site.primary = primary
      link.leadTo(primary.url)
      await link.mend()
      await follow(
        site.standby,
        `host=127.0.0.1 port=${new URL(link.url).port} user=postgres application_name=${standbyName}`,
      )
      await site.standby.start()
      await untilFollowing(primary, false)
    }
    const site: Site = {
      ...{ clusters, primary: first, standby: first, link, ways, apis, served, fence, settings, rebuild, close },
      inWorld: async (cluster, work) => {
        const world = await openWorld(urlOf(cluster))
        return work(world).finally(() => world.close())
      },
      fixtures: (count) =>
        site.inWorld(site.primary, (world) =>
          Promise.all(
            Array.from({ length: count }, async () => {
              const center = await world.center()
              const scopes = ['proof:write', 'proof:read', 'events:write']
              const fixture = { center, key: await world.key(center, { scopes }) }
              const body = { url: consumer.url, events: ['*'] }
              const made = await (apis[0] as Client).call('POST', '/api/v1/webhooks', { token: fixture.key, body })
              if (made.status !== 201) throw new Error(`no webhook: ${made.text}`)
              return fixture
            }),
          ),
        ),
      contradictions: async () => {
        const page = await (await fetch(`${witness.url}/contradictions`)).text()
        return Array.from(page.matchAll(/^(\S+) signed two roots for the size (\d+)/gm), ([line]) => line)
      },
    }
    await rebuild(first, null)
    return site
  } catch (error) {
    await close()
    throw error
  }
}
