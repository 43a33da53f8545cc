/** The setup of a race: several servers over one database, and many contenders for the same resource. */
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import type { World } from '../support/world.ts'

export interface RaceSetup {
  /** One client per server; each server is, or behaves like, a separate process. */
  readonly clients: readonly Client[]
  readonly world: World
  /** A seeded number between 0 and 1, so that a race can be repeated. */
  readonly random: () => number
}

/** The invariants that one round violated. */
export type Violations = readonly string[]

export interface Race {
  readonly name: string
  /** Creates the fixtures before the start; the result runs one round. */
  prepare(setup: RaceSetup): Promise<(contenders: number) => Promise<RoundResult>>
}

export interface RoundResult {
  readonly violations: Violations
  /** Contenders that received 503: they neither won nor lost. */
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
  setup: RaceSetup,
  { rounds, contenders }: { rounds: number; contenders: number },
): Promise<RaceResult> {
  const round = await race.prepare(setup)
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

/** Starts all contenders, spread over the servers, within a few milliseconds of each other. */
export async function allAtOnce(
  { clients, random }: RaceSetup,
  contenders: number,
  run: (client: Client) => Promise<Answer>,
): Promise<{ answers: Answer[]; turnedAway: number }> {
  const first = Math.floor(random() * clients.length)
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const running = Array.from({ length: contenders }, async (_, i) => {
    const delay = random() * startSpreadMs
    await started
    await new Promise((resolve) => setTimeout(resolve, delay))
    return run(clients[(first + i) % clients.length] as Client)
  })
  start()
  const all = await Promise.all(running)
  const answers = all.filter(({ status }) => status !== 503)
  return { answers, turnedAway: all.length - answers.length }
}

/** Collects violations. */
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
