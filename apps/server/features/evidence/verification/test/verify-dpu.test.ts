import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestServer } from '../../../../../../tests/support/server.ts'
import { forgeableServer, type VerifiedCenter, verifiedCenter } from './fixture.ts'

let server: TestServer
let fixture: VerifiedCenter
let dpus: { id: string; chainIndex: number }[]
beforeAll(async () => {
  server = await forgeableServer()
})
afterAll(() => server.close())

async function fresh(): Promise<void> {
  fixture = await verifiedCenter(server)
  dpus = []
  for (let index = 0; index < 4; index++) dpus.push(await fixture.demo())
  await fixture.change(idOf(1), { metadata: { reason: 'first' } })
  await fixture.change(idOf(1), { metadata: { reason: 'second' }, evidenceLevel: 'AUDIT_READY' })
}
const idOf = (index: number) => (dpus[index] as { id: string }).id
const inCenter = (table: string, where: string) => `cell.${table} where center_id = ${fixture.center.id} and ${where}`

describe('200', () => {
  it('verifies the chain from the DPU back to the genesis', async () => {
    await fresh()
    for (const index of [0, 1, 3]) {
      expect(await fixture.verifyDpu(idOf(index))).toMatchObject({
        valid: true,
        chainLength: index + 1,
        brokenAt: null,
      })
    }
    const event = await fixture.seal()
    expect(await fixture.verifyDpu(event.replace('evt_', 'dpu_'))).toMatchObject({ valid: true, chainLength: 1 })
  })

  it('ignores a fault after it', async () => {
    await fresh()
    await fixture.forge(`update cell.entries set id = gen_random_uuid()
      where center_id = ${fixture.center.id} and domain = 'dpu' and idx = 2`)
    expect(await fixture.verifyDpu(idOf(3))).toMatchObject({ valid: false, brokenAt: 2 })
    expect(await fixture.verifyDpu(idOf(1))).toMatchObject({ valid: true })
    expect(await fixture.alarms()).toMatchObject([{ target_id: 'dpu', details: { brokenAt: 2 } }])
  })
})

describe('200 with valid: false', () => {
  it('for a record that differs from its commitment', async () => {
    await fresh()
    await fixture.forge(
      `update cell.dpus set reference_id = 'forged' where center_id = ${fixture.center.id} and chain_index = 2`,
    )
    const verdict = {
      valid: false,
      chainLength: 3,
      brokenAt: 2,
      reason: 'referenceId was added, and no commitment covers it',
    }
    expect(await fixture.verifyDpu(idOf(2))).toMatchObject(verdict)
    expect(await fixture.verifyDpu(idOf(0))).toMatchObject({ valid: true })
  })

  it('for a level and metadata that no change set', async () => {
    for (const change of [`evidence_level = 'DOCUMENTED'`, `metadata = '{"reason":"forged"}'`]) {
      await fresh()
      await fixture.forge(`update cell.dpus set ${change} where center_id = ${fixture.center.id} and chain_index = 0`)
      expect(await fixture.verifyDpu(idOf(0))).toMatchObject({ valid: false, brokenAt: 0 })
    }
  })

  it('for a change that differs from its commitment, even if a later one replaced it', async () => {
    for (const index of [0, 1, 2]) {
      await fresh()
      await fixture.forge(
        `update cell.history set disclosed = '{}' where center_id = ${fixture.center.id} and idx = ${index}`,
      )
      expect(await fixture.verifyDpu(idOf(1))).toMatchObject({
        valid: false,
        brokenAt: 1,
        reason: expect.stringMatching(new RegExp(`^entry ${index + 1} of its history: `)),
      })
      expect(await fixture.alarms()).toMatchObject([{ target_id: 'history', details: { brokenAt: index } }])
      expect(await fixture.verifyDpu(idOf(2))).toMatchObject({ valid: true })
    }
  })

  it.each([
    ['below zero', 'chain_index = -1', 0],
    ['after the last', 'chain_index = 7', 4],
    ['beyond the range of a number', 'chain_index = 9223372036854775807', 4],
    ['of another DPU', 'chain_index = 1', 1],
    ['in a chain that does not exist', `domain = 'x'' or true --'`, 0],
  ])('for a DPU that claims an index %s', async (_, claim, brokenAt) => {
    await fresh()
    await fixture.forge(`update cell.dpus set ${claim} where center_id = ${fixture.center.id} and chain_index = 3`)
    expect(await fixture.verifyDpu(idOf(3))).toMatchObject({ valid: false, brokenAt, reason: expect.any(String) })
  })

  it('for a DPU whose entry is deleted', async () => {
    await fresh()
    await fixture.forge(`delete from ${inCenter('entries', `domain = 'dpu' and idx = 3`)}`)
    expect(await fixture.verifyDpu(idOf(3))).toMatchObject({ valid: false, chainLength: 3, brokenAt: 3 })
  })
})

describe('404 DPU_NOT_FOUND', () => {
  it('for an unknown id, a malformed one and a DPU of another center', async () => {
    await fresh()
    const theirs = await (await verifiedCenter(server)).demo()
    for (const id of [idOf(0).replace(/.{6}$/, '000000'), 'nonsense', 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c', theirs.id]) {
      const { status, body } = await server.call('GET', `/api/dpu/${id}/verify`, { token: fixture.token })
      expect([status, body.error.code]).toEqual([404, 'DPU_NOT_FOUND'])
    }
  })
})

const otherHash = `decode(repeat('00', 32), 'hex')`

describe('refuses with 422 CHAIN_BROKEN to export a record that does not hold', () => {
  it.each([
    ['its hash', 'entries', `hash = ${otherHash}`, `domain = 'dpu' and idx = 2`],
    [
      'its content',
      'entries',
      `template = replace(template, 'dpu-chain-v1', 'dpu-chain-v2')`,
      `domain = 'dpu' and idx = 2`,
    ],
    ['its time', 'entries', `sealed_at = '2020-01-01T00:00:00.000Z'`, `domain = 'dpu' and idx = 2`],
    ['its link', 'entries', `previous_hash = ${otherHash}`, `domain = 'dpu' and idx = 2`],
    ['the entry before', 'entries', `hash = ${otherHash}`, `domain = 'dpu' and idx = 1`],
    ['its words', 'dpus', `content = 'forged'`, 'chain_index = 2'],
    ['a salt', 'dpus', `salts = replace(salts::text, '"content":"', '"content":"f')::json`, 'chain_index = 2'],
  ])('%s', async (_, table, change, where) => {
    await fresh()
    await fixture.forge(`update cell.${table} set ${change} where center_id = ${fixture.center.id} and ${where}`)
    const exported = await server.call('GET', `/api/dpu/${idOf(2)}/export`, { token: fixture.token })
    expect([exported.status, exported.body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
    expect((await server.call('GET', `/api/dpu/${idOf(0)}/export`, { token: fixture.token })).status).toBe(200)
  })
})
