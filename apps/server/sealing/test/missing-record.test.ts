/** A record that was acknowledged and is gone: 503 while the fence refuses the database, and a declared loss by its name. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import { newUuid, typedId } from '../../lib/ids.ts'

const folder = mkdtempSync(join(tmpdir(), 'missing-record-'))
let server: TestServer
let fixture: ProofFixture
const day = 24 * 3600 * 1000
beforeAll(async () => {
  server = await startServer({ env: { TLOG_FENCE: folder } })
  fixture = await openProofFixture(server)
  for (let count = 0; count < 2; count++) expect((await fixture.decide()).status).toBe(201)
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const eventAt = (time: number) => typedId('decisionEvent', newUuid(time))
const read = async (id: string) => {
  const { status, body } = await server.call('GET', `/api/v1/decision-events/${id}`, {
    token: fixture.key,
    impatient: true,
  })
  return { status, ...body.error }
}

it('a record that never was is a plain 404', async () => {
  const { status, message, details } = await read(eventAt(Date.now()))
  expect([status, message, details?.loss]).toEqual([404, expect.not.stringContaining('lost'), undefined])
})

describe('after a declared loss', () => {
  beforeAll(async () => {
    await server.world.query(
      `insert into cell.log_generations (center_id, domain, generation, restored_size, restored_root, lost_size,
         reason, declared_by, declared_at)
       values ($1, 'proof', 2, 1, sha256('x'), 4, 'A disk failed.', 'Operations', now() + interval '1 minute')`,
      [fixture.center.id],
    )
  })

  it('a record of the lost time names the declaration', async () => {
    const id = eventAt(Date.now() + 1000)
    for (const path of [`/api/v1/decision-events/${id}`, `/api/v1/evidence/${id.replace('evt', 'evd')}`]) {
      const { status, body } = await fixture.v1('GET', path)
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
      expect(body.error.message).toContain('/api/v1/chains/proof/generations')
      expect(body.error.details.loss).toMatchObject({ domain: 'proof', generation: 2, lostFrom: 1, lostTo: 3 })
    }
    const approval = await fixture.approveAsMember(id)
    expect([approval.status, approval.body.error.message]).toEqual([404, expect.stringContaining('lost')])
  })

  it('a record from before or after it, and one of another center, is a plain 404', async () => {
    for (const time of [Date.now() - day, Date.now() + day])
      expect((await read(eventAt(time))).details?.loss).toBeUndefined()
    const other = await openProofFixture(server)
    const { status, body } = await other.v1('GET', `/api/v1/decision-events/${eventAt(Date.now() + 1000)}`)
    expect([status, body.error.details?.loss]).toEqual([404, undefined])
  })
})

describe('while the fence refuses the database', () => {
  it('a record that is not there is 503, not 404', { timeout: 60_000 }, async () => {
    // The store knows another database, which had more entries.
    const store = new DatabaseSync(join(folder, 'main.fence'))
    store.exec(`update logs set confirmed_size = confirmed_size + 5, confirmed_root = '${'7'.repeat(64)}'`)
    store.exec(`update store set identity = 'another:1:1'`)
    store.close()
    await expect.poll(async () => (await read(eventAt(Date.now()))).status, { timeout: 30_000 }).toBe(503)
    const { message } = await read(eventAt(Date.now()))
    expect(message).toMatch(/safety check|being checked/)
  })
})
