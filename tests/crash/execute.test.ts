/** Kills at some failpoints on every change, at all with TEST_LONG=1. `npm run chaos -- workflows` kills more often, and `-- executions` runs many at once. */
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { some } from '../support/some.ts'
import {
  begin,
  cancelSome,
  dieAt,
  dieCanceling,
  failpoints,
  type Ground,
  openGround,
  startWorker,
  untilEnded,
  verdict,
} from './execute-setup.ts'

let server: TestServer
let ground: Ground
beforeAll(async () => {
  server = await startServer()
  const { config } = server.services
  ground = await openGround(server.world, {
    ROLE: 'worker',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: config.databaseUrl,
    PUBLIC_URL: config.publicUrl,
    SECRET_KEY: config.secretKeys.map((key) => key.toString('base64')).join(','),
  })
})
afterAll(async () => {
  await ground.close()
  await server.close()
})

it('covers every failpoint in the code', () => {
  const folder = new URL('../../apps/server/features/automation/workflows/', import.meta.url)
  const named = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, folder), 'utf8').matchAll(/failpoint\(['`]([^'`$]+)/g)])
    .map(([, name]) => (name as string).replace(/\.$/, ''))
  const killed = failpoints.filter((name) => name.startsWith('workflow')).map((name) => name.replace(/\.\d$/, ''))
  expect([...new Set(killed)].toSorted()).toEqual([...named, 'workflow.taken'].toSorted())
})

it('ends every execution once with one record, wherever a worker or who cancels dies', async () => {
  const chosen = some(failpoints, 8)
  for (const failpoint of chosen) {
    await begin(ground, 2)
    expect(await dieAt(ground, failpoint)).toEqual([])
  }
  const batch = failpoints.filter((name) => name.startsWith('seal.'))
  await begin(ground, batch.length)
  for (const failpoint of batch) expect(await dieCanceling(ground, failpoint)).toEqual([])
  const heir = await startWorker(ground)
  await cancelSome(ground, 5)
  expect(await untilEnded(ground, 60_000)).toBe(0)
  await heir.stop()
  const { faults, executions, takeovers, ends } = await verdict(ground)
  expect(faults).toEqual([])
  expect(executions).toBe(2 * chosen.length + batch.length)
  // Fails when the kills hit no work: such a run would prove nothing.
  expect(takeovers).toBeGreaterThan(chosen.length / 2)
  expect(Math.min(...Object.values(ends))).toBeGreaterThan(0)
}, 300_000)
