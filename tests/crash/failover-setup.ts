/**
 * A primary and a standby, two API processes and a worker that share a fence store, a witness and a webhook consumer.
 * Every process has a connection of its own to the database, which the test leads from one cluster to the other.
 */
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { databaseUrl } from '../../tools/postgres.ts'
import { type Client, openClient } from '../support/client.ts'
import { startConsumer } from '../support/consumer.ts'
import { type Cluster, type Clusters, follow, openClusters, untilFollowing } from '../support/postgres-cluster.ts'
import { openWire, type Wire } from '../support/tcp-proxy.ts'
import { openWorld, type World } from '../support/world.ts'
import { type Drill, openDrill } from './drill-settings.ts'
import { startKillable } from './killable-server.ts'
import type { Fixture } from './ledger.ts'
import { collectServed, type Served } from './served.ts'

export const database = 'chaos'
export const urlOf = ({ url }: Pick<Cluster, 'url'>): string => databaseUrl(url, database)

export interface Site extends Pick<Drill, 'fence' | 'settings' | 'contradictions'> {
  readonly clusters: Clusters
  primary: Cluster
  standby: Cluster
  /** What replication goes through. */
  readonly link: Wire
  /** Of the two API processes and of the worker. */
  readonly ways: readonly Wire[]
  readonly apis: readonly Client[]
  readonly served: Served
  fixtures(count: number): Promise<readonly Fixture[]>
  inWorld<T>(cluster: Cluster, work: (world: World) => Promise<T>): Promise<T>
  /** Makes a standby of this cluster from a base backup, in place of the former one. */
  rebuild(primary: Cluster, former: Cluster | null): Promise<void>
  close(): Promise<void>
}

const standbyName = 'second'

/** Commits of the primary wait for the standby, or do not. */
export const setQuorum = async (cluster: Cluster, quorum: boolean): Promise<void> => {
  await cluster.query(`alter system set synchronous_standby_names = '${quorum ? `ANY 1 (${standbyName})` : ''}'`)
  await cluster.query('select pg_reload_conf()')
}

/** A cluster with the schema, and a witness that knows the log key. */
export async function openSite(): Promise<Site> {
  const clusters = openClusters()
  const closing: (() => unknown)[] = []
  const close = async () => {
    for (const each of closing.toReversed()) await each()
    await clusters.close()
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

    const drill = await openDrill()
    closing.push(() => drill.close())
    const { fence, settings, contradictions } = drill
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
      ...{
        clusters,
        primary: first,
        standby: first,
        link,
        ways,
        apis,
        served,
        fence,
        settings,
        contradictions,
        rebuild,
        close,
      },
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
    }
    await rebuild(first, null)
    return site
  } catch (error) {
    await close()
    throw error
  }
}
