/** A gateway verifies the answer to its own request, and takes nothing else for an approval. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Forgery, forgeries, type RealAnswers, realAnswers } from '../../../tests/support/approval-forgeries.ts'
import { approvalRequest } from '../../../tests/support/approval-requests.ts'
import { offenders } from '../../../tests/support/offenders.ts'
import { openProofFixture, type ProofFixture } from '../../../tests/support/proof-fixture.ts'
import { startServer, type TestServer } from '../../../tests/support/server.ts'
import { type ApprovalRequest, GuardError } from '../guard.ts'
import { type VerifyApprovalOptions, verifyApproval } from '../receipts.ts'

let server: TestServer
let here: ProofFixture
let real: RealAnswers
let trust: string
beforeAll(async () => {
  server = await startServer()
  here = await openProofFixture(server)
  real = await realAnswers(here, await openProofFixture(server))
  trust = (await server.call('GET', '/.well-known/countersign-log.json')).body.policy
})
afterAll(() => server.close())

const verify = (request: ApprovalRequest, answer: object | string, options: VerifyApprovalOptions = {}) =>
  verifyApproval(request, answer, { trust, center: here.center.id, ...options })
const reasonOf = (run: () => unknown): string => {
  try {
    run()
    return 'accepted'
  } catch (error) {
    return error instanceof GuardError ? error.reason : String(error)
  }
}

it('accepts the approval of a signed-in person, as an object or as text', () => {
  const expected = {
    eventId: real.answer.event_id,
    approver: here.admin.actorId,
    approvers: [here.admin.actorId],
    level: 'session',
  }
  expect(verify(real.request, real.answer)).toEqual(expected)
  expect(verify(real.request, JSON.stringify(real.answer))).toEqual(expected)
  expect(verify(real.request, real.answer, { approvers: [here.admin.actorId] })).toEqual(expected)
})

it('says that an API key stated the approver, where the program accepts that', () => {
  expect(verify(real.claimedRequest, real.claimed, { requires: null })).toMatchObject({ level: 'claim' })
})

it('refuses every forgery', async () => {
  const all = forgeries(real)
  expect(all.length).toBeGreaterThan(20)
  const name = (each: Forgery) => each.name
  expect(
    await offenders(all, name, ({ request, answer }) => {
      expect(() => verify(request, answer)).toThrow(GuardError)
    }),
  ).toEqual([])
})

describe('refuses the real answer', () => {
  const at = (time: number) => ({ clock: { now: () => time, sleep: async () => {} } })
  it.each<[string, string, () => VerifyApprovalOptions]>([
    ['once the request has expired', 'expired', () => at(Date.parse(real.request.expires_at))],
    ['once the approval has ended', 'stale', () => at(Date.parse(real.answer.usable_until) + 1)],
    ['where a passkey is required', 'unverified', () => ({ requires: 'passkey' })],
    ['of another person than the program accepts', 'unverified', () => ({ approvers: [here.instructor.actorId] })],
    ['under a policy with another key', 'unverified', () => ({ trust: trust.replace(/^log \S+/, `log ${otherKey}`) })],
    ['of another center than the program names', 'unverified', () => ({ center: here.center.id + 1 })],
  ])('%s', (_, reason, options) => {
    expect(reasonOf(() => verify(real.request, real.answer, options()))).toBe(reason)
  })

  it('for a request whose digest is not that of its action', () => {
    const { binding } = approvalRequest({ binding: { parameters: { amount: 1 } } })
    expect(reasonOf(() => verify({ ...real.request, binding }, real.answer))).toBe('changed')
  })
})

it('says of an open request that it waits, and of a refused one that it is refused', () => {
  expect(reasonOf(() => verify(real.again, real.pending))).toBe('waiting')
  expect(reasonOf(() => verify(real.refusedRequest, real.refusal))).toBe('refused')
})

/** Of another log of the same name. */
const otherKey = 'countersign.test+cb9689e0+AQTuZNF0U5RjG/a1hJCIQBz5RJzRw6Dz+GU7F+Fxso4N'
