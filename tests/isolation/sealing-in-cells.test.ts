/** Centers of one server in two cells: each seals in its own cell and does not wait for the other. */
import { verifyExport } from '@countersign/proof/verify-export.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../support/proof-fixture.ts'
import { startServer, type TestServer } from '../support/server.ts'

let server: TestServer
let north: ProofFixture
let south: ProofFixture
beforeAll(async () => {
  server = await startServer({ cells: ['north', 'south'] })
  north = await openProofFixture(server, { cell: 'north' })
  south = await openProofFixture(server, { cell: 'south' })
})
afterAll(() => server.close())

async function inCell<T>(cell: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.services.config.cells.get(cell) as string })
  await client.connect()
  return work(client).finally(() => client.end())
}

const centersIn = (cell: string, table: string) =>
  inCell(cell, async (client) => {
    const { rows } = await client.query(`select distinct center_id from cell.${table}`)
    return rows.map(({ center_id }) => center_id)
  })

async function sealEverything(fixture: ProofFixture) {
  await fixture.policy({ riskThreshold: 1 })
  await fixture.platform('PUT', '/api/action-types/refund', { name: { en: 'Refund' } })
  const actorIds = [fixture.admin.actorId]
  await fixture.platform('POST', `/api/centers/${fixture.center.id}/groups`, { name: 'Finance', actorIds })
  const event = await fixture.record()
  await fixture.approve(event.id)
  await fixture.decide({ riskScore: 0 }, { 'idempotency-key': 'the same in both' })
  const unit = await fixture.unit()
  await fixture.raise(unit.id, 'AUDIT_READY')
  return { event, unit }
}

describe('two cells', () => {
  it('hold only the chains of their own centers', async () => {
    const made = [await sealEverything(north), await sealEverything(south)]
    for (const table of [
      'chain_heads',
      'entries',
      'dpus',
      'approvals',
      'history',
      'policy_versions',
      'action_type_versions',
      'groups',
      'dpu_counts',
      'recorded_decisions',
    ]) {
      expect([table, await centersIn('north', table)]).toEqual([table, [north.center.id]])
      expect([table, await centersIn('south', table)]).toEqual([table, [south.center.id]])
    }
    for (const [index, fixture] of [north, south].entries()) {
      const { event, unit } = made[index] as (typeof made)[0]
      const proofs = [
        await fixture.v1('GET', `/api/v1/evidence/${event.evidence.id}/export`),
        await fixture.platform('GET', `/api/dpu/${unit.id}/export`),
      ]
      for (const { body } of proofs) {
        expect(verifyExport(body)).toMatchObject({ valid: true })
        expect(body.evidence.log).toContain(`/c/${fixture.center.id}/`)
      }
    }
  })

  it('do not wait for each other when one chain is locked', async () => {
    await inCell('north', async (client) => {
      await client.query('begin')
      await client.query('select from cell.chain_heads where center_id = $1 for update', [north.center.id])
      const held = north.decide({ riskScore: 0 })
      expect((await south.decide({ riskScore: 0 })).status).toBe(201)
      await client.query('rollback')
      expect((await held).status).toBe(201)
    })
  })
})
