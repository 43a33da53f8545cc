/** A few rounds on every change; `npm run chaos -- races` runs a hundred over servers in separate processes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { bookingsRace, waitingRace } from './booking-races.ts'
import { clientRace, lastAdminRace, slotRace } from './center-races.ts'
import { policyAgainstUseRace, withdrawRace } from './ending-races.ts'
import { consumeRace } from './execution-races.ts'
import { freezeRace } from './freeze-races.ts'
import { policyOrderRace, policyRace, raiseRace } from './governance-races.ts'
import { bodyKeyRace, createKeyRace, recordEventRace } from './idempotency-races.ts'
import { linePlacesRace, longerLineRace } from './line-races.ts'
import { sameNameRace } from './partner-races.ts'
import { lastSeatRace, moveRace, orderRace, sandboxRace, subdomainRace } from './platform-races.ts'
import { type Race, runRace } from './race-setup.ts'
import { rulesRace } from './rules-races.ts'
import { approvalRace } from './seal-races.ts'
import { refreshRace, ssoRace } from './sign-in-races.ts'

const seed = testSeed()
let first: TestServer
let second: TestServer

beforeAll(async () => {
  first = await startServer()
  second = await startServer({ beside: first })
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const races: Race[] = [
  ...[refreshRace, ssoRace, createKeyRace, recordEventRace, bodyKeyRace],
  ...[subdomainRace, orderRace, sandboxRace, lastSeatRace, moveRace],
  ...[sameNameRace, approvalRace, consumeRace, withdrawRace, policyAgainstUseRace, freezeRace],
  ...[linePlacesRace, longerLineRace],
  ...[raiseRace, policyRace, policyOrderRace, rulesRace],
  ...[lastAdminRace, slotRace, clientRace, bookingsRace, waitingRace],
]

describe(`fifty contenders at two servers (seed ${seed})`, () => {
  it.each(races)('$name', async (race) => {
    const setup = { clients: [first, second], world: first.world, random: seededRandom(seed) }
    const { violations } = await runRace(race, setup, { rounds: 2, contenders: 50 })
    expect(violations).toEqual([])
  })
})
