/**
 * `npm run chaos -- rolling`: API processes and a worker are restarted one after another behind HAProxy, under load. No
 * request fails.
 */
import { migrateAll } from '@countersign/server/data/migrate.ts'
import { databaseUrl, freePort } from '../../tools/postgres.ts'
import { say } from '../bench/place.ts'
import { openClient } from '../support/client.ts'
import { startHaproxy } from '../support/haproxy.ts'
import { openClusters } from '../support/postgres-cluster.ts'
import { openWorld } from '../support/world.ts'
import { openDrill } from './drill-settings.ts'
import { type KillableServer, startKillable } from './killable-server.ts'
import type { Fixture } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { collectServed, keepSealing, missingSeals } from './served.ts'

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** HAProxy takes a server for up at its own start; after a restart it has seen that one down. */
async function untilUp(port: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    const table = await (await fetch(`http://127.0.0.1:${port}/haproxy;csv`)).text()
    const states = table.split('\n').flatMap((line) => (line.includes(',api') ? [line.split(',')[17]] : []))
    if (states.length === 2 && states.every((state) => state === 'UP')) return
    if (tries === 300) throw new Error(`HAProxy does not see both servers: ${states.join(', ')}`)
    await pause(100)
  }
}

export async function chaosRolling({ rounds }: Pick<ChaosOptions, 'rounds'>): Promise<ChaosResult> {
  const clusters = openClusters()
  const closing: (() => unknown)[] = [() => clusters.close()]
  const faults: string[] = []
  try {
    const cluster = await clusters.make('main')
    await cluster.start()
    await cluster.query('create database chaos')
    const url = databaseUrl(cluster.url, 'chaos')
    await migrateAll({ databaseUrl: url, cells: new Map([['main', url]]) })
    const drill = await openDrill()
    closing.push(() => drill.close())
    const ports = [await freePort(), await freePort()]
    const start = (port?: number) =>
      startKillable({
        ...drill.settings(url),
        // Longer than HAProxy needs to notice.
        DRAIN_SECONDS: '3',
        ...(port === undefined ? { ROLE: 'worker' } : { ROLE: 'api', PORT: String(port) }),
      })
    const processes: { server: KillableServer; readonly port: number | undefined }[] = await Promise.all(
      [...ports, undefined].map(async (port) => ({ server: await start(port), port })),
    )
    closing.push(() => Promise.all(processes.map(({ server }) => server.stop())))
    const proxy = await startHaproxy('http', [
      'stats uri /haproxy',
      'timeout check 2s',
      'option httpchk GET /health/ready',
      'default-server check inter 500ms fall 2 rise 1',
      ...ports.map((port, n) => `server api${n} 127.0.0.1:${port}`),
    ])
    closing.push(() => proxy.stop())

    const world = await openWorld(url)
    closing.push(() => world.close())
    const fixtures: Fixture[] = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const center = await world.center()
        return { center, key: await world.key(center) }
      }),
    )
    const served = collectServed()
    const client = openClient(`http://127.0.0.1:${proxy.port}`)
    await untilUp(proxy.port)
    const sealing = keepSealing(() => [client], fixtures, 4, served)
    for (let round = 1; round <= rounds; round++) {
      const each = processes[round % processes.length] as (typeof processes)[0]
      const code = await each.server.terminate()
      if (code !== 0) faults.push(`a process ended with ${code}`)
      each.server = await start(each.port)
      // The next restart must not be of the only process that HAProxy knows.
      await untilUp(proxy.port)
      say(`${round} restarts, ${sealing.decided.length} requests`)
    }
    await sealing.stop()
    const { decided } = sealing
    const failed = decided.filter(({ seal }) => !seal)
    for (const { status, message } of failed) faults.push(`a request failed: ${status} ${message}`)
    for (const { seal } of await missingSeals(world, decided)) faults.push(`the seal ${seal?.index} is lost`)
    faults.push(...served.faults)
    for (const fault of faults.slice(0, 20)) say(fault)
    return { rounds, violations: faults.length, requests: decided.length, failed: failed.length }
  } finally {
    for (const each of closing.toReversed()) await each()
  }
}
