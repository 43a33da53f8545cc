/**
 * Two servers seal on the same chains, while ranges are taken away from them at random and one of them is killed now and then.
 * Every acknowledged seal must be in its chain once, every chain whole, and nobody may wait long.
 */
import { randomUUID } from 'node:crypto'
import { makePlace, say } from '../bench/place.ts'
import { supply } from '../bench/seal-load.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld, type World } from '../support/world.ts'
import { type KillableServer, startKillable } from './killable-server.ts'
import { type Answered, approve, chainFaults } from './ledger.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { environmentFor, makeFixtures } from './seal.ts'

const centers = 4
/** New centers after so many rounds: a judge reads whole chains. */
const roundsOfSome = 250
const mostApprovals = 8
/** About one round in so many loses a server in the middle, and one of each group of rounds for certain. */
const killEvery = 100

/** What another process could do to the ranges, and what none does. */
const thefts = [
  `update cell.chain_ranges set owner = gen_random_uuid(), taken_at = clock_timestamp()`,
  `update cell.chain_ranges set owner = gen_random_uuid(), taken_at = '-infinity' where random() < 0.5`,
  `update cell.chain_ranges set owner = null, taken_at = '-infinity'`,
  `update cell.chain_ranges set owner = gen_random_uuid(), taken_at = clock_timestamp() + interval '1 hour'`,
  `update cell.chain_ranges a set owner = b.owner from cell.chain_ranges b where b.range = (a.range + 1) % 64`,
] as const

export async function chaosChainRanges({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const random = seededRandom(seed)
  const environment = environmentFor(place.url)
  const servers: KillableServer[] = [await startKillable(environment), await startKillable(environment)]
  const result = { rounds, violations: 0, acknowledged: 0, refused: 0, thefts: 0, kills: 0, longestMs: 0 }
  try {
    for (let round = 0; round < rounds; round += roundsOfSome) {
      const count = Math.min(roundsOfSome, rounds - round)
      for (const fault of await someRounds(world, servers, environment, count, random, result)) {
        result.violations++
        say(fault)
      }
      say(`${round + count} rounds: ${result.acknowledged} seals, ${result.violations} violations`)
    }
    return { ...result, longestMs: Math.round(result.longestMs) }
  } finally {
    for (const server of servers) await server.stop()
    await world.close()
    await place.close()
  }
}

interface Counts {
  acknowledged: number
  refused: number
  thefts: number
  kills: number
  longestMs: number
}

async function someRounds(
  world: World,
  servers: KillableServer[],
  environment: Readonly<Record<string, string>>,
  count: number,
  random: () => number,
  counts: Counts,
): Promise<string[]> {
  const below = (bound: number) => Math.floor(random() * bound)
  const fixtures = await makeFixtures(world, centers)
  const tenants = fixtures.map(({ center, key }) => ({ centerId: center.id, key }))
  const waiting = await supply(world, tenants, count * mostApprovals, true)
  const answered: Answered[] = []
  const faults: string[] = []
  for (let round = 0; round < count; round++) {
    const clients = servers.map(({ url }) => openClient(url))
    const asked = Array.from({ length: 1 + below(mostApprovals) }, async () => {
      const target = waiting.pop()
      const fixture = fixtures.find(({ center }) => center.id === target?.centerId)
      const client = clients[below(servers.length)]
      if (!target || !fixture || !client) throw new Error('no decision is left to approve')
      const eventId = target.path.split('/').at(-2) as string
      const since = performance.now()
      const answer = await approve(client, fixture, eventId, randomUUID())
      if (answer.hash !== null) counts.longestMs = Math.max(counts.longestMs, performance.now() - since)
      return answer
    })
    if (random() < 0.5) {
      counts.thefts++
      await world.query(thefts[below(thefts.length)] as string)
    }
    const lost = round === count >> 1 || random() < 1 / killEvery ? below(servers.length) : null
    if (lost !== null) {
      counts.kills++
      await servers[lost]?.stop()
    }
    for (const answer of await Promise.all(asked)) {
      answered.push(answer)
      if (answer.hash !== null) counts.acknowledged++
      else counts.refused++
      if (lost === null && answer.status !== 200) faults.push(`a request was answered ${answer.status} without a kill`)
    }
    if (lost !== null) servers[lost] = await startKillable(environment)
  }
  const found = await Promise.all(
    fixtures.map(({ center }) =>
      chainFaults(
        world,
        center,
        answered.filter((each) => each.center.id === center.id),
      ),
    ),
  )
  return [...faults, ...found.flat()]
}
