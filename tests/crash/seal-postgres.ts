/** Kills the database under two sealing servers, repeatedly: no acknowledged seal is lost, and no chain forks. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { databaseUrl, freePort, type RunningPostgres, startEmbedded, withClient } from '../../tools/postgres.ts'
import { say } from '../bench/place.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import { type Answered, approve, chainFaults, recordEvent } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor, makeFixtures } from './seal.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Kills the postmaster, as a power failure would; its children exit when they notice. */
export async function crash(folder: string): Promise<void> {
  const pid = Number((await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  process.kill(pid, 'SIGKILL')
}

export async function restart(folder: string, port: number): Promise<RunningPostgres> {
  for (let tries = 1; ; tries++) {
    await pause(300)
    try {
      const server = await startEmbedded(folder, { port, auth: 'trust' })
      await withClient(server.url, (client) => client.query('select 1'))
      return server
    } catch (error) {
      if (tries === 40) throw error
    }
  }
}

export async function chaosSealPostgres({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-chaos-'))
  const port = await freePort()
  let postgres = await startEmbedded(folder, { port, auth: 'trust' })
  await withClient(postgres.url, (client) => client.query('create database chaos'))
  const url = databaseUrl(postgres.url, 'chaos')
  await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
  const random = seededRandom(seed)
  const environment = environmentFor(url)
  const servers = [await startKillable(environment), await startKillable(environment)]
  const clients = servers.map((server) => openClient(server.url))
  const answered: Answered[] = []
  const faults: string[] = []
  const world = await openWorld(url)
  try {
    const fixtures = await makeFixtures(world, 4)
    let running = true
    const callers = Array.from({ length: 16 }, async (_, i) => {
      const fixture = fixtures[i % fixtures.length] as (typeof fixtures)[0]
      const client = clients[i % clients.length] as (typeof clients)[0]
      while (running) {
        const eventId = await recordEvent(client, fixture).catch(() => null)
        if (eventId === null) await pause(50)
        else answered.push(await approve(client, fixture, eventId, randomUUID()))
      }
    })
    for (let round = 1; round <= rounds; round++) {
      await pause(300 + random() * 1200)
      await crash(folder)
      postgres = await restart(folder, port)
      await pause(500)
      say(`crash ${round}: ${answered.filter(({ hash }) => hash !== null).length} seals acknowledged so far`)
    }
    running = false
    await Promise.all(callers)
    for (const { center } of fixtures) {
      const own = answered.filter((each) => each.center.id === center.id)
      faults.push(...(await chainFaults(world, center, own)))
    }
    for (const fault of faults.slice(0, 20)) say(fault)
    const acknowledged = answered.filter(({ hash }) => hash !== null).length
    return { rounds, violations: faults.length, acknowledged, unanswered: answered.length - acknowledged }
  } finally {
    for (const server of servers) await server.stop()
    await world.close()
    await postgres.stop().catch(() => {})
    await rm(folder, { recursive: true, force: true })
  }
}
