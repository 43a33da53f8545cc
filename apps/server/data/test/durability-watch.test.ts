/** A process that runs says when its database is no longer durable. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { withDatabase } from '../migration-status.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { DURABILITY: 'strict' } })
})
afterAll(() => server.close())

const alter = (set: string) =>
  withDatabase(server.services.config.databaseUrl, async (client) => {
    const name = new URL(server.services.config.databaseUrl).pathname.slice(1)
    await client.query(`alter database ${name} ${set}`)
  })
const faults = async () => {
  await server.services.durability.look()
  return server.services.durability.faults().get('directory') as number
}

it('counts the faults, and says once in the log that a start would be refused', async () => {
  const before = await faults()
  expect(await server.services.metrics.text()).toContain(
    `countersign_durability_faults{database="directory"} ${before}`,
  )
  await alter('set synchronous_commit = off')
  expect(await faults()).toBe(before + 1)
  await faults()
  const said = server.logs.filter((line) => line.includes('the next start of a process is refused'))
  expect(said.length).toBeGreaterThan(0)
  // Once for each of the two names of the database.
  expect(said.length).toBeLessThanOrEqual(2)
  await alter('reset synchronous_commit')
  expect(await faults()).toBe(before)
})
