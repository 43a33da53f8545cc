/**
 * Kills the API while it seals: at every step of the batch, at random under load, and the database under it. After every
 * crash the answers to clients are compared with the database.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePlace, say } from '../bench/place.ts'
import { type Client, openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld, type World } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import { type Answered, approve, chainFaults, type Fixture, logHost, recordEvent } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'

/** Every `failpoint` of a seal, in order. */
export const failpoints = [
  'seal.queued',
  'seal.begin',
  'seal.begun',
  'seal.opened',
  'seal.append',
  'seal.settled',
  'seal.judged',
  'seal.reserved',
  'seal.written',
  'seal.committed',
  'seal.confirmed',
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
  /** A server that is never killed, for recording, retries and queries. */
  readonly steady: Client
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const unlimited = '1000000/60'

/** A folder that is deleted at the end of this process. */
function fenceFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-fence-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const environmentFor = (databaseUrl: string) => ({
  TLOG_FENCE: fenceFolder(),
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

const checkAll = async ({ world, fixtures }: Ground, answered: readonly Answered[]): Promise<string[]> =>
  (
    await Promise.all(
      fixtures.map(({ center }) =>
        chainFaults(
          world,
          center,
          answered.filter((each) => each.center.id === center.id),
        ),
      ),
    )
  ).flat()

/** Retries unacknowledged approvals with the same key; at the end every event is sealed exactly once. */
async function repair({ steady, fixtures }: Ground, answered: readonly Answered[]): Promise<string[]> {
  const faults: string[] = []
  for (const each of answered) {
    const fixture = fixtures.find(({ center }) => center.id === each.center.id) as Fixture
    let again = await approve(steady, fixture, each.eventId, each.idempotencyKey)
    // A busy server answers 503 with Retry-After: the client retries.
    for (let tries = 0; again.status === 503 && tries < 20; tries++) {
      await pause(500)
      again = await approve(steady, fixture, each.eventId, each.idempotencyKey)
    }
    if (again.status !== 200) faults.push(`${each.eventId} was answered ${again.status} when asked again`)
    if (each.hash !== null && again.hash !== each.hash) faults.push(`${each.eventId} got another hash when asked again`)
  }
  return faults
}

/** Crashes once at this failpoint with several approvals in flight, and returns the faults. */
export async function crashOnce(ground: Ground, failpoint: Failpoint, approvals = 12): Promise<string[]> {
  const { fixtures, steady } = ground
  const events = await Promise.all(
    Array.from({ length: approvals }, async (_, i) => {
      const fixture = fixtures[i % fixtures.length] as Fixture
      return { fixture, eventId: await recordEvent(steady, fixture) }
    }),
  )
  const doomed = await startKillable({ ...ground.environment, FAILPOINT: failpoint })
  const client = openClient(doomed.url)
  const ask = () => Promise.all(events.map(({ fixture, eventId }) => approve(client, fixture, eventId, randomUUID())))
  const answered = await ask()
  // A server that is overloaded during its start refuses all requests and never reaches the failpoint.
  for (let tries = 0; tries < 20 && answered.every(({ status }) => status === 503); tries++) {
    await pause(500)
    answered.splice(0, answered.length, ...(await ask()))
  }
  const signal = await Promise.race([doomed.ended, pause(20_000).then(() => 'nothing' as const)])
  const faults = signal === 'SIGKILL' ? [] : [`the server to kill ended by ${signal}`]
  if (signal === 'nothing') await doomed.stop()
  faults.push(...(await checkAll(ground, answered)))
  faults.push(...(await repair(ground, answered)))
  faults.push(...(await checkAll(ground, answered)))
  return faults.map((what) => `${failpoint}: ${what}`)
}

/** Sends approvals without a pause from several callers, until stopped. */
function load(client: Client, ground: Ground, callers: number) {
  let running = true
  const answered: Answered[] = []
  const done = Promise.all(
    Array.from({ length: callers }, async (_, i) => {
      const fixture = ground.fixtures[i % ground.fixtures.length] as Fixture
      while (running) {
        const eventId = await recordEvent(ground.steady, fixture).catch(() => null)
        if (eventId !== null) answered.push(await approve(client, fixture, eventId, randomUUID()))
        else await pause(20)
      }
    }),
  )
  return {
    answered,
    stop: async () => {
      running = false
      await done
    },
  }
}

export async function randomKill(
  ground: Ground,
  random: () => number,
): Promise<{ faults: string[]; answered: number }> {
  const doomed = await startKillable(ground.environment)
  const working = load(openClient(doomed.url), ground, 16)
  // A new process is slow: the kill waits until it is under load.
  for (let tries = 0; tries < 300 && working.answered.length < 16; tries++) await pause(20)
  await pause(random() * 400)
  await doomed.stop()
  await working.stop()
  const faults = [
    ...(await checkAll(ground, working.answered)),
    ...(await repair(ground, working.answered.filter(({ hash }) => hash === null).slice(0, 40))),
  ]
  return { faults, answered: working.answered.filter(({ hash }) => hash !== null).length }
}

/** `rounds` crashes at each failpoint and four times as many at random moments. */
export async function chaosSeal({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const random = seededRandom(seed)
  const environment = environmentFor(place.url)
  const steadyServer = await startKillable(environment)
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
        const { faults: found, answered } = await randomKill(here, random)
        faults.push(...found)
        acknowledged += answered
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
