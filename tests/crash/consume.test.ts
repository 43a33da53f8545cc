/** Some crashes on every change, all with TEST_LONG=1; `npm run chaos -- consume` makes many, also at random moments. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testSeed } from '../support/seed.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { some } from '../support/some.ts'
import { crashOnce, phases } from './consume.ts'
import { logHost } from './ledger.ts'
import { failpoints, type Ground, makeFixtures } from './seal.ts'

let server: TestServer
let ground: Ground
beforeAll(async () => {
  server = await startServer({ env: { TLOG_HOST: logHost } })
  const { config } = server.services
  const environment = {
    ROLE: 'api',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: config.databaseUrl,
    PUBLIC_URL: config.publicUrl,
    TLOG_HOST: logHost,
    SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
  }
  ground = { world: server.world, environment, steady: server, fixtures: await makeFixtures(server.world, 2) }
})
afterAll(() => server.close())

const random = seededRandom(testSeed())
const moments = ['any', ...failpoints] as const
const crashes = moments.flatMap((moment) => phases.map((phase) => ({ phase, moment })))

it.each(some(crashes, 2))(
  'runs nothing twice and loses nothing after a crash in the $phase: $moment',
  async (crash) => {
    expect((await crashOnce(ground, { ...crash, random })).faults).toEqual([])
  },
)
