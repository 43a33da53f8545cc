/** The races of tests/races, a hundred rounds each, over two servers in separate processes. */
import { randomBytes } from 'node:crypto'
import { freePort } from '../../tools/postgres.ts'
import { makePlace, say, startProcess } from '../bench/place.ts'
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

export const chaosGovernanceRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([raiseRace, policyRace, policyOrderRace, rulesRace], options)

/** With one of the two servers killed in every round. */
export const chaosApprovals = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([approvalRace, withdrawRace, policyAgainstUseRace, linePlacesRace, longerLineRace], options, true)

/** A server that is killed while contenders run, and comes back at the same address. */
async function startVictim(env: Readonly<Record<string, string>>, random: () => number) {
  const fixed = { ...env, PORT: String(await freePort()) }
  // A killed process leaves no compiled code behind for the next one; this one does.
  await (await startKillable(fixed)).terminate()
  let server = await startKillable(fixed)
  let back: Promise<void> = Promise.resolve()
  let crashes = 0
  const killAndRestart = async () => {
    // Within the time that fifty approvals take.
    await new Promise((resolve) => setTimeout(resolve, random() * 150))
    await server.stop()
    crashes++
    server = await startKillable(fixed)
  }
  return {
    url: server.url,
    crashes: () => crashes,
    crash: {
      ready: () => back,
      strike: () => {
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

/** All of the races in turn, round by round: the same number of rounds of each, however early the time is over. */
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
    const victim = withCrashes ? await startVictim(env, random) : null
    if (victim) servers.push(victim)
    const clients = servers.map(({ url }) => openClient(url))
    const setup = { clients, world, random, ...(victim && { crash: victim.crash }) }
    const found: string[] = []
    const running = []
    for (const race of all) running.push({ run: await beginRace(race, setup), name: race.name, ...none })
    let done = 0
    for (; done < rounds && performance.now() < endsAt; done++) {
      for (const race of running) {
        const startedAt = performance.now()
        const { violations, turnedAway } = await race.run(done + 1, contenders)
        found.push(...violations)
        race.violations += violations.length
        race.turnedAway += turnedAway
        race.seconds += (performance.now() - startedAt) / 1000
      }
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
