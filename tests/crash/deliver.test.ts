/** Kills one worker at each failpoint of a delivery; `npm run chaos -- deliver` kills many, also at random, and the database. */
import { readdirSync, readFileSync } from 'node:fs'
import { leaseSeconds } from '@countersign/server/concurrency/leases.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { localNetworks } from '../support/webhook-fixture.ts'
import { verdict } from './deliver.ts'
import { duplicateJudge } from './deliver-judge.ts'
import { dieAt, failpoints, type Ground, note, openGround, publish, register } from './deliver-setup.ts'
import { type KillableServer, startKillable } from './killable-server.ts'

let server: TestServer
let ground: Ground
const workers: KillableServer[] = []
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

it('covers every failpoint in the code', () => {
  const folder = new URL('../../apps/server/features/automation/webhooks/', import.meta.url)
  const named = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/failpoint\('([^']+)'\)/g)])
    .map(([, name]) => name as string)
  expect(named.toSorted()).toEqual([...failpoints].toSorted())
})

it('loses no acknowledged event when workers are killed at each step, and repeats only unrecorded deliveries', async () => {
  const judge = duplicateJudge(ground)
  for (const failpoint of failpoints) {
    // The leases of killed workers stay valid for a while: each kill needs a separate endpoint.
    await register(ground, ground.webhooks.length === 0 ? 2 : 1)
    await publish(ground, 10)
    await dieAt(ground, failpoint)
    await note(ground, `kill at ${failpoint}`, 1)
  }
  workers.push(await startKillable(ground.workerEnvironment), await startKillable(ground.workerEnvironment))
  const figures = await verdict(ground, judge)
  expect(ground.faults).toEqual([])
  expect(figures.deliveries).toBe(10 * (2 + 3 + 4 + 5))
  // Fails when the kills hit no work: such a run would prove nothing.
  expect(figures.duplicates).toBeGreaterThan(0)
  expect(figures.longestSilenceSeconds).toBeGreaterThan(leaseSeconds - 2)
}, 300_000)
