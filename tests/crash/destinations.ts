/**
 * `npm run chaos -- destinations`: events to JetStream and RabbitMQ, with kill -9 of the worker, of both brokers, and of all
 * three together, under load. No acknowledged event is lost, and every repeat carries the same id.
 */
import { loadavg } from 'node:os'
import { makeCertificates } from '@countersign/server/lib/test/hostile-servers.ts'
import { makePlace, say } from '../bench/place.ts'
import { startNats, startRabbit } from '../support/brokers.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { pause } from './deliver-setup.ts'
import { openDestinations, publishPayments, readLedger, untilRecorded } from './destinations-setup.ts'
import { type KillableServer, startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor } from './seal.ts'

/** The schedule must outlast the start of a broker on a busy machine, several times. */
export const destinationSettings = {
  ROLE: 'worker',
  WEBHOOK_RETRY_DELAYS: '0,1,2,4,8,15,30',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.2/32',
}

/** `rounds` kills of the worker; `crashes` kills of each broker; `events` in all, to both brokers. */
export async function chaosDestinations({ seed, rounds, more }: ChaosOptions): Promise<ChaosResult> {
  const { events = 10_000, crashes = 4 } = more
  const startedAt = Date.now()
  const load = loadavg().map((each) => Math.round(each * 10) / 10)
  const random = seededRandom(seed)
  const closing: (() => unknown)[] = []
  const kills = { worker: 0, nats: 0, rabbitmq: 0 }
  try {
    const place = await makePlace()
    closing.push(() => place.close())
    const { good } = makeCertificates()
    const [nats, rabbit] = await Promise.all([startNats(good), startRabbit(good)])
    closing.push(
      () => nats.close(),
      () => rabbit.close(),
    )
    const environment = { ...environmentFor(place.url), ...destinationSettings }
    const api = await startKillable({ ...environment, ROLE: 'api' })
    const world = await openWorld(place.url)
    closing.push(
      () => world.close(),
      () => api.stop(),
    )
    const ground = await openDestinations(world, openClient(api.url), { nats, rabbit })
    const workers: KillableServer[] = [await startKillable(environment), await startKillable(environment)]
    closing.push(() => Promise.all(workers.map((each) => each.stop())))

    const killWorker = async () => {
      const slot = Math.floor(random() * workers.length)
      await workers[slot]?.stop()
      kills.worker++
      workers[slot] = await startKillable(environment)
    }
    const restart = async (which: 'nats' | 'rabbitmq') => {
      const broker = which === 'nats' ? nats : rabbit
      await broker.kill()
      kills[which]++
      await pause(random() * 2000)
      await broker.start()
    }
    const share = Math.floor(events / rounds)
    for (let round = 1; round <= rounds; round++) {
      const count = round === rounds ? events - ground.acknowledged.size : share
      const publishing = publishPayments(ground, count)
      await pause(random() * 800)
      const due = Math.floor((round * crashes) / rounds)
      const work = [killWorker]
      if (kills.nats < due) work.push(() => restart('nats'))
      if (kills.rabbitmq < due) work.push(() => restart('rabbitmq'))
      await Promise.all(work.toSorted(() => random() - 0.5).map((each) => each()))
      await publishing
      say(`round ${round}: ${JSON.stringify(kills)}, ${ground.acknowledged.size} events published`)
    }
    const failed = await untilRecorded(ground, 300_000)
    const { faults, ...figures } = await readLedger(ground)
    const found = failed > 0 ? [...faults, `${failed} deliveries did not succeed`] : faults
    for (const fault of found.slice(0, 20)) say(`fault: ${fault}`)
    const seconds = Math.round((Date.now() - startedAt) / 1000)
    return { rounds, violations: found.length, events: ground.acknowledged.size, kills, ...figures, seconds, load }
  } finally {
    for (const each of closing.toReversed()) await each()
  }
}
