/** Which policies apply to a decision, tested through the answers to an agent. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openProofFixture, type ProofFixture } from '../../../../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

let server: TestServer
let fixture: ProofFixture
beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  fixture = await openProofFixture(server)
})
afterAll(() => server.close())

const action = (type: string) => ({ action: { type } })
const outcome = async (overrides: Record<string, unknown> = {}) => {
  const { body } = await fixture.decide(overrides)
  return body.data?.outcome ?? body.error.details.guard
}
const rulers = async (overrides: Record<string, unknown> = {}) =>
  (await fixture.decide(overrides)).body.data.policies.map(({ id }: { id: string }) => id)

describe('a policy applies to', () => {
  it('the action types that its patterns match', async () => {
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['loan.*', '*.delete'] } })
    for (const [type, expected] of [
      ['loan.approve', 'approval_required'],
      ['loan.', 'approval_required'],
      ['account.delete', 'approval_required'],
      ['loan', 'completed'],
      ['account.deleted', 'completed'],
    ] as const) {
      expect([type, await outcome(action(type))]).toEqual([type, expected])
    }
  })

  it('only decisions that meet all of its conditions', async () => {
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['stock.*'], verticals: ['pharmacy'] } })
    expect(await outcome()).toBe('completed')
    await fixture.policy({ humanReview: true }, { match: { actionTypes: ['stock.*'], verticals: ['education'] } })
    expect(await outcome()).toBe('approval_required')
  })

  it('no decision while it is inactive, and again when it is active', async () => {
    const { id } = await fixture.policy({ humanReview: true }, { active: false })
    expect(await outcome()).toBe('completed')
    expect(await rulers()).toEqual([])
    await fixture.platform('PATCH', `/api/policies/${id}`, { active: true })
    expect(await outcome()).toBe('approval_required')
    await fixture.platform('PATCH', `/api/policies/${id}`, { active: false })
    expect(await outcome()).toBe('completed')
  })

  it('no decision after its withdrawal', async () => {
    const { id } = await fixture.policy({ humanReview: true })
    await fixture.platform('DELETE', `/api/policies/${id}`)
    expect(await outcome()).toBe('completed')
  })

  it('no decision of another center', async () => {
    const elsewhere = await openProofFixture(server)
    await elsewhere.policy({ humanReview: true })
    expect(await outcome()).toBe('completed')
  })

  it('decisions in its newest version', async () => {
    const { id } = await fixture.policy({ riskThreshold: 0.5 })
    expect(await outcome({ riskScore: 0.4 })).toBe('completed')
    await fixture.platform('PATCH', `/api/policies/${id}`, { guards: { riskThreshold: 0.3 } })
    expect(await outcome({ riskScore: 0.4 })).toBe('approval_required')
  })
})

describe('of several policies', () => {
  it('all that match are named, and the strictest value of each guard wins', async () => {
    const lax = await fixture.policy({ riskThreshold: 0.9 })
    const strict = await fixture.policy({ riskThreshold: 0.2 }, { match: { actionTypes: ['stock.*'] } })
    await fixture.policy({ riskThreshold: 0.1 }, { match: { actionTypes: ['loan.*'] } })
    expect((await rulers({ riskScore: 0.1 })).toSorted()).toEqual([lax.id, strict.id].toSorted())
    expect(await outcome({ riskScore: 0.3 })).toBe('approval_required')
    expect(await outcome({ riskScore: 0.3, ...action('other') })).toBe('completed')
  })

  it('one that switches a guard off does not switch it off in another', async () => {
    await fixture.policy({ humanReview: false })
    expect(await outcome()).toBe('completed')
    await fixture.policy({ humanReview: true })
    expect(await outcome()).toBe('approval_required')
  })

  it('the answer names the one whose rule refuses', async () => {
    await fixture.policy({ minimumEvidenceLevel: 'DRAFT' })
    const strict = await fixture.policy({ minimumEvidenceLevel: 'DOCUMENTED' }, { name: 'The strict one' })
    const { body } = await fixture.decide({ reason: undefined })
    expect(body.error.details).toMatchObject({ policyId: strict.id, guard: 'minimumEvidenceLevel' })
  })

  it('one that requires a policy is satisfied by any other', async () => {
    await fixture.policy({ policyRequired: true })
    expect(await outcome()).toBe('policyRequired')
    await fixture.policy({ riskThreshold: 1 }, { match: { actionTypes: ['stock.*'] } })
    expect(await outcome({ riskScore: 0 })).toBe('completed')
    expect(await outcome({ riskScore: 0, ...action('other') })).toBe('policyRequired')
  })
})
