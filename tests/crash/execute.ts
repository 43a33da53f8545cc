/** Kills workers while they run workflows: at every failpoint, and at random with a thousand concurrent executions. */
import { makePlace, say } from '../bench/place.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import {
  begin,
  cancelSome,
  dieAt,
  dieCanceling,
  failpoints,
  type Ground,
  openGround,
  pause,
  startWorker,
  untilEnded,
  verdict,
} from './execute-setup.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor } from './seal.ts'

async function onGround<T>(work: (ground: Ground) => Promise<T>): Promise<T> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const ground = await openGround(world, { ...environmentFor(place.url), ROLE: 'worker' })
  try {
    return await work(ground)
  } finally {
    await ground.close()
    await world.close()
    await place.close()
  }
}

/** `rounds` is the number of workers to kill: at each failpoint in turn, in an order that the seed decides. */
export const chaosWorkflows = ({ seed, rounds }: ChaosOptions): Promise<ChaosResult> =>
  onGround(async (ground) => {
    const random = seededRandom(seed)
    const faults: string[] = []
    let order: string[] = []
    for (let kill = 1; kill <= rounds; kill++) {
      if (order.length === 0) order = failpoints.toSorted(() => random() - 0.5)
      const failpoint = order.pop() as string
      await begin(ground, 3)
      faults.push(...(await dieAt(ground, failpoint)))
      if (failpoint.startsWith('seal.')) {
        await begin(ground, 1)
        faults.push(...(await dieCanceling(ground, failpoint)))
      }
      // From time to time a worker lives long enough to finish the executions of the killed ones.
      if (kill % 5 !== 0 && kill !== rounds) continue
      const heir = await startWorker(ground)
      const left = await untilEnded(ground, 60_000)
      await heir.stop()
      if (left > 0) faults.push(`${left} executions did not finish after ${kill} kills`)
      say(`${kill} kills, the last at ${failpoint}: ${faults.length} faults so far`)
    }
    const { faults: found, executions, takeovers, ends } = await verdict(ground)
    for (const fault of [...faults, ...found]) say(fault)
    const violations = faults.length + found.length
    return { rounds, violations, failpoints: failpoints.length, executions, takeovers, ...ends }
  })

/** Concurrent executions on two workers, one of which is killed every few seconds. */
export const chaosExecutions = ({ seed, rounds, more }: ChaosOptions): Promise<ChaosResult> =>
  onGround(async (ground) => {
    const { events: executionsAtOnce = 1000 } = more
    const random = seededRandom(seed)
    const faults: string[] = []
    let kills = 0
    const started = Date.now()
    for (let round = 1; round <= rounds; round++) {
      // All executions are due before a worker polls.
      await begin(ground, executionsAtOnce, 6000)
      const workers = [await startWorker(ground), await startWorker(ground)]
      const end = Date.now() + 300_000
      for (;;) {
        await pause(1500 + random() * 2500)
        const running = await untilEnded(ground, 0)
        if (running === 0 || Date.now() > end) break
        await cancelSome(ground, 10)
        const slot = random() < 0.5 ? 0 : 1
        await workers[slot]?.stop()
        kills++
        say(`round ${round}: ${kills} kills, ${running} executions in progress`)
        workers[slot] = await startWorker(ground)
      }
      for (const worker of workers) await worker.stop()
    }
    const { faults: found, executions, takeovers, ends } = await verdict(ground)
    for (const fault of [...faults, ...found].slice(0, 50)) say(fault)
    const seconds = Math.round((Date.now() - started) / 1000)
    return { rounds, violations: faults.length + found.length, executions, ...ends, kills, takeovers, seconds }
  })
