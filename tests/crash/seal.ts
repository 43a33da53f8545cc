/**
 * Kills the API while it seals: at every step of the batch, at random under load, and the database under it. A ledger of
 * what clients were told is held against the database after every crash.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { makePlace, say } from '../bench/place.ts'
import { seededRandom } from '../races/arena.ts'
import { type Client, openClient } from '../support/client.ts'
import { openWorld, type World } from '../support/world.ts'
import { approve, chainFaults, type Fixture, logHost, recordEvent, type Told } from './ledger.ts'
import { startMortal } from './mortal-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

/** Every `failpoint` on the way of a seal, in order. */
export const failpoints = [
  'seal.queued',
  'seal.begin',
  'seal.begun',
  'seal.opened',
  'seal.append',
  'seal.settled',
  'seal.judged',
  'seal.written',
  'seal.committed',
  'seal.answer',
  'seal.answered',
  'seal.answering',
  'seal.sent',
] as const
export type Failpoint = (typeof failpoints)[number]

export interface Ground {
  readonly world: World
  readonly environment: Readonly<Record<string, string>>
  readonly fixtures: readonly Fixture[]
  /** A server that stays, to record, to repair and to ask. */
  readonly steady: Client
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const unlimited = '1000000/60'

export const environmentFor = (databaseUrl: string) => ({
  ROLE: 'api',
  LOG_LEVEL: 'fatal',
  DATABASE_URL: databaseUrl,
  PUBLIC_URL: `http://${logHost}`,
  TLOG_HOST: logHost,
  SECRET_KEY: randomBytes(32).toString('base64'),
  RATE_LIMIT_PROOF: unlimited,
  RATE_LIMIT_PUBLIC: unlimited,
})

export const makeFixtures = (world: World, count: number): Promise<Fixture[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const center = await world.center()
      return { center, key: await world.key(center) }
    }),
  )

const checkAll = async ({ world, fixtures }: Ground, told: readonly Told[]): Promise<string[]> =>
  (
    await Promise.all(
      fixtures.map(({ center }) =>
        chainFaults(
          world,
          center,
          told.filter((each) => each.center.id === center.id),
        ),
      ),
    )
  ).flat()

/** What was not acknowledged is asked again with the same key; in the end everything is sealed exactly once. */
async function repair({ steady, fixtures }: Ground, told: readonly Told[]): Promise<string[]> {
  const faults: string[] = []
  for (const each of told) {
    const fixture = fixtures.find(({ center }) => center.id === each.center.id) as Fixture
    let again = await approve(steady, fixture, each.eventId, each.idempotencyKey)
    // A busy server says so and means it: the client comes back, as it was told to.
    for (let tries = 0; again.status === 503 && tries < 20; tries++) {
      await pause(500)
      again = await approve(steady, fixture, each.eventId, each.idempotencyKey)
    }
    if (again.status !== 200) faults.push(`${each.eventId} was answered ${again.status} when asked again`)
    if (each.hash !== null && again.hash !== each.hash) faults.push(`${each.eventId} got another hash when asked again`)
  }
  return faults
}

/** One crash at this place with several approvals in flight, and what is found afterwards. */
export async function crashOnce(ground: Ground, failpoint: Failpoint, approvals = 12): Promise<string[]> {
  const { fixtures, steady } = ground
  const events = await Promise.all(
    Array.from({ length: approvals }, async (_, i) => {
      const fixture = fixtures[i % fixtures.length] as Fixture
      return { fixture, eventId: await recordEvent(steady, fixture) }
    }),
  )
  const doomed = await startMortal({ ...ground.environment, FAILPOINT: failpoint })
  const client = openClient(doomed.url)
  const ask = () => Promise.all(events.map(({ fixture, eventId }) => approve(client, fixture, eventId, randomUUID())))
  const told = await ask()
  // A server that was busy with its own start turned everybody away and never came to the failpoint.
  for (let tries = 0; tries < 20 && told.every(({ status }) => status === 503); tries++) {
    await pause(500)
    told.splice(0, told.length, ...(await ask()))
  }
  const signal = await Promise.race([doomed.ended, pause(20_000).then(() => 'nothing' as const)])
  const faults = signal === 'SIGKILL' ? [] : [`the doomed server ended by ${signal}`]
  if (signal === 'nothing') await doomed.stop()
  faults.push(...(await checkAll(ground, told)))
  faults.push(...(await repair(ground, told)))
  faults.push(...(await checkAll(ground, told)))
  return faults.map((what) => `${failpoint}: ${what}`)
}

/** Approvals without pause from several callers, until told to stop. */
function load(client: Client, ground: Ground, callers: number) {
  let running = true
  const told: Told[] = []
  const done = Promise.all(
    Array.from({ length: callers }, async (_, i) => {
      const fixture = ground.fixtures[i % ground.fixtures.length] as Fixture
      while (running) {
        const eventId = await recordEvent(ground.steady, fixture).catch(() => null)
        if (eventId !== null) told.push(await approve(client, fixture, eventId, randomUUID()))
        else await pause(20)
      }
    }),
  )
  return {
    told,
    stop: async () => {
      running = false
      await done
    },
  }
}

export async function randomKill(ground: Ground, random: () => number): Promise<{ faults: string[]; told: number }> {
  const doomed = await startMortal(ground.environment)
  const working = load(openClient(doomed.url), ground, 16)
  // A process that has just started is slow: it is killed at work, not while it wakes up.
  for (let tries = 0; tries < 300 && working.told.length < 16; tries++) await pause(20)
  await pause(random() * 400)
  await doomed.stop()
  await working.stop()
  const faults = [
    ...(await checkAll(ground, working.told)),
    ...(await repair(ground, working.told.filter(({ hash }) => hash === null).slice(0, 40))),
  ]
  return { faults, told: working.told.filter(({ hash }) => hash !== null).length }
}

/** `rounds` crashes at each failpoint and four times as many at random moments. */
export async function chaosSeal({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const random = seededRandom(seed)
  const environment = environmentFor(place.url)
  const steadyServer = await startMortal(environment)
  const faults: string[] = []
  let acknowledged = 0
  let shown = 0
  try {
    const ground = async (): Promise<Ground> => ({
      world,
      environment,
      steady: openClient(steadyServer.url),
      fixtures: await makeFixtures(world, 4),
    })
    for (let round = 1; round <= rounds; round++) {
      const here = await ground()
      for (const failpoint of failpoints.toSorted(() => random() - 0.5))
        faults.push(...(await crashOnce(here, failpoint)))
      for (let kill = 0; kill < 4; kill++) {
        const { faults: found, told } = await randomKill(here, random)
        faults.push(...found)
        acknowledged += told
      }
      for (const fault of faults.slice(shown)) say(fault)
      shown = faults.length
      say(
        `round ${round}: ${failpoints.length + 4} crashes, ${acknowledged} seals under load, ${faults.length} faults so far`,
      )
    }
    return { rounds, violations: faults.length, failpoints: failpoints.length, randomKills: rounds * 4, acknowledged }
  } finally {
    await steadyServer.stop()
    await world.close()
    await place.close()
  }
}
