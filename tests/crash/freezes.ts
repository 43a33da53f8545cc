/**
 * Stops while decisions are consumed: races at two servers, then rounds in which a server that makes the stop and consumes is
 * killed in between. Whatever was committed, nothing that a stop covers is consumed after its entry.
 */
import { makePlace, say, startProcess } from '../bench/place.ts'
import { type Decided, freezeRace, manyDecided, reasonOf, stopFaults } from '../races/freeze-races.ts'
import { runRace } from '../races/race-setup.ts'
import { type Client, openClient } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld, type World } from '../support/world.ts'
import { startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor } from './seal.ts'

const contenders = 50
const unlimited = '1000000/60'
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Crash {
  readonly world: World
  readonly environment: Readonly<Record<string, string>>
  readonly steady: Client
  readonly random: () => number
}

/** Half of the consumptions and the stop go to the server that dies. */
async function crashOnce({ world, environment, steady, random }: Crash) {
  const center = await world.center()
  const admin = await world.person()
  await world.member(admin, center, 'ADMIN')
  const key = await world.key(center)
  const { accessToken: token } = await steady.signIn(admin, center.domain)
  const decided = await manyDecided(steady, key, contenders)
  const consume = (client: Client, { path, actionDigest }: Decided, executor: string) =>
    client.call('POST', path, { token: key, body: { actionDigest, executor } })
  const doomed = await startKillable(environment)
  const dying = openClient(doomed.url)
  // An answer that is lost says nothing: what was committed is read from the log.
  const lost = (): null => null
  const stop = pause(random() * 400).then(() =>
    dying.call('POST', '/api/freezes', { token, body: { center: true, reason: 'A drill' } }).catch(lost),
  )
  const consumed = decided.map((each, at) =>
    pause(random() * 1000).then(() => consume(at % 2 === 0 ? dying : steady, each, `e-${at}`).catch(lost)),
  )
  await pause(300 + random() * 1500)
  await doomed.stop()
  const answers: readonly (Answer | null)[] = await Promise.all(consumed)
  const made = await stop

  const faults: string[] = []
  const { body } = await steady.call('GET', '/api/freezes', { token })
  const [inForce] = body.data as { id: string }[]
  if (made?.status === 201 && !inForce) faults.push('a stop that was answered is lost')
  for (const [at, each] of decided.entries()) {
    const isKnown = answers[at]?.status === 200
    const late = await consume(steady, each, isKnown ? `e-${at}` : `late-${at}`)
    // Whoever holds it gets the same answer again; nobody else takes it while it is stopped.
    if (isKnown && late.status !== 200) faults.push(`a consumption that was answered is lost: ${late.text}`)
    const isTaken = late.status === 409 && reasonOf(late) === undefined
    if (!isKnown && inForce && !isTaken && reasonOf(late) !== 'frozen')
      faults.push(`consumed while stopped: ${late.text}`)
  }
  if (inForce) faults.push(...(await stopFaults(steady, key)))
  return { faults, wasStopped: inForce !== undefined, consumptions: contenders }
}

export async function chaosFreezes({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const random = seededRandom(seed)
  const environment = { ...environmentFor(place.url), RATE_LIMIT_STANDARD: unlimited, RATE_LIMIT_LOGIN: unlimited }
  const servers = []
  try {
    for (let n = 0; n < 2; n++) servers.push(await startProcess('../../apps/server/main.ts', environment))
    const clients = servers.map(({ url }) => openClient(url))
    const race = await runRace(freezeRace, { clients, world, random }, { rounds, contenders })
    const faults = [...race.violations]
    say(`${rounds} stops during ${contenders} consumptions each at two servers: ${faults.length} violations`)
    let [stops, consumptions, crashes] = [0, 0, 0]
    // A server that dies early has stopped nothing: as many stops as rounds are committed.
    for (; stops < rounds && crashes < 4 * rounds; crashes++) {
      const found = await crashOnce({ world, environment, steady: clients[0] as Client, random })
      faults.push(...found.faults)
      if (found.wasStopped) stops++
      consumptions += found.consumptions
      say(`crash ${crashes + 1}: ${stops} stops committed, ${faults.length} faults so far`)
    }
    for (const fault of faults.slice(0, 20)) say(fault)
    const { turnedAway } = race
    return { rounds, contenders, violations: faults.length, turnedAway, crashes, stops, consumptions }
  } finally {
    for (const server of servers) await server.stop()
    await world.close()
    await place.close()
  }
}
