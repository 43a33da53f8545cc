/**
 * `npm run test:recipes`: the recipes of docs/durability.md, from the text of the page, with real programs. A program that is
 * missing fails the test of its recipe.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseUrl, freePort, withClient } from '../../tools/postgres.ts'
import { type Drill, openDrill } from '../crash/drill-settings.ts'
import { type KillableServer, startKillable } from '../crash/killable-server.ts'
import type { Fixture } from '../crash/ledger.ts'
import { collectServed, type Decided, decide, missingSeals } from '../crash/served.ts'
import { openClient } from '../support/client.ts'
import { type Clusters, openClusters } from '../support/postgres-cluster.ts'
import { programIn } from '../support/programs.ts'
import { openWorld } from '../support/world.ts'
import { type Recipe, recipeOf } from './recipes.ts'

const page = 'docs/durability.md'
const minutes = 60_000

describe.runIf(process.env.TEST_RECIPES)('a recipe', { timeout: 5 * minutes }, () => {
  let clusters: Clusters
  let drill: Drill
  let recipe: Recipe | undefined
  const servers: KillableServer[] = []
  /** Each test has a database of its own, in which the same names of logs begin anew. */
  let served = collectServed()
  const decided: Decided[] = []

  beforeEach(async () => {
    clusters = openClusters()
    drill = await openDrill()
    decided.length = 0
    served = collectServed()
  }, minutes)
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((each) => each.stop()))
    await recipe?.stop()
    recipe = undefined
    await drill?.close()
    await clusters?.close()
    expect(served.faults).toEqual([])
  }, minutes)

  /** A process that refuses to start where a database may lose what it has acknowledged. */
  async function serve(url: string, durability: 'off' | 'strict') {
    const server = await startKillable({ ...drill.settings(url), ROLE: 'all', DURABILITY: durability }, { tries: 1 })
    servers.push(server)
    return openClient(server.url)
  }
  async function fixtureIn(url: string): Promise<Fixture> {
    await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
    const world = await openWorld(url)
    const center = await world.center()
    const key = await world.key(center)
    await world.close()
    return { center, key }
  }
  type Calls = Awaited<ReturnType<typeof serve>>
  async function seal(client: Calls, fixture: Fixture, count: number, patienceMs = minutes): Promise<void> {
    for (let sealed = 0, until = performance.now() + patienceMs; sealed < count; ) {
      const answer = await decide(client, fixture, served)
      decided.push(answer)
      if (answer.seal) sealed++
      else if (performance.now() > until) throw new Error(`not sealed: ${answer.status} ${answer.code}`)
      else await sleep(200)
    }
  }
  async function missing(url: string): Promise<number> {
    const world = await openWorld(url)
    return (await missingSeals(world, decided).finally(() => world.close())).length
  }

  const environment = () => ({ PATH: `${clusters.programs}:${process.env.PATH}:/usr/sbin` })
  const stopPostgres = (data: string) => clusters.run('pg_ctl', ['-D', data, '-m', 'immediate', 'stop'])
  /** At the end of a test, which may have failed before PostgreSQL was started. */
  const endPostgres = (data: string) => stopPostgres(data).catch(() => {})

  it('for one machine and a second disk keeps every seal when the first disk is lost', async () => {
    const cluster = await clusters.make('main')
    await cluster.start()
    const url = databaseUrl(cluster.url, 'countersign')
    await cluster.query('create database countersign')
    const fixture = await fixtureIn(url)
    const settings = {
      ...{ PGHOST: '127.0.0.1', PGPORT: String(cluster.port), PGDATA: cluster.data },
      ...{ WAL: join(clusters.folder, 'wal'), BASE: join(clusters.folder, 'base') },
    }
    recipe = recipeOf(page, 'One machine and a second disk', clusters.folder, { settings, environment: environment() })
    await expect(serve(url, 'strict')).rejects.toThrow('before it was ready')
    await recipe.run('prepare')
    const receiver = await recipe.service('service')
    await recipe.run('begin')
    const first = await serve(url, 'strict')
    await seal(first, fixture, 50)
    await cluster.stop('immediate')
    rmSync(cluster.data, { recursive: true })
    expect(await decide(first, fixture, served)).toMatchObject({ status: 503 })
    await receiver.kill('SIGTERM')
    await recipe.run('restore')
    try {
      await seal(first, fixture, 1)
      expect([decided.filter((each) => each.seal).length, await missing(url)]).toEqual([51, 0])
    } finally {
      await endPostgres(cluster.data)
    }
  })

  it('with Patroni goes on after the loss of the primary, and loses no seal', async () => {
    for (const [program, from] of [
      ['patroni', 'patroni'],
      ['haproxy', 'haproxy'],
      ['etcd', 'etcd-server python3-etcd'],
    ] as const)
      programIn(program, from)
    const ports = await Promise.all(Array.from({ length: 9 }, freePort))
    const [etcd, etcdPeer, way] = ports as [number, number, number]
    const at = (port: number | undefined) => `127.0.0.1:${port}`
    const node = (n: number) => {
      const [own, api] = [ports[3 + 2 * n], ports[4 + 2 * n]]
      return {
        PATRONI_NAME: ['a', 'b', 'c'][n] as string,
        PATRONI_ETCD3_HOST: at(etcd),
        PATRONI_POSTGRESQL_DATA_DIR: join(clusters.folder, `node${n}`),
        PATRONI_POSTGRESQL_BIN_DIR: clusters.programs,
        PATRONI_POSTGRESQL_LISTEN: at(own),
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: at(own),
        PATRONI_RESTAPI_LISTEN: at(api),
        PATRONI_RESTAPI_CONNECT_ADDRESS: at(api),
        PATRONI_SUPERUSER_PASSWORD: 'change-me',
        PATRONI_REPLICATION_PASSWORD: 'change-me',
      }
    }
    const haproxy = {
      ...{ LISTEN: at(way), A: at(ports[3]), B: at(ports[5]), C: at(ports[7]) },
      ...{ A_API: at(ports[4]), B_API: at(ports[6]), C_API: at(ports[8]) },
    }
    const settings = { ...node(0), ...haproxy }
    const labels = ['settings', 'settings-haproxy']
    recipe = recipeOf(page, 'Patroni', clusters.folder, { settings, labels, environment: environment() })
    // The roles of the service log in without passwords here.
    recipe.write('patroni.yml', [
      ['local all all peer', 'local all all trust'],
      ['10.0.0.0/24 scram-sha-256', '127.0.0.1/32 trust'],
    ])
    recipe.write('haproxy.cfg')
    const [clients, peers] = [`http://${at(etcd)}`, `http://${at(etcdPeer)}`]
    const store = spawn(
      programIn('etcd', 'etcd-server'),
      [
        ...['--data-dir', join(drill.folder, 'etcd'), '--log-level', 'error'],
        ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
        ...[
          '--listen-peer-urls',
          peers,
          '--initial-advertise-peer-urls',
          peers,
          '--initial-cluster',
          `default=${peers}`,
        ],
      ],
      { stdio: 'ignore' },
    )
    const answers = async (n: number, path: string) => {
      const answer = await fetch(`http://${at(ports[4 + 2 * n])}/${path}`).catch(() => null)
      await answer?.arrayBuffer()
      return answer?.status === 200
    }
    const until = (what: () => Promise<boolean>) =>
      expect.poll(what, { timeout: 2 * minutes, interval: 250 }).toBe(true)
    const pidOf = (n: number) =>
      Number(readFileSync(join(clusters.folder, `node${n}`, 'postmaster.pid'), 'utf8').split('\n')[0])
    try {
      const a = await recipe.service('service')
      await until(() => answers(0, 'primary'))
      await recipe.service('service', node(1))
      await recipe.service('service', node(2))
      await until(async () => (await answers(1, 'sync')) || (await answers(2, 'sync')))
      await recipe.service('service-haproxy')
      const url = `postgres://postgres:change-me@${at(way)}/countersign`
      const server = databaseUrl(url, 'postgres')
      // Right after its start, HAProxy takes every server for the primary.
      const leads = () => withClient(server, (client) => client.query('select where not pg_is_in_recovery()'))
      const always = async () =>
        (await Promise.all([0, 1, 2, 3, 4, 5].map(leads))).every(({ rowCount }) => rowCount === 1)
      await until(() => always().catch(() => false))
      await until(() =>
        withClient(server, (client) => client.query('create database countersign')).then(Boolean, () => false),
      )
      const fixture = await fixtureIn(url)
      const client = await serve(url, 'strict')
      await seal(client, fixture, 20)
      await Promise.all([a.kill('SIGKILL'), process.kill(pidOf(0), 'SIGKILL')])
      await seal(client, fixture, 5, 2 * minutes)
      expect(await missing(url)).toBe(0)
      await recipe.service('service')
      await until(() => answers(0, 'replica'))
      await seal(client, fixture, 5)
      expect(await missing(url)).toBe(0)
    } finally {
      await Promise.all(servers.splice(0).map((each) => each.stop()))
      await recipe.stop()
      store.kill('SIGTERM')
      await once(store, 'exit')
    }
  })

  it('with pgBackRest restores what was archived; of a moment before the last seals the fence does not admit the database', async () => {
    programIn('pgbackrest', 'pgbackrest')
    const cluster = await clusters.make('main')
    await cluster.start()
    const url = databaseUrl(cluster.url, 'countersign')
    await cluster.query('create database countersign')
    const fixture = await fixtureIn(url)
    const folderOf = (name: string) => join(clusters.folder, name)
    const settings = {
      ...{ PGHOST: '127.0.0.1', PGPORT: String(cluster.port), PGDATA: cluster.data },
      PGBACKREST_CONFIG: folderOf('pgbackrest.conf'),
    }
    const own = {
      ...{ PGBACKREST_PG1_PORT: String(cluster.port), PGBACKREST_PG1_SOCKET_PATH: clusters.folder },
      ...{ PGBACKREST_LOG_PATH: clusters.folder, PGBACKREST_LOCK_PATH: folderOf('lock') },
      PGBACKREST_SPOOL_PATH: folderOf('spool'),
    }
    recipe = recipeOf(page, 'pgBackRest', clusters.folder, { settings, environment: { ...environment(), ...own } })
    recipe.write('pgbackrest.conf', [
      ['/var/lib/pgbackrest', folderOf('repository')],
      ['/var/lib/postgresql/15/main', cluster.data],
    ])
    try {
      await recipe.run('prepare')
      const client = await serve(url, 'off')
      await seal(client, fixture, 5)
      await recipe.run('backup')
      await seal(client, fixture, 5)
      await sleep(1100)
      const moment = new Date()
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, '+00')
      await sleep(1100)
      await seal(client, fixture, 5)
      const [row] = await cluster.query<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file')
      const archived = `select from pg_stat_archiver where last_archived_wal >= '${row?.file}'`
      await expect.poll(async () => (await cluster.query(archived)).length, { timeout: minutes }).toBe(1)
      await stopPostgres(cluster.data)
      await recipe.run('restore')
      await seal(client, fixture, 1)
      expect(await missing(url)).toBe(0)

      await stopPostgres(cluster.data)
      await recipe.run('restore-to-a-moment', { TARGET: moment })
      for (let tries = 0; tries < 20; tries++) {
        const { seal: sealed, status } = await decide(client, fixture, served)
        expect([sealed, [201, 503].includes(status as number)]).toEqual([null, true])
        await sleep(100)
      }
      expect(await missing(url)).toBe(6)
    } finally {
      await endPostgres(cluster.data)
    }
  })
})
