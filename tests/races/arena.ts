/** Where races are run: several servers over one database, and many contenders who all want the same thing at once. */
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import type { World } from '../support/world.ts'

export interface Arena {
  /** Each server is a process of its own, or behaves like one. */
  readonly doors: readonly Client[]
  readonly world: World
  /** Between 0 and 1; from a seed, so that a run can be repeated. */
  readonly random: () => number
}

/** What went wrong in one round; empty when nothing did. */
export type Violations = readonly string[]

export interface Race {
  readonly name: string
  /** Whatever can be made before the start; the result runs one round. */
  prepare(arena: Arena): Promise<(contenders: number) => Promise<RoundResult>>
}

export interface RoundResult {
  readonly violations: Violations
  /** Contenders who were told to come back (503): they neither won nor lost. */
  readonly turnedAway: number
}

export interface RaceResult {
  readonly rounds: number
  readonly contenders: number
  readonly violations: Violations
  readonly turnedAway: number
}

export async function runRace(
  race: Race,
  arena: Arena,
  { rounds, contenders }: { rounds: number; contenders: number },
): Promise<RaceResult> {
  const round = await race.prepare(arena)
  const violations: string[] = []
  let turnedAway = 0
  for (let number = 1; number <= rounds; number++) {
    const result = await round(contenders)
    violations.push(...result.violations.map((what) => `${race.name}, round ${number}: ${what}`))
    turnedAway += result.turnedAway
  }
  return { rounds, contenders, violations, turnedAway }
}

const startSpreadMs = 3

/** All contenders wait for the start, spread over the doors, and run within a few milliseconds of each other. */
export async function allAtOnce(
  { doors, random }: Arena,
  contenders: number,
  run: (door: Client) => Promise<Answer>,
): Promise<{ answers: Answer[]; turnedAway: number }> {
  const first = Math.floor(random() * doors.length)
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const running = Array.from({ length: contenders }, async (_, i) => {
    const delay = random() * startSpreadMs
    await started
    await new Promise((resolve) => setTimeout(resolve, delay))
    return run(doors[(first + i) % doors.length] as Client)
  })
  start()
  const all = await Promise.all(running)
  const answers = all.filter(({ status }) => status !== 503)
  return { answers, turnedAway: all.length - answers.length }
}

/** Collects what does not hold. */
export function judge(): { check(holds: boolean, otherwise: string): void; readonly violations: string[] } {
  const violations: string[] = []
  return {
    violations,
    check(holds, otherwise) {
      if (!holds) violations.push(otherwise)
    },
  }
}

export const countBy = (answers: readonly Answer[]): string =>
  JSON.stringify(
    answers.reduce<Record<string, number>>((counts, { status }) => {
      counts[status] = (counts[status] ?? 0) + 1
      return counts
    }, {}),
  )

/** mulberry32: small, and the same everywhere. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
