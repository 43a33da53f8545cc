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
  /** Kills a server while the contenders run. */
  readonly crash?: Crash
}

export interface Crash {
  /** Waits until the server is there, so that it can be killed again. */
  ready(): Promise<void>
  strike(): void
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

/** Sessions that a race began with end after fifteen minutes. */
const preparedForMs = 10 * 60_000

/** One round after another, each with its number. A race that goes on for long is prepared again in between. */
export async function beginRace(race: Race, setup: RaceSetup) {
  let [round, preparedAt] = [await race.prepare(setup), performance.now()]
  return async (number: number, contenders: number): Promise<RoundResult> => {
    if (performance.now() - preparedAt > preparedForMs) {
      ;[round, preparedAt] = [await race.prepare(setup), performance.now()]
    }
    const { violations, turnedAway } = await round(contenders)
    return { violations: violations.map((what) => `${race.name}, round ${number}: ${what}`), turnedAway }
  }
}

export async function runRace(
  race: Race,
  setup: RaceSetup,
  { rounds, contenders }: { rounds: number; contenders: number },
): Promise<RaceResult> {
  const round = await beginRace(race, setup)
  const violations: string[] = []
  let turnedAway = 0
  for (let number = 1; number <= rounds; number++) {
    const result = await round(number, contenders)
    violations.push(...result.violations)
    turnedAway += result.turnedAway
  }
  return { rounds, contenders, violations, turnedAway }
}

const busy = 503
const retryMs = 200

/** For what comes before a race: a busy server is asked again, and any other refusal ends the test. A race is not to be won by default. */
export const patient = (client: Client): Client => ({
  ...client,
  async call(...request) {
    for (;;) {
      const answer = await client.call(...request)
      if (answer.status < 300) return answer
      if (answer.status !== busy) throw new Error(`could not prepare a race: ${answer.status} ${answer.text}`)
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  },
})

const preparedAtOnce = 8

/** So many results, prepared a few at a time: a server that turns people away is no part of what is prepared. */
export async function prepareMany<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) {
    const next = Array.from({ length: Math.min(preparedAtOnce, count - made.length) }, make)
    made.push(...(await Promise.all(next)))
  }
  return made
}

const startSpreadMs = 3

/** `fetch` says so of a connection that broke, and of nothing else. */
function unlessBroken(error: unknown): null {
  if (error instanceof TypeError) return null
  throw error
}

/**
 * Starts all contenders, spread over the servers, within a few milliseconds of each other. `lost`: those whose answer a killed
 * server did not give; what they asked for may have been committed all the same.
 */
export async function allAtOnce(
  { clients, random, crash }: RaceSetup,
  contenders: number,
  run: (client: Client) => Promise<Answer>,
): Promise<{ answers: Answer[]; turnedAway: number; lost: number }> {
  await crash?.ready()
  const first = Math.floor(random() * clients.length)
  let start = () => {}
  const started = new Promise<void>((resolve) => {
    start = resolve
  })
  const running = Array.from({ length: contenders }, async (_, i) => {
    const delay = random() * startSpreadMs
    await started
    await new Promise((resolve) => setTimeout(resolve, delay))
    const answer = run(clients[(first + i) % clients.length] as Client)
    return crash ? answer.catch(unlessBroken) : answer
  })
  start()
  crash?.strike()
  const given = await Promise.all(running)
  const all = given.filter((answer) => answer !== null)
  const answers = all.filter(({ status }) => status !== 503)
  return { answers, turnedAway: all.length - answers.length, lost: given.length - all.length }
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
