/**
 * Real coding agents behind the hook, again and again: every journey of every agent that can be installed here. `--rounds` is how often.
 * At the end, nothing ran without an approval, nothing ran twice, and every outcome is the one that the agent knows.
 */
import { drivers } from '../interop/agents/drivers.ts'
import { journeys, runJourney } from '../interop/agents/journeys.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startServer } from '../support/server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

export async function chaosAgents({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const random = seededRandom(seed)
  const faults: string[] = []
  const ran: Record<string, number> = {}
  const leftOut: string[] = []
  const server = await startServer()
  try {
    for (const driver of drivers) {
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
        for (const { name } of names) {
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
    await server.close()
  }
  // A run in which nothing could be installed has shown nothing.
  return { rounds, violations: faults.length + (Object.keys(ran).length === 0 ? 1 : 0), faults, ran, leftOut }
}
