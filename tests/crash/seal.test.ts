/** A crash at some failpoints on every change, at all with TEST_LONG=1; `npm run chaos -- seal` makes many, also at random. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { some } from '../support/some.ts'
import { logHost } from './ledger.ts'
import { crashOnce, failpoints, type Ground, makeFixtures } from './seal.ts'

let server: TestServer
let ground: Ground
beforeAll(async () => {
  server = await startServer({ env: { TLOG_HOST: logHost }, fence: true })
  const { config } = server.services
  const environment = {
    ROLE: 'api',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: config.databaseUrl,
    PUBLIC_URL: config.publicUrl,
    TLOG_HOST: logHost,
    TLOG_FENCE: config.log.fence?.at as string,
    SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
  }
  ground = { world: server.world, environment, steady: server, fixtures: await makeFixtures(server.world, 3) }
})
afterAll(() => server.close())

it('covers every failpoint in the code', () => {
  const named = ['sealing', 'http'].flatMap((folder) => {
    const place = new URL(`../../apps/server/${folder}/`, import.meta.url)
    return readdirSync(place)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [...readFileSync(new URL(file, place), 'utf8').matchAll(/failpoint\('(seal\.[^']+)'\)/g)])
      .map(([, name]) => name as string)
  })
  expect([...new Set(named)].toSorted()).toEqual([...failpoints].toSorted())
})

it.each(some(failpoints, 3))(
  'loses no acknowledged seal and seals nothing twice after a crash at "%s"',
  async (failpoint) => {
    expect(await crashOnce(ground, failpoint, 6)).toEqual([])
  },
)
