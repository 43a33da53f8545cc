/**
 * Kills the server at each step of creating a center, repeatedly: afterwards there is a complete center or none, and the
 * same order completes it.
 */
import { randomBytes } from 'node:crypto'
import { makePlace, say } from '../bench/place.ts'
import { openClient } from '../support/client.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { openWorld, type Person, type World } from '../support/world.ts'
import { type KillableServer, startKillable } from './killable-server.ts'
import type { ChaosOptions, ChaosResult } from './options.ts'
import { completeness, type Parts } from './whole-center.ts'

/** Every `failpoint` of apps/server/features/centers/provisioning, in order. */
export const failpoints = [
  'provisioning: order',
  'provisioning: center',
  'provisioning: subscription',
  'provisioning: administrator',
  'provisioning: roles',
  'provisioning: before commit',
  'provisioning: after commit',
] as const
export type Failpoint = (typeof failpoints)[number]

export interface Ground {
  readonly world: World
  readonly environment: Readonly<Record<string, string>>
}

const order = (founder: Person, name: string) => ({
  centerName: `Center ${name}`,
  subdomain: name,
  planId: 'center-starter',
  orderId: `order-${name}`,
  adminActorId: founder.actorId,
})

const path = '/api/provisioning/center-tenant'

/** Crashes once at this failpoint and returns the violations. */
export async function crashOnce(ground: Ground, failpoint: Failpoint, name: string): Promise<string[]> {
  const violations: string[] = []
  const founder = await ground.world.person()
  const body = order(founder, name)

  const doomed = await startKillable({ ...ground.environment, FAILPOINT: failpoint })
  const { accessToken: token } = await openClient(doomed.url).signIn(founder)
  const answer = await openClient(doomed.url)
    .call('POST', path, { token, body })
    .then(({ status }) => status)
    .catch(() => 'none')
  const signal = await doomed.ended
  if (answer !== 'none') violations.push(`the server to kill answered ${answer}`)
  if (signal !== 'SIGKILL') violations.push(`the server to kill ended by ${signal}`)

  const left = await completeness(ground.world, body)
  const committed = failpoint === 'provisioning: after commit'
  if (left.parts !== (committed ? 'all' : 'none')) violations.push(`after the crash: ${describe(left)}`)

  const next = await startKillable(ground.environment)
  try {
    violations.push(...(await complete(ground.world, next, founder, body, committed ? 200 : 201)))
  } finally {
    await next.stop()
  }
  return violations.map((what) => `${failpoint}: ${what}`)
}

async function complete(
  world: World,
  server: KillableServer,
  founder: Person,
  body: ReturnType<typeof order>,
  status: number,
): Promise<string[]> {
  const violations: string[] = []
  const client = openClient(server.url)
  const { accessToken: token } = await client.signIn(founder)
  const first = await client.call('POST', path, { token, body })
  if (first.status !== status) violations.push(`the same order was answered ${first.status}, not ${status}`)
  const whole = await completeness(world, body)
  if (whole.parts !== 'all') violations.push(`after the same order: ${describe(whole)}`)
  const again = await client.call('POST', path, { token, body })
  if (again.status !== 200 || again.body.data.center.id !== first.body.data?.center.id)
    violations.push(`once more it was answered ${again.status}`)
  const { accessToken: entered } = await client.signIn(founder, body.subdomain)
  const center = await client.call('GET', `/api/centers/${body.subdomain}`, { token: entered })
  if (center.status !== 200) violations.push(`its administrator was answered ${center.status}`)
  return violations
}

const describe = ({ parts, rows }: Parts): string => `${parts} of a center: ${JSON.stringify(rows)}`

export async function chaosProvisioning({ seed, rounds }: ChaosOptions): Promise<ChaosResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const random = seededRandom(seed)
  const environment = {
    ROLE: 'api',
    LOG_LEVEL: 'error',
    DATABASE_URL: place.url,
    PUBLIC_URL: 'http://countersign.test',
    SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const violations: string[] = []
  const crashes: Record<string, number> = {}
  try {
    for (let round = 1; round <= rounds; round++) {
      // The order changes every round.
      for (const failpoint of failpoints.toSorted(() => random() - 0.5)) {
        const name = `crash-${round}-${failpoints.indexOf(failpoint)}`
        violations.push(...(await crashOnce({ world, environment }, failpoint, name)))
        crashes[failpoint] = (crashes[failpoint] ?? 0) + 1
      }
      say(`round ${round}: ${failpoints.length} crashes, ${violations.length} violations so far`)
    }
    for (const violation of violations.slice(0, 20)) say(violation)
    return { rounds, violations: violations.length, crashes }
  } finally {
    await world.close()
    await place.close()
  }
}
