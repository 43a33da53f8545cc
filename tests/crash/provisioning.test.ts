/** A crash at some failpoints on every change, at all with TEST_LONG=1; `npm run chaos -- provisioning` makes many. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { some } from '../support/some.ts'
import { crashOnce, failpoints } from './provisioning.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('covers every failpoint in the code', () => {
  const folder = new URL('../../apps/server/features/centers/provisioning/', import.meta.url)
  const named = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/failpoint\('([^']+)'\)/g)])
    .map(([, name]) => name as string)
  expect(named.toSorted()).toEqual([...failpoints].toSorted())
})

it.each(some(failpoints, 2).map((failpoint, index) => [failpoint, index] as const))(
  'leaves a complete center or none after a crash at "%s", and the same order completes it',
  async (failpoint, index) => {
    const { config } = server.services
    const environment = {
      ROLE: 'api',
      LOG_LEVEL: 'error',
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
    }
    expect(await crashOnce({ world: server.world, environment }, failpoint, `crash-${index}`)).toEqual([])
  },
)
