/** The races of tests/races, a hundred rounds each, over two servers in separate processes. */
import { randomBytes } from 'node:crypto'
import { freePort } from '../../tools/postgres.ts'
import { makePlace, say, startProcess } from '../bench/place.ts'
import { bookingsRace, waitingRace } from '../races/booking-races.ts'
import { clientRace, lastAdminRace, slotRace } from '../races/center-races.ts'
import { policyAgainstUseRace, withdrawRace } from '../races/ending-races.ts'
import { policyOrderRace, policyRace, raiseRace } from '../races/governance-races.ts'
import { bodyKeyRace, createKeyRace, recordEventRace } from '../races/idempotency-races.ts'
import { linePlacesRace, longerLineRace } from '../races/line-races.ts'
import { sameNameRace } from '../races/partner-races.ts'
import { lastSeatRace, moveRace, orderRace, subdomainRace } from '../races/platform-races.ts'
import { beginRace, type Race } from '../races/race-setup.ts'
import { rulesRace } from '../races/rules-races.ts'
import { approvalRace } from '../races/seal-races.ts'
import { refreshRace, ssoRace } from '../races/sign-in-races.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

const contenders = 50
const processes = 2
const unlimited = '1000000/60'
const none = { violations: 0, turnedAway: 0, seconds: 0 }

export const chaosRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([refreshRace, ssoRace, createKeyRace, recordEventRace, bodyKeyRace], options)

export const chaosPlatformRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([subdomainRace, orderRace, lastSeatRace, moveRace, sameNameRace], options)

export const chaosCenterRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([lastAdminRace, lastSeatRace, slotRace, clientRace], options)

export const chaosBookings = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([bookingsRace, waitingRace], options)

export const chaosGovernanceRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([raiseRace, policyRace, policyOrderRace, rulesRace], options)

/** All five at once in every round, and one of the two servers killed while they run: most of a round is the start of a server. */
export const chaosApprovals = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([approvalRace, withdrawRace, policyAgainstUseRace, linePlacesRace, longerLineRace], options, true)

/** A server that is killed once in each round, while the contenders of all races run, and comes back at the same address. */
async function startVictim(env: Readonly<Record<string, string>>, random: () => number, races: number) {
  const fixed = { ...env, PORT: String(await freePort()) }
  // A killed process leaves no compiled code behind for the next one; this one does.
  await (await startKillable(fixed)).terminate()
  let server = await startKillable(fixed)
  let back: Promise<void> = Promise.resolve()
  let [crashes, strikes] = [0, 0]
  let ready: (() => void)[] = []
  const killAndRestart = async () => {
    // Within the time that fifty approvals of each race take.
    await new Promise((resolve) => setTimeout(resolve, random() * 150 * races))
    await server.stop()
    crashes++
    server = await startKillable(fixed)
  }
  return {
    url: server.url,
    crashes: () => crashes,
    crash: {
      /** The last race that is prepared lets all of them begin. */
      async ready() {
        await back
        await new Promise<void>((begin) => {
          ready.push(begin)
          if (ready.length < races) return
          for (const each of ready) each()
          ready = []
        })
      },
      /** The first of the races that begin together. */
      strike() {
        if (strikes++ % races !== 0) return
        back = killAndRestart()
        back.catch(() => {})
      },
    },
    async stop() {
      await back
      await server.stop()
    },
  }
}

/**
 * Round by round, so that there are as many rounds of each race, however early the time is over: in turn, or with crashes all at
 * once.
 */
async function runAll(
  all: readonly Race[],
  { seed, rounds, more: { minutes } }: ChaosOptions,
  withCrashes = false,
): Promise<ChaosResult> {
  const endsAt = performance.now() + (minutes ?? Number.POSITIVE_INFINITY) * 60_000
  const place = await makePlace()
  const world = await openWorld(place.url)
  const env = {
    ROLE: 'api',
    DATABASE_URL: place.url,
    REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
    REDIS_PREFIX: `chaos-${randomBytes(4).toString('hex')}`,
    PUBLIC_URL: 'http://countersign.test',
    LOG_LEVEL: 'error',
    SECRET_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_STANDARD: unlimited,
    RATE_LIMIT_PARTNER: unlimited,
    RATE_LIMIT_PUBLIC: unlimited,
    RATE_LIMIT_PROOF: unlimited,
    RATE_LIMIT_LOGIN: unlimited,
    MAX_API_KEYS_PER_CENTER: '1000000',
  }
  const servers: { readonly url: string; stop(): Promise<unknown> }[] = []
  const random = seededRandom(seed)
  try {
    const steady = withCrashes ? processes - 1 : processes
    for (let i = 0; i < steady; i++) servers.push(await startProcess('../../apps/server/main.ts', env))
    const victim = withCrashes ? await startVictim(env, random, all.length) : null
    if (victim) servers.push(victim)
    const clients = servers.map(({ url }) => openClient(url))
    const found: string[] = []
    const running: ({ run: Awaited<ReturnType<typeof beginRace>>; name: string } & typeof none)[] = []
    for (const [at, race] of all.entries()) {
      // Those that run at once choose each for itself.
      const own = victim ? { random: seededRandom(seed + at + 1), crash: victim.crash } : { random }
      running.push({ run: await beginRace(race, { clients, world, ...own }), name: race.name, ...none })
    }
    const runOnce = async (race: (typeof running)[number], round: number) => {
      const startedAt = performance.now()
      const { violations, turnedAway } = await race.run(round, contenders)
      found.push(...violations)
      race.violations += violations.length
      race.turnedAway += turnedAway
      race.seconds += (performance.now() - startedAt) / 1000
    }
    let done = 0
    for (; done < rounds && performance.now() < endsAt; done++) {
      if (victim) await Promise.all(running.map((race) => runOnce(race, done + 1)))
      else for (const race of running) await runOnce(race, done + 1)
      if (done % 5 === 0) say(`round ${done + 1}: ${found.length} violations`)
    }
    const races = Object.fromEntries(
      running.map(({ name, violations, turnedAway, seconds }) => [
        name,
        { violations, turnedAway, seconds: Math.round(seconds * 10) / 10 },
      ]),
    )
    for (const violation of found.slice(0, 20)) say(violation)
    const crashes = victim ? { crashes: victim.crashes() } : {}
    return { rounds: done, contenders, violations: found.length, processes, races, ...crashes }
  } finally {
    for (const server of servers) await server.stop()
    await world.close()
    await place.close()
  }
}
