/** One worker killed at each place of a delivery; `npm run chaos -- deliver` kills many, at random too, and the database. */
import { readdirSync, readFileSync } from 'node:fs'
import { leaseSeconds } from '@countersign/server/concurrency/leases.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { verdict } from './deliver.ts'
import { duplicateJudge } from './deliver-judge.ts'
import { dieAt, failpoints, type Ground, note, openGround, publish, register } from './deliver-setup.ts'
import { type MortalServer, startMortal } from './mortal-server.ts'

let server: TestServer
let ground: Ground
const workers: MortalServer[] = []
beforeAll(async () => {
  server = await startServer({ env: localNetworks })
  const { config } = server.services
  const environment = {
    LOG_LEVEL: 'fatal',
    DATABASE_URL: config.databaseUrl,
    PUBLIC_URL: config.publicUrl,
    SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
  }
  ground = await openGround({ world: server.world, api: server, environment, endpoints: 5, seed: 2026 })
})
afterAll(async () => {
  for (const worker of workers) await worker.stop()
  await ground.close()
  await server.close()
})

it('kills at every failpoint that the code has', () => {
  const folder = new URL('../../apps/server/features/automation/webhooks/', import.meta.url)
  const named = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/failpoint\('([^']+)'\)/g)])
    .map(([, name]) => name as string)
  expect(named.toSorted()).toEqual([...failpoints].toSorted())
})

it('loses nothing acknowledged when workers are killed at each step, and repeats only what was in their hands', async () => {
  const judge = duplicateJudge(ground)
  for (const failpoint of failpoints) {
    // The leases of those who died go on for a while: each needs an endpoint that is its own.
    await register(ground, ground.webhooks.length === 0 ? 2 : 1)
    await publish(ground, 10)
    await dieAt(ground, failpoint)
    await note(ground, `kill at ${failpoint}`, 1)
  }
  workers.push(await startMortal(ground.workerEnvironment), await startMortal(ground.workerEnvironment))
  const figures = await verdict(ground, judge)
  expect(ground.faults).toEqual([])
  expect(figures.deliveries).toBe(10 * (2 + 3 + 4 + 5))
  // Else the kills would have hit nothing, and this would prove nothing.
  expect(figures.duplicates).toBeGreaterThan(0)
  expect(figures.longestSilenceSeconds).toBeGreaterThan(leaseSeconds - 2)
}, 300_000)
