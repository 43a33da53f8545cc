/** A verification URL does not name the cell of its record. */
import { newId } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ cells: ['north', 'south'] })
})
afterAll(() => server.close())

it('finds a record in every cell', async () => {
  for (const cell of ['north', 'south']) {
    const fixture = await openProofFixture(server, { cell })
    const made = await fixture.record()
    await fixture.approve(made.id)
    const { status, body } = await server.call('GET', `/verify/${made.id}`)
    expect([status, body.log]).toEqual([200, `${server.services.config.logHost}/c/${fixture.center.id}/proof`])
  }
  expect((await server.call('GET', `/verify/${newId('decisionEvent')}`)).status).toBe(404)
})
