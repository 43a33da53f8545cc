import { verifyExport } from '@countersign/proof/verify-export.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openProofFixture,
  type ProofFixture,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { newId, uuidOf } from '../../../../lib/ids.ts'
import { dpuId, type Redacting, reason, redactingIn } from './redacting.ts'

let fixture: ProofFixture & { close(): Promise<void> }
let { redact, get, verify } = {} as Redacting
beforeAll(async () => {
  fixture = await startProofFixture()
  ;({ redact, get, verify } = redactingIn(fixture))
})
afterAll(() => fixture.close())

/** The DPU of an approved decision. */
async function sealed(): Promise<string> {
  const { id } = await fixture.record()
  await fixture.approve(id)
  return dpuId(id)
}

describe('400 VALIDATION_ERROR', () => {
  it.each([
    ['a value that is hashed in clear', 'event.type'],
    ['a value that was never given', 'approval.reason'],
    ['part of a value', 'event.action.input.client'],
    ['the state of the record', 'vertical'],
    ['nonsense', '__proto__'],
  ])('names %s and the redactable paths', async (_, path) => {
    const dpu = await sealed()
    const { status, body } = await redact(dpu, ['approval.approver.name', path])
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(body.error.message).toContain(`"${path}"`)
    expect(body.error.message).toContain(
      'approval.approver.id, approval.approver.name, approval.identity.by, approval.submittedBy',
    )
    expect((await get(`/api/dpu/${dpu}`)).data.redacted).toBeUndefined()
  })

  it.each([
    ['no path', { paths: [], reason }],
    ['the same path twice', { paths: ['content', 'content'], reason }],
    ['an empty reason', { paths: ['content'], reason: '' }],
  ])('%s', async (_, body) => {
    const { id } = await fixture.unit()
    const answer = await fixture.platform('POST', `/api/dpu/${id}/redactions`, body)
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('403 INSUFFICIENT_ROLE', () => {
  it('for every role but ADMIN', async () => {
    const { id } = await fixture.unit()
    const { status, body } = await fixture.server.call('POST', `/api/dpu/${id}/redactions`, {
      token: fixture.instructorToken,
      body: { paths: ['content'], reason },
    })
    expect([status, body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  })
})

describe('404 DPU_NOT_FOUND', () => {
  it('for a record that does not exist, is not sealed yet, or belongs to another center', async () => {
    const other = await openProofFixture(fixture.server)
    const unsealed = await fixture.record()
    for (const id of [newId('dpu'), 'x', dpuId(unsealed.id), (await other.unit()).id]) {
      const { status, body } = await redact(id, ['content'])
      expect([status, body.error.code]).toEqual([404, 'DPU_NOT_FOUND'])
    }
  })
})

describe('409 CONFLICT', () => {
  it('for a value that is redacted already, and redacts no other value of the request', async () => {
    const dpu = await sealed()
    await redact(dpu, ['approval.approver.name'])
    const { status, body } = await redact(dpu, ['event.actor.name', 'approval.approver.name'])
    expect([status, body.error.code]).toEqual([409, 'CONFLICT'])
    expect(body.error.message).toBe('These values are already redacted: approval.approver.name. Leave them out.')
    expect((await get(`/api/dpu/${dpu}`)).data.redacted).toEqual(['approval.approver.name'])
  })

  it('for 49 of 50 concurrent redactions of the same value', async () => {
    const dpu = await sealed()
    const before = (await fixture.v1('GET', '/api/v1/chains/history/entries')).body?.length ?? 0
    const answers = await Promise.all(Array.from({ length: 50 }, () => redact(dpu, ['event.actor.name'])))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(49).fill(409)])
    expect((await fixture.v1('GET', '/api/v1/chains/history/entries')).body).toHaveLength(before + 1)
    expect(await verify()).toMatchObject({ allValid: true })
  })

  it('and keeps concurrent changes by other members', async () => {
    const { id } = await fixture.unit({ content: 'Jo again' })
    const put = (body: object) => fixture.platform('PUT', `/api/dpu/${id}`, body)
    const answers = await Promise.all([
      put({ metadata: { note: 1 } }),
      redact(id, ['metadata']),
      put({ metadata: { note: 2 } }),
      redact(id, ['content']),
      put({ evidenceLevel: 'DOCUMENTED' }),
      put({ metadata: { note: 3 } }),
    ])
    expect(answers.every(({ status }) => status < 300)).toBe(true)
    expect(verifyExport(await get(`/api/dpu/${id}/export`))).toMatchObject({ valid: true })
    expect(await verify()).toMatchObject({ allValid: true })
  })
})

describe('422 CHAIN_BROKEN', () => {
  it('for a record that does not hold, and for a chain that is marked as broken', async () => {
    const own = await openProofFixture(fixture.server)
    const { world } = fixture.server
    const [altered, sound] = [await own.unit({ content: 'as it was' }), await own.unit()]
    await world.query(
      `begin; set local session_replication_role = replica;
       update cell.dpus set content = 'as it is' where id = '${uuidOf('dpu', altered.id)}'; commit`,
    )
    expect((await redactingIn(own).redact(altered.id, ['content'])).body.error.code).toBe('CHAIN_BROKEN')
    for (const domain of ['dpu', 'history']) {
      await world.query(
        `insert into cell.chain_heads as h (center_id, domain, broken_at) values ($1, $2, 0)
         on conflict (center_id, domain) do update set broken_at = 0`,
        [own.center.id, domain],
      )
      const { status, body } = await redactingIn(own).redact(sound.id, ['content'])
      expect([status, body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
      await world.query(
        `begin; set local session_replication_role = replica; update cell.chain_heads set broken_at = null; commit`,
      )
    }
    expect((await redactingIn(own).redact(sound.id, ['content'])).status).toBe(201)
  })
})
