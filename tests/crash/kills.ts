/**
 * `npm run chaos -- kills --rounds N`: N times kill -9 of an API process, one to three of them at once, and a fifth as often of
 * PostgreSQL and of Redis, under load. No acknowledged seal is lost, no log forks, and no answer says what is not so.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { databaseUrl, freePort } from '../../tools/postgres.ts'
import { say } from '../bench/place.ts'
import { type Client, openClient } from '../support/client.ts'
import { type Cluster, openClusters } from '../support/postgres-cluster.ts'
import { programIn } from '../support/programs.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld, type World } from '../support/world.ts'
import { openDrill } from './drill-settings.ts'
import { logOf } from './failover-judge.ts'
import { type KillableServer, startKillable } from './killable-server.ts'
import { type Fixture, readChain } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { collectServed, type Decided, decide, keepSealing, missingSeals, type Served } from './served.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
const apis = 3
/** PostgreSQL and Redis are killed once in so many kills of API processes. */
const rarely = 5
/** The database is compared with the answers after so many kills, with new centers after that. */
const perPart = 20

async function startRedis(port: number): Promise<() => Promise<void>> {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn(programIn('redis-server', 'redis-server'), args, { stdio: 'ignore' })
  const reap = () => void child.kill('SIGKILL')
  process.once('exit', reap)
  await once(child, 'spawn')
  return async () => {
    process.off('exit', reap)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

/** After the load: everything that was answered is so, and whoever got no answer can repeat the request. */
async function examine(world: World, client: Client, decided: readonly Decided[], served: Served): Promise<string[]> {
  const faults: string[] = []
  for (const { status, code } of decided) {
    if (![200, 201, 503, 'none'].includes(status)) faults.push(`a decision was answered ${status} ${code}`)
  }
  for (const { fixture, seal } of await missingSeals(world, decided))
    faults.push(`the acknowledged seal ${seal?.index} of ${logOf(fixture)} is lost`)
  const fixtures = new Map(decided.map(({ fixture }) => [fixture.center.id, fixture]))
  for (const each of decided.filter(({ seal }) => !seal).slice(-10)) {
    let again = await decide(client, each.fixture, served, each.idempotencyKey)
    for (let tries = 0; !again.seal && tries < 40; tries++) {
      await pause(250)
      again = await decide(client, each.fixture, served, each.idempotencyKey)
    }
    if (!again.seal) faults.push(`a decision could not be repeated: ${again.status} ${again.code}`)
  }
  for (const fixture of fixtures.values()) {
    const { entries, faults: broken } = await readChain(world, fixture.center, 'proof')
    for (const what of broken) faults.push(`${logOf(fixture)}: ${what}`)
    if (new Set(entries.map(({ id }) => id)).size !== entries.length) faults.push('something is sealed twice')
    const { body } = await client.call('GET', '/api/v1/chains/proof/checkpoint', { token: fixture.key })
    if (body.data?.checkpoint) served.add(body.data.checkpoint, client.url)
    if (body.data && body.data.size !== entries.length)
      faults.push(`${logOf(fixture)} has ${entries.length} entries, and a process shows ${body.data.size}`)
  }
  return faults
}

export async function chaosKills({ seed, rounds }: Pick<ChaosOptions, 'seed' | 'rounds'>): Promise<ChaosResult> {
  const random = seededRandom(seed)
  const served = collectServed()
  const clusters = openClusters()
  const closing: (() => unknown)[] = [() => clusters.close()]
  const faults: string[] = []
  const kills = { api: 0, postgres: 0, redis: 0 }
  let [acknowledged, unanswered] = [0, 0]
  try {
    const cluster: Cluster = await clusters.make('main')
    await cluster.start()
    await cluster.query('create database chaos')
    const url = databaseUrl(cluster.url, 'chaos')
    await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
    const drill = await openDrill()
    closing.push(() => drill.close())
    const redisPort = await freePort()
    let endRedis = await startRedis(redisPort)
    closing.push(() => endRedis())
    const environment = { ...drill.settings(url), ROLE: 'api', REDIS_URL: `redis://127.0.0.1:${redisPort}` }
    const start = () => startKillable(environment)
    const servers: KillableServer[] = await Promise.all(Array.from({ length: apis }, start))
    closing.push(() => Promise.all(servers.map((each) => each.stop())))

    while (kills.api < rounds) {
      const world = await openWorld(url)
      const fixtures: Fixture[] = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const center = await world.center()
          return { center, key: await world.key(center, { scopes: ['proof:write', 'proof:read'] }) }
        }),
      )
      await world.close()
      const sealing = keepSealing(() => servers.map(({ url: own }) => openClient(own)), fixtures, 8, served, 20)
      for (const end = Math.min(rounds, kills.api + perPart); kills.api < end; ) {
        const before = sealing.acknowledged
        for (let tries = 0; tries < 200 && sealing.acknowledged < before + 4; tries++) await pause(20)
        await pause(random() * 200)
        const most = Math.min(apis, end - kills.api)
        const doomed = [...servers.keys()].toSorted(() => random() - 0.5).slice(0, 1 + Math.floor(random() * most))
        const due = Math.floor(kills.api / rarely)
        const also = kills.postgres < due ? 'postgres' : kills.redis < due ? 'redis' : null
        // In a random order, so that the one is sometimes away while the other starts.
        const work = [
          async () => {
            await Promise.all(doomed.map((n) => (servers[n] as KillableServer).stop()))
            kills.api += doomed.length
          },
          async () => {
            if (also === 'postgres') {
              await cluster.kill()
              kills.postgres++
              await cluster.start()
            } else if (also === 'redis') {
              await endRedis()
              kills.redis++
              await pause(random() * 300)
              endRedis = await startRedis(redisPort)
            }
          },
        ].toSorted(() => random() - 0.5)
        for (const each of work) await each()
        await Promise.all(
          doomed.map(async (n) => {
            servers[n] = await start()
          }),
        )
      }
      await sealing.stop()
      const after = await openWorld(url)
      const found = await examine(after, openClient((servers[0] as KillableServer).url), sealing.decided, served)
      await after.close()
      acknowledged += sealing.acknowledged
      unanswered += sealing.decided.length - sealing.acknowledged
      faults.push(...found)
      for (const fault of found.slice(0, 20)) say(fault)
      say(`${JSON.stringify(kills)}, ${acknowledged} seals, ${faults.length} faults so far`)
    }
    faults.push(...served.faults)
    return { rounds, violations: faults.length, kills, acknowledged, unanswered, shownCheckpoints: served.count }
  } finally {
    for (const each of closing.toReversed()) await each()
  }
}
