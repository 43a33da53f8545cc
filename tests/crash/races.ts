/** The races of tests/races, a hundred rounds each, over two servers in separate processes. */
import { randomBytes } from 'node:crypto'
import { makePlace, say, startProcess } from '../bench/place.ts'
import { clientRace, lastAdminRace, slotRace } from '../races/center-races.ts'
import { policyAgainstUseRace, withdrawRace } from '../races/ending-races.ts'
import { policyOrderRace, policyRace, raiseRace } from '../races/governance-races.ts'
import { bodyKeyRace, createKeyRace, recordEventRace } from '../races/idempotency-races.ts'
import { linePlacesRace, longerLineRace } from '../races/line-races.ts'
import { sameNameRace } from '../races/partner-races.ts'
import { lastSeatRace, moveRace, orderRace, subdomainRace } from '../races/platform-races.ts'
import { type Race, runRace } from '../races/race-setup.ts'
import { rulesRace } from '../races/rules-races.ts'
import { approvalRace } from '../races/seal-races.ts'
import { refreshRace, ssoRace } from '../races/sign-in-races.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld } from '../support/world.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

const contenders = 50
const processes = 2
const unlimited = '1000000/60'

export const chaosRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([refreshRace, ssoRace, createKeyRace, recordEventRace, bodyKeyRace], options)

export const chaosPlatformRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([subdomainRace, orderRace, lastSeatRace, moveRace, sameNameRace], options)

export const chaosCenterRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([lastAdminRace, lastSeatRace, slotRace, clientRace], options)

export const chaosGovernanceRaces = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([raiseRace, policyRace, policyOrderRace, rulesRace], options)

export const chaosApprovals = (options: ChaosOptions): Promise<ChaosResult> =>
  runAll([approvalRace, withdrawRace, policyAgainstUseRace, linePlacesRace, longerLineRace], options)

async function runAll(all: readonly Race[], { seed, rounds }: ChaosOptions): Promise<ChaosResult> {
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
  const servers = []
  try {
    for (let i = 0; i < processes; i++) servers.push(await startProcess('../../apps/server/main.ts', env))
    const setup = { clients: servers.map(({ url }) => openClient(url)), world, random: seededRandom(seed) }
    const found: string[] = []
    const races: Record<string, { violations: number; turnedAway: number; seconds: number }> = {}
    for (const race of all) {
      const startedAt = performance.now()
      const { violations, turnedAway } = await runRace(race, setup, { rounds, contenders })
      const seconds = Math.round((performance.now() - startedAt) / 100) / 10
      found.push(...violations)
      races[race.name] = { violations: violations.length, turnedAway, seconds }
      say(`${race.name}: ${rounds} rounds in ${seconds} s, ${violations.length} violations`)
    }
    for (const violation of found.slice(0, 20)) say(violation)
    return { rounds, contenders, violations: found.length, processes, races }
  } finally {
    for (const server of servers) await server.stop()
    await world.close()
    await place.close()
  }
}
