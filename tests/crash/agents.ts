/**
 * Real coding agents behind the hook, again and again: every journey of every agent that can be installed here. `--rounds` is how often.
 * At the end, nothing ran without an approval, nothing ran twice, and every outcome is the one that the agent knows.
 */

import { makePlace, startProcess } from '../bench/place.ts'
import { short } from '../bench/sized.ts'
import { codex } from '../interop/agents/codex.ts'
import { drivers } from '../interop/agents/drivers.ts'
import { journeys, runJourney } from '../interop/agents/journeys.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import type { TestServer } from '../support/server.ts'
import { openWorld } from '../support/world.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor } from './seal.ts'

const unlimited = '1000000/60'

export async function chaosAgents({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const random = seededRandom(seed)
  const faults: string[] = []
  const ran: Record<string, number> = {}
  const leftOut: string[] = []
  const ground = await makePlace()
  const world = await openWorld(ground.url)
  const limits = { RATE_LIMIT_STANDARD: unlimited, RATE_LIMIT_LOGIN: unlimited }
  const steady = await startProcess('../../apps/server/main.ts', { ...environmentFor(ground.url), ...limits })
  const server = { ...openClient(steady.url), world } as TestServer
  try {
    for (const driver of short ? [codex] : drivers) {
      let program: string
      try {
        program = await driver.install()
      } catch (error) {
        leftOut.push(`${driver.id}: ${(error as Error).message.slice(0, 200)}`)
        continue
      }
      for (let round = 0; round < rounds; round++) {
        const names = Object.keys(journeys)
          .map((name) => ({ name, at: random() }))
          .sort((one, other) => one.at - other.at)
        for (const { name } of short ? names.slice(0, 1) : names) {
          try {
            await runJourney(name, { driver, program, server })
            ran[driver.id] = (ran[driver.id] ?? 0) + 1
          } catch (error) {
            faults.push(`${driver.id}, ${name}: ${(error as Error).message.slice(0, 500)}`)
            process.stderr.write(`${faults.at(-1)}\n`)
          }
        }
      }
    }
  } finally {
    await steady.stop()
    await world.close()
    await ground.close()
  }
  // A run in which nothing could be installed has shown nothing.
  return { rounds, violations: faults.length + (Object.keys(ran).length === 0 ? 1 : 0), faults, ran, leftOut }
}
