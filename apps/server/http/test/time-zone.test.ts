/** The time zone of the database does not affect recorded times. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openProofFixture } from '../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'

let first: TestServer
let server: TestServer
beforeAll(async () => {
  first = await startServer()
  await first.world.query(
    `do $$ begin execute format('alter database %I set timezone to ''Asia/Seoul''', current_database()); end $$`,
  )
  // The connections are opened after the setting was changed.
  server = await startServer({ beside: first })
})
afterAll(async () => {
  await server.close()
  await first.close()
})

// Local time in Seoul was eight hours, twenty-seven minutes and fifty-two seconds ahead of UTC before 1908.
it.each([
  '1890-05-01T12:00:00.123Z',
  '0001-01-01T00:00:00.000Z',
  '2026-11-15T09:30:00.000Z',
  new Date(Date.now() + 23 * 3600 * 1000).toISOString(),
])('a decision of %s is recorded, sealed, shown and proved with that time', async (occurredAt) => {
  const fixture = await openProofFixture(server)
  const event = await fixture.record({ occurredAt, idempotencyKey: 'k' })
  expect((await fixture.approve(event.id)).status).toBe(200)
  const exported = (await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`)).body
  expect(exported.evidence.event.occurredAt).toBe(occurredAt)
  expect(verifyExport(exported).valid).toBe(true)
  const dpu = event.evidence.id.replace('evd_', 'dpu_')
  const { when } = (await fixture.platform('GET', `/api/dpu/${dpu}/responsibility`)).body.data
  expect(when.decidedAt).toBe(occurredAt)
})
