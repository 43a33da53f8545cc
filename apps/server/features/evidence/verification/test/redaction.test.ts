import type { Json } from '@countersign/proof/canonical.ts'
import { historyStatic, unitState } from '@countersign/proof/history-entry.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import { newSalt, newUuid, typedId } from '../../../../lib/ids.ts'
import { forgeableServer, type VerifiedCenter, verifiedCenter } from './fixture.ts'

let server: TestServer
let fixture: VerifiedCenter
beforeAll(async () => {
  server = await forgeableServer()
})
afterAll(() => server.close())

/** Appends an entry of the history that names the deleted paths of a record. */
async function redaction(target: string, paths: string[]): Promise<void> {
  const { id: centerId } = fixture.center
  const center = await server.services.centers.profile(centerId)
  const [unit] = await server.world.query<{ previous: string; evidence_level: string; metadata_commitment: string }>(
    `select coalesce(u.last_change, e.hash) as previous, u.evidence_level, u.metadata_commitment
     from cell.dpus u join cell.chain_entries e on e.center_id = u.center_id and e.domain = u.domain and e.idx = u.chain_index
     where u.center_id = $1`,
    [centerId],
  )
  const { previous, evidence_level: evidenceLevel, metadata_commitment: metadata } = unit as NonNullable<typeof unit>
  await server.services.sequencer.seal({
    center,
    caller: { requestId: 'req', actorId: 'somebody', centerId },
    holds: { chains: ['history'] },
    judge(batch) {
      const id = newUuid()
      const values: Record<string, Json> = { paths, by: { id: 'somebody' }, reason: 'asked for' }
      const input = { id: typedId('history', id), type: 'redaction', target, previous, values } as const
      const prepared = historyStatic(input, () => unitState({ evidenceLevel, metadata }), newSalt)
      batch.appendHistory(id, prepared, values)
    },
  })
}

const at = (index: number) => `where center_id = ${fixture.center.id} and chain_index = ${index}`
/** Of a decision. */
const withoutSalts = (...paths: string[]) => `packed_salts = cell.packed_without(packed_salts, '{${paths.join()}}')`
const changedLast = () => `updated_at = ${lastOf('sealed_at::timestamptz')}, last_change = ${lastOf('hash')}`
const lastOf = (column: string) =>
  `(select ${column} from cell.chain_entries where center_id = ${fixture.center.id} and domain = 'history'
    order by idx desc limit 1)`

describe('a decision with redacted values', () => {
  const forget = (id: string) => `
    update cell.recorded_decisions set actor = '{"type":"ai_agent"}', action = '{"type":"plan.adjust"}' where id = '${id}';
    update cell.dpus set ${changedLast()}, ${withoutSalts('event.actor.id', 'event.actor.name', 'event.action.input')}
    where id = '${id}'`
  const paths = ['event.actor.id', 'event.actor.name', 'event.action.input']
  let uuid: string
  let target: string

  beforeAll(async () => {
    fixture = await verifiedCenter(server)
    target = (await fixture.seal()).replace('evt_', 'evd_')
    const [row] = await server.world.query<{ id: string }>('select id from cell.dpus where center_id = $1', [
      fixture.center.id,
    ])
    uuid = (row as { id: string }).id
  })

  it('holds, because the history names them', async () => {
    await redaction(target, paths)
    await fixture.forge(forget(uuid))
    expect(await fixture.verify()).toMatchObject({ allValid: true })
    expect(await fixture.verifyDpu(target.replace('evd_', 'dpu_'))).toMatchObject({ valid: true })
  })

  it('does not hold when a value reappears without its salt', async () => {
    await fixture.forge(
      `update cell.recorded_decisions set actor = '{"type":"ai_agent","name":"Somebody else"}' where id = '${uuid}'`,
    )
    expect((await fixture.verify()).domains.proof).toMatchObject({ valid: false, brokenAt: 0 })
  })
})

describe('missing values', () => {
  it.each([
    ['without a redaction', null],
    ['with a redaction of another path', ['event.tags']],
  ])('%s', async (_, paths) => {
    fixture = await verifiedCenter(server)
    const target = (await fixture.seal()).replace('evt_', 'evd_')
    if (paths) await redaction(target, paths)
    await fixture.forge(`
      update cell.dpus set ${withoutSalts('event.actor.name')}
        ${paths ? `, ${changedLast()}` : ''} ${at(0)};
      update cell.recorded_decisions set actor = '{"id":"agent-7","type":"ai_agent"}' where center_id = ${fixture.center.id}`)
    expect((await fixture.verify()).domains.proof).toMatchObject({
      valid: false,
      brokenAt: 0,
      reason: 'event.actor.name is missing, and no redaction explains it',
    })
  })

  it('with a forged redaction', async () => {
    fixture = await verifiedCenter(server)
    const target = (await fixture.seal()).replace('evt_', 'evd_')
    await redaction(target, ['event.tags'])
    await fixture.forge(`
      update cell.history set disclosed = replace(disclosed::text, 'event.tags', 'event.actor.name')::json
      where center_id = ${fixture.center.id};
      update cell.dpus set ${withoutSalts('event.actor.name')},
        ${changedLast()} ${at(0)};
      update cell.recorded_decisions set actor = '{"id":"agent-7","type":"ai_agent"}' where center_id = ${fixture.center.id}`)
    expect((await fixture.verify()).domains).toMatchObject({ proof: { brokenAt: 0 }, history: { brokenAt: 0 } })
  })
})

describe('a redaction that cannot be read', () => {
  it('is reported, and does not stop the verification', async () => {
    fixture = await verifiedCenter(server)
    const { id } = await fixture.demo()
    await fixture.change(id, { metadata: { reason: 'why' } })
    await redaction(id, ['content'])
    await fixture.forge(`update cell.entries set template = '"target":"${id}","type":"redaction"', hashes = null
      where center_id = ${fixture.center.id} and domain = 'history' and idx = 1`)
    expect((await fixture.verify()).domains.history).toMatchObject({ valid: false, brokenAt: 1 })
    expect(await fixture.verifyDpu(id)).toMatchObject({ valid: false, brokenAt: 0 })
  })
})

describe('redacted metadata', () => {
  it('may be missing in the DPU and in every change that had it', async () => {
    fixture = await verifiedCenter(server)
    const { id } = await fixture.demo()
    await fixture.change(id, { metadata: { reason: 'somebody’s name' } })
    await fixture.change(id, { metadata: { reason: 'another name' } })
    await redaction(id, ['metadata'])
    const without = (column: string) =>
      `${column} = (select json_object_agg(key, value) from json_each(${column}) where key <> 'metadata')`
    await fixture.forge(`
      update cell.dpus set metadata = '{}', ${without('salts')}, ${changedLast()} ${at(0)};
      update cell.history set ${without('disclosed')}, ${without('salts')}
      where center_id = ${fixture.center.id} and idx < 2`)
    expect(await fixture.verify()).toMatchObject({ allValid: true })
    expect(await fixture.verifyDpu(id)).toMatchObject({ valid: true })
    await fixture.forge(`update cell.dpus set metadata = '{"reason":"forged"}' ${at(0)}`)
    expect(await fixture.verify()).toMatchObject({ valid: false, brokenAt: 0 })
  })

  it('may not be missing in a change after the redaction', async () => {
    fixture = await verifiedCenter(server)
    const { id } = await fixture.demo()
    const redacted = await server.call('POST', `/api/dpu/${id}/redactions`, {
      token: fixture.token,
      body: { paths: ['metadata'], reason: 'asked for' },
    })
    expect(redacted.status).toBe(201)
    await fixture.change(id, { metadata: { reason: 'given anew' } })
    expect(await fixture.verify()).toMatchObject({ allValid: true })
    expect(await fixture.verifyDpu(id)).toMatchObject({ valid: true })
    await fixture.forge(`
      update cell.dpus set metadata = '{}' ${at(0)};
      update cell.history set disclosed = (disclosed::jsonb - 'metadata')::json, salts = (salts::jsonb - 'metadata')::json
      where center_id = ${fixture.center.id} and idx = 1`)
    const exported = await server.call('GET', `/api/dpu/${id}/export`, { token: fixture.token })
    expect([exported.status, exported.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    expect((await fixture.verify()).domains).toMatchObject({
      dpu: { valid: false, brokenAt: 0 },
      history: { valid: false, brokenAt: 1, reason: 'metadata is missing, and no redaction explains it' },
    })
    expect(await fixture.verifyDpu(id)).toMatchObject({ valid: false })
  })
})
