/**
 * One seed for all random choices of a run: TEST_SEED, or a new one. The run prints it at its start and every failed test
 * names it, so that `TEST_SEED=… npx vitest run FILE` makes the same choices again.
 */
import { randomInt } from 'node:crypto'
import { inject } from 'vitest'
import { seededRandom } from './seeded-random.ts'

declare module 'vitest' {
  interface ProvidedContext {
    seed: number
  }
}

/** For the setup of the run. fast-check takes signed 32-bit seeds. */
export function readSeed(text: string | undefined): number {
  if (text === undefined || text === '') return randomInt(2 ** 31 - 1)
  const seed = Number(text)
  if (!Number.isSafeInteger(seed) || seed < 0 || seed >= 2 ** 31)
    throw new Error(`TEST_SEED is "${text}". Set it to a whole number from 0 to 2147483647.`)
  return seed
}

export const testSeed = (): number => inject('seed')

let drawn: () => number = Math.random
/** From 0 to 1; each file of tests starts the sequence anew. */
export const random = (): number => drawn()

export function restartRandom(): void {
  drawn = seededRandom(testSeed())
}
