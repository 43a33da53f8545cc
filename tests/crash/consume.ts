/**
 * Kills the server between and within approval, consumption and outcome, and executors before and after they run. Then
 * what lives asks again, what was restarted finds the decision taken, and the ledger of runs is compared with the
 * database: nothing runs twice, and no consumption and no outcome is lost.
 */
import { makePlace, say, startProcess } from '../bench/place.ts'
import { consumeRace } from '../races/execution-races.ts'
import { runRace } from '../races/race-setup.ts'
import { type Client, openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { executionFaults } from './execution-faults.ts'
import {
  act,
  approve,
  type Decision,
  type Executor,
  type Ledger,
  newExecutor,
  openLedger,
  record,
  report,
} from './executor.ts'
import { startKillable } from './killable-server.ts'
import type { Fixture } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor, type Failpoint, failpoints, type Ground, makeFixtures } from './seal.ts'

/** What the server that is killed is asked for; everything else is asked of one that lives. */
export const phases = ['approval', 'consumption', 'outcome'] as const
export type Phase = (typeof phases)[number]

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Scene {
  readonly steady: Client
  readonly ledger: Ledger
  readonly random: () => number
}

/** One crash, and everything after it. `moment` is a failpoint, or a kill at a random time. */
export async function crashOnce(
  { world, environment, fixtures, steady }: Ground,
  {
    phase,
    moment,
    random,
    decisions: count = 6,
  }: { phase: Phase; moment: Failpoint | 'any'; random: () => number; decisions?: number },
): Promise<{ faults: string[]; ledger: Ledger }> {
  const ledger = openLedger()
  const scene = { steady, ledger, random }
  const decisions: Decision[] = []
  for (let n = 0; n < count; n++) decisions.push(await record(steady, fixtures[n % fixtures.length] as Fixture))
  if (phase !== 'approval') await Promise.all(decisions.map((decision) => approve(steady, decision)))
  const executors = decisions.flatMap((decision) => Array.from({ length: 3 }, () => newExecutor(decision)))
  if (phase === 'outcome') await Promise.all(executors.map((each) => act(steady, ledger, each, random() < 0.2)))

  const doomed = await startKillable({ ...environment, ...(moment !== 'any' && { FAILPOINT: moment }) })
  const client = openClient(doomed.url)
  const asking = {
    approval: () => decisions.map((decision) => approve(client, decision)),
    consumption: () => executors.map((each) => act(client, ledger, each, random() < 0.2)),
    outcome: () => executors.filter(({ alive, ran }) => alive && ran).map((each) => succeed(client, ledger, each)),
  }[phase]
  const asked = Promise.all(asking())
  if (moment === 'any') await pause(random() * 120).then(() => doomed.stop())
  const faults: string[] = []
  const signal = await Promise.race([doomed.ended, pause(30_000).then(() => 'nothing' as const)])
  if (signal !== 'SIGKILL') faults.push(`the server to kill ended by ${signal}`)
  if (signal === 'nothing') await doomed.stop()
  await asked

  await goOn(scene, decisions, executors)
  faults.push(...(await executionFaults(world, fixtures, decisions, ledger)))
  return { faults: faults.map((what) => `${phase}, ${moment}: ${what}`), ledger }
}

const succeed = (client: Client, ledger: Ledger, { decision, name }: Executor) =>
  report(client, ledger, decision, { executor: name, status: 'succeeded' })

/** Executors that live ask again under their name; a third of them dies now, with or without having run. */
async function goOn({ steady, ledger, random }: Scene, decisions: readonly Decision[], executors: readonly Executor[]) {
  await Promise.all(decisions.map((decision) => approve(steady, decision)))
  for (const each of executors) if (random() < 0.33) each.alive = false
  await Promise.all(
    executors
      .filter(({ alive }) => alive)
      .map(async (each) => {
        const { status } = await act(steady, ledger, each)
        if (status === 200) await succeed(steady, ledger, each)
      }),
  )
  await Promise.all(decisions.map((decision) => resume(steady, ledger, decision)))
}

/** A process that was restarted: it has a new name, and somebody looks at what was run. */
async function resume(steady: Client, ledger: Ledger, decision: Decision): Promise<void> {
  const executor = newExecutor(decision)
  const { status, executor: holder } = await act(steady, ledger, executor)
  if (status === 200) await succeed(steady, ledger, executor)
  if (holder === undefined) return
  const unknown = await report(steady, ledger, decision, { executor: holder, status: 'unknown' })
  if (unknown.status !== 200) return
  const found = ledger.runs.includes(decision.id) ? 'succeeded' : 'failed'
  await report(steady, ledger, decision, { executor: executor.name, status: found })
}

/** Rounds of fifty executors at two servers, then as many crashes, in each phase by turn. */
export async function chaosConsume({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const random = seededRandom(seed)
  const environment = environmentFor(place.url)
  const servers = []
  const faults: string[] = []
  const totals = { consumed: 0, reported: 0, runs: 0 }
  try {
    for (let n = 0; n < 2; n++) servers.push(await startProcess('../../apps/server/main.ts', environment))
    const clients = servers.map(({ url }) => openClient(url))
    const steady = clients[0] as Client
    const race = await runRace(consumeRace, { clients, world, random }, { rounds, contenders: 50 })
    faults.push(...race.violations)
    say(`${rounds} rounds of 50 executors at two servers: ${race.violations.length} violations`)
    for (let round = 1; round <= rounds; round++) {
      const ground = { world, environment, steady, fixtures: await makeFixtures(world, 2) }
      const phase = phases[round % phases.length] as Phase
      const moment = random() < 0.25 ? 'any' : (failpoints[Math.floor(random() * failpoints.length)] as Failpoint)
      const { faults: found, ledger } = await crashOnce(ground, { phase, moment, random })
      faults.push(...found)
      for (const name of ['consumed', 'reported', 'runs'] as const) totals[name] += ledger[name].length
      say(`round ${round}, crash in the ${phase}: ${totals.runs} runs, ${faults.length} faults so far`)
    }
    for (const fault of faults.slice(0, 20)) say(fault)
    return {
      rounds,
      contenders: 50,
      violations: faults.length,
      turnedAway: race.turnedAway,
      crashes: rounds,
      ...totals,
    }
  } finally {
    for (const server of servers) await server.stop()
    await world.close()
    await place.close()
  }
}
