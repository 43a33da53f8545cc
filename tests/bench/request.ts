/**
 * GET /centers/{domain} with an access token (token, session, membership, rate limit in Redis, tenant transaction) by one
 * API process, next to a bare route that returns the same answer from the same query on a pool.
 */
import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { defaultSettings } from '@countersign/server/verticals/defaults.ts'
import { openClient } from '../support/client.ts'
import { openWorld } from '../support/world.ts'
import { sideBySide } from './load.ts'
import type { BenchOptions, BenchResult } from './options.ts'
import { makePlace, startProcess } from './place.ts'

const members = 32
const connections = 64

export async function benchRequest(options: BenchOptions): Promise<BenchResult> {
  const place = await makePlace()
  const world = await openWorld(place.url)
  const server = await startProcess(
    '../../apps/server/main.ts',
    {
      ROLE: 'api',
      DATABASE_URL: place.url,
      REDIS_URL: process.env.REDIS_URL ?? 'redis://127.0.0.1:6379',
      REDIS_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
      RATE_LIMIT_STANDARD: '100000000/60',
      RATE_LIMIT_LOGIN: '100000/60',
      SECRET_KEY: randomBytes(32).toString('base64'),
    },
    options.profile ? ['--cpu-prof', '--cpu-prof-dir=.dev/profile'] : [],
  )
  const bare = await startProcess('./bare-request.process.ts', { DATABASE_URL: place.url })
  try {
    const client = openClient(server.url)
    const requests: { path: string; headers: Record<string, string> }[] = []
    for (let i = 0; i < members; i++) {
      const center = await world.center()
      await world.query('update directory.centers set settings = $2 where id = $1', [
        center.id,
        defaultSettings('education'),
      ])
      const person = await world.person()
      await world.member(person, center)
      const { accessToken } = await client.signIn(person, center.domain)
      requests.push({
        path: `/api/centers/${center.domain}`,
        headers: { authorization: `Bearer ${accessToken}` },
      })
    }
    const [first] = requests
    const [own, reference] = await Promise.all(
      [server, bare].map(async ({ url }) =>
        (await fetch(`${url}${first?.path}`, { headers: first?.headers ?? {} })).json(),
      ),
    )
    if (!isDeepStrictEqual(own, reference))
      throw new Error('the two servers answer differently: the measurement is invalid')
    return { unit: 'requests/s', ...(await sideBySide(server, bare, { connections, requests }, options)), members }
  } finally {
    await server.stop()
    await bare.stop()
    await world.close()
    await place.close()
  }
}
