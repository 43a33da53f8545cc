import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  approver,
  openProofFixture,
  type ProofFixture,
  startProofFixture,
} from '../../../../../../tests/support/proof-fixture.ts'
import { newId, typedId, uuidOf } from '../../../../lib/ids.ts'

let fixture: ProofFixture & { close(): Promise<void> }
beforeAll(async () => {
  fixture = await startProofFixture()
})
afterAll(() => fixture.close())

const get = (id: string) => fixture.v1('GET', `/api/v1/dpu/${id}`)
const dpuIdOf = (eventId: string) => typedId('dpu', uuidOf('decisionEvent', eventId) as string)

describe('200', () => {
  it('is pending while a decision waits for a person, and sealed afterwards', async () => {
    const own = await openProofFixture(fixture.server)
    await own.policy({ dualApproval: true })
    const decided = await own.decide()
    const { eventId, dpu } = decided.body.data
    const look = async () => (await own.v1('GET', `/api/v1/dpu/${dpu.id}`)).body.data
    const waiting = {
      id: dpu.id,
      status: 'pending',
      evidenceLevel: 'DOCUMENTED',
      chainHash: null,
      chainIndex: null,
      domain: 'proof',
      createdAt: expect.stringMatching(/Z$/),
      sealedAt: null,
    }
    expect(await look()).toEqual(waiting)
    await own.approve(eventId, approver('kim'))
    expect(await look()).toEqual(waiting)
    const { sealedHash, sealedAt } = (await own.approve(eventId, approver('lee'))).body.data
    expect(await look()).toEqual({
      ...waiting,
      status: 'sealed',
      evidenceLevel: 'AUDIT_READY',
      chainHash: sealedHash,
      chainIndex: 0,
      sealedAt,
    })
  })

  it('reports a decision without a reason as DRAFT', async () => {
    const event = await fixture.record({ aiContext: { model: 'm' } })
    expect((await get(dpuIdOf(event.id))).body.data).toMatchObject({ status: 'pending', evidenceLevel: 'DRAFT' })
  })

  it('reports a DPU of the platform as pending until it is AUDIT_READY, with its hash from the start', async () => {
    const dpu = await fixture.unit()
    const state = async () => (await get(dpu.id)).body.data
    const { chainHash } = dpu
    expect(await state()).toMatchObject({
      status: 'pending',
      evidenceLevel: 'DRAFT',
      chainHash: `sha256:${chainHash}`,
      domain: 'dpu',
      sealedAt: null,
    })
    await fixture.raise(dpu.id, 'DOCUMENTED')
    expect(await state()).toMatchObject({ status: 'pending', evidenceLevel: 'DOCUMENTED' })
    const raised = await fixture.raise(dpu.id, 'AUDIT_READY')
    expect(await state()).toMatchObject({ status: 'sealed', sealedAt: raised.body.data.sealedAt })
  })
})

describe('404 NOT_FOUND', () => {
  it.each([
    ['that does not exist', async () => newId('dpu')],
    ['that is malformed', async () => newId('evidence')],
    ['of a DPU of another center', async () => (await (await openProofFixture(fixture.server)).unit()).id],
    [
      'of a decision of another center',
      async () => dpuIdOf((await (await openProofFixture(fixture.server)).record()).id),
    ],
  ])('for an id %s', async (_, id) => {
    const { status, body } = await get(await id())
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND'])
  })
})
