import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  openProofFixture,
  type ProofFixture,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { newId } from '../../../../lib/ids.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const demo = (body?: unknown, token = fixture.token, headers = {}) =>
  fixture.server.call('POST', '/api/dpu/demo', { token, headers, ...(body !== undefined && { body }) })

describe('POST /dpu/demo', () => {
  it('201: creates a DRAFT that is in the chain at once', async () => {
    const body = { content: 'Two sessions a week', referenceType: 'lms-event', referenceId: 'e-1', tags: ['care-plan'] }
    const { status, body: answer } = await demo(body)
    expect(status).toBe(201)
    expect(answer.data).toEqual({
      ...body,
      id: expect.stringMatching(/^dpu_/),
      evidenceLevel: 'DRAFT',
      chainHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      metadata: {},
      status: 'pending',
      centerId: fixture.center.id,
      domain: 'dpu',
      chainIndex: 0,
      previousHash: null,
      vertical: 'education',
      createdBy: fixture.admin.actorId,
      createdAt: answer.data.timestamp,
      updatedAt: answer.data.timestamp,
      sealedAt: null,
      timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    })
  })

  it('201: links it to the previous entry', async () => {
    const [first, second] = [await fixture.unit(), await fixture.unit()]
    expect(second).toMatchObject({ previousHash: first.chainHash, chainIndex: Number(first.chainIndex) + 1 })
  })

  it('201: requires no body', async () => {
    for (const body of [undefined, {}]) {
      const { status, body: answer } = await demo(body)
      expect([status, answer.data.referenceType, answer.data.referenceId, answer.data.tags]).toEqual([
        201,
        'demo',
        null,
        [],
      ])
      expect(answer.data.content).not.toBe('')
    }
  })

  it('201: permits an INSTRUCTOR', async () => {
    const { status, body } = await demo({}, fixture.instructorToken)
    expect([status, body.data.createdBy]).toEqual([201, fixture.instructor.actorId])
  })

  it('201: creates one DPU per Idempotency-Key', async () => {
    const once = { 'idempotency-key': 'demo-1' }
    const [first, again] = [await demo({}, fixture.token, once), await demo({}, fixture.token, once)]
    expect([again.status, again.text]).toEqual([201, first.text])
    expect((await demo({ content: 'other' }, fixture.token, once)).status).toBe(409)
  })

  it.each([
    [{ content: '' }, 'content'],
    [{ referenceType: 'other' }, 'referenceType'],
    [{ tags: [''] }, 'tags.0'],
    [{ evidenceLevel: 'AUDIT_READY' }, 'evidenceLevel'],
  ])('400 VALIDATION_ERROR: %j', async (body, about) => {
    const { status, body: answer } = await demo(body)
    expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.error.message).toContain(about)
  })

  it('422 CHAIN_BROKEN: refuses a chain that is marked as broken', async () => {
    const own = await openProofFixture(fixture.server)
    await own.unit()
    await fixture.server.world.query('update cell.chain_heads set broken_at = 0 where center_id = $1', [own.center.id])
    const { status, body } = await own.platform('POST', '/api/dpu/demo', {})
    expect([status, body.error.code]).toEqual([422, 'CHAIN_BROKEN'])
  })
})

describe('GET /dpu/{id}', () => {
  it('200: returns the DPU as created', async () => {
    const dpu = await fixture.unit({ content: 'Attendance confirmed', tags: ['a', 'b'] })
    const nothingYet = {
      text: null,
      editedAt: null,
      editedBy: null,
      sentAt: null,
      sentBy: null,
      sentTo: null,
      refused: null,
    }
    const hash = expect.stringMatching(/^sha256:[0-9a-f]{64}$/)
    expect((await fixture.platform('GET', `/api/dpu/${dpu.id}`)).body.data).toEqual({
      ...{ ...dpu, people: [] },
      draft: { ...nothingYet, contentDigest: hash, previous: hash },
      reviewers: expect.any(Array),
    })
  })

  it('200: returns the evidence of a decision, under the same UUID and with the same hash', async () => {
    const event = await fixture.record()
    const { sealedHash, sealedAt } = (await fixture.approve(event.id)).body.data
    const id = event.evidence.id.replace('evd_', 'dpu_')
    const { status, body } = await fixture.platform('GET', `/api/dpu/${id}`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id,
      content: 'Two sessions a week',
      evidenceLevel: 'AUDIT_READY',
      status: 'sealed',
      chainHash: sealedHash.replace('sha256:', ''),
      domain: 'proof',
      chainIndex: 0,
      referenceType: null,
      tags: ['care-plan'],
      createdBy: 'agent-7',
      sealedAt,
      timestamp: sealedAt,
    })
  })

  it.each([
    ['does not exist', async () => newId('dpu')],
    ['is malformed', async () => 'x'],
    ['belongs to another center', async () => (await (await openProofFixture(fixture.server)).unit()).id],
    ['is a decision that is not sealed', async () => (await fixture.record()).evidence.id.replace('evd_', 'dpu_')],
  ])('404 DPU_NOT_FOUND: an id that %s', async (_, id) => {
    const { status, body } = await fixture.platform('GET', `/api/dpu/${await id()}`)
    expect([status, body.error.code]).toEqual([404, 'DPU_NOT_FOUND'])
  })
})
