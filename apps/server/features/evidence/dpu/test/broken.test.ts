/** Records that were tampered with in the database, past every trigger, are not shown as proof. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { liftConstraints } from '../../../../../../tests/tamper/forger.ts'

let server: TestServer
let forger: pg.Client
beforeAll(async () => {
  server = await startServer()
  await liftConstraints(server.world.query)
  const connectionString = server.services.config.databaseUrl
  forger = new pg.Client({ connectionString, options: '-c session_replication_role=replica' })
  await forger.connect()
})
afterAll(async () => {
  await forger.end()
  await server.close()
})

const asDpu = [
  ['platform', '/api/dpu/{id}'],
  ['platform', '/api/dpu/{id}/export'],
  ['platform', '/api/dpu/{id}/responsibility'],
  ['v1', '/api/v1/dpu/{id}'],
] as const
const asEvidence = [
  ['v1', '/api/v1/evidence/{id}'],
  ['v1', '/api/v1/evidence/{id}/export'],
] as const

async function expectBroken(fixture: ProofFixture, id: string, requests: typeof asDpu | typeof asEvidence) {
  for (const [client, path] of requests) {
    const { status, body } = await fixture[client]('GET', path.replace('{id}', id))
    expect([path, status, body.error?.code]).toEqual([path, 422, 'CHAIN_BROKEN'])
    expect(body.error.message).toContain('Contact the operator')
  }
}

describe('422 CHAIN_BROKEN', () => {
  it('in every operation, when the entry of a DPU is deleted', async () => {
    const fixture = await openProofFixture(server)
    const { id } = await fixture.unit()
    await forger.query('delete from cell.chain_entries where center_id = $1', [fixture.center.id])
    await expectBroken(fixture, id, asDpu)
    const put = await fixture.raise(id, 'DOCUMENTED')
    expect([put.status, put.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
  })

  it('in every operation, also for the agent, when the entry of a decision is deleted', async () => {
    const fixture = await openProofFixture(server)
    const headers = { 'idempotency-key': 'k' }
    const { dpu } = (await fixture.decide({}, headers)).body.data
    await forger.query('delete from cell.chain_entries where center_id = $1', [fixture.center.id])
    await expectBroken(fixture, dpu.id, asDpu)
    await expectBroken(fixture, dpu.id.replace('dpu_', 'evd_'), asEvidence)
    const again = await fixture.decide({}, headers)
    expect([again.status, again.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
  })

  it.each([
    [
      'what was decided',
      `update cell.recorded_decisions set action = '{"type":"plan.adjust","output":{"sessions":5}}'`,
    ],
    ['who approved', `update cell.approvals set approver = '{"id":"somebody-else","type":"human"}'`],
    [
      'the policies that applied',
      `update cell.entries set template = replace(cell.content_of(template, hashes), '}', ',"policies":[]}'), hashes = null`,
    ],
    ['the event itself', 'delete from cell.recorded_decisions'],
  ])('in evidence and its export, after tampering with %s', async (_, forgery) => {
    const fixture = await openProofFixture(server)
    const event = await fixture.record()
    await fixture.approve(event.id)
    await forger.query(`${forgery} where center_id = $1`, [fixture.center.id])
    await expectBroken(fixture, event.evidence.id, asEvidence)
  })
})
