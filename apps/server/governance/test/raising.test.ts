import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { expect, it } from 'vitest'
import { judgeRaise, type Raising } from '../raising.ts'
import { applied, complete, refusal, withoutReason } from './examples.ts'

const person = (actorId: string, role: 'ADMIN' | 'INSTRUCTOR' = 'ADMIN', ...family: string[]) => ({
  actorId,
  roles: [role],
  family: [actorId, ...family],
})
const judged = (
  guards: PolicyBody['guards'],
  raising: Partial<Raising> = {},
  approval?: PolicyBody['approval'],
  sixW = complete,
) =>
  judgeRaise([applied(guards, 'A policy', approval)], sixW, {
    ...{ to: 'AUDIT_READY', by: person('kim'), identity: 'session', raisedBy: null, riskScore: null, actorId: null },
    waited: 0,
    ...raising,
  } as Raising)

it("is a person's review and satisfies what asks for one", () => {
  for (const identity of ['claim', 'session'] as const)
    expect(judged({ humanReview: true }, {}, { identity })).toBeUndefined()
  expect(judged({ humanReview: true }, { identity: 'passkey' }, { identity: 'passkey' })).toBeUndefined()
  expect(judged({ riskThreshold: 0.1 }, { riskScore: 0.9 })).toBeUndefined()
})

it.each<[string, Partial<Raising>, PolicyBody['approval'], object]>([
  ['a session where a passkey is named', {}, { identity: 'passkey' }, { identity: 'passkey' }],
  ['the actor of the decision', { actorId: 'Kim' }, undefined, {}],
  ['another account of the actor', { actorId: 'kim', by: person('lee', 'ADMIN', 'kim') }, undefined, {}],
  ['a role that the policy does not name', { by: person('kim', 'INSTRUCTOR') }, { roles: ['ADMIN'] }, {}],
])('is refused to %s', (_, raising, approval, details) => {
  const refused = refusal(() => judged({ humanReview: true }, raising, approval))
  expect(refused).toMatchObject({ code: 'POLICY_VIOLATION', guard: 'humanReview', ...details })
})

it('requires two people, one after the other, under dual approval', () => {
  const dual = { dualApproval: true }
  expect(refusal(() => judged(dual))).toMatchObject({ code: 'POLICY_VIOLATION', guard: 'dualApproval' })
  expect(judged(dual, { to: 'DOCUMENTED' })).toBeUndefined()
  expect(refusal(() => judged(dual, { raisedBy: 'kim' }))).toMatchObject({ code: 'CONFLICT' })
  const relative = { by: person('lee', 'ADMIN', 'kim'), raisedBy: 'kim' }
  expect(refusal(() => judged(dual, relative))).toMatchObject({ code: 'CONFLICT' })
  expect(judged(dual, { raisedBy: 'lee' })).toBeUndefined()
})

it('requires the evidence level of the policies', () => {
  const level = { minimumEvidenceLevel: 'DOCUMENTED' } as const
  const to = { to: 'DOCUMENTED' } as const
  expect(refusal(() => judged(level, to, undefined, withoutReason))).toMatchObject({ guard: 'minimumEvidenceLevel' })
  expect(judged(level, to)).toBeUndefined()
})

it('passes through DOCUMENTED where the highest level and dual approval are required', () => {
  const both = { minimumEvidenceLevel: 'AUDIT_READY', dualApproval: true } as const
  expect(judged(both, { to: 'DOCUMENTED' })).toBeUndefined()
  expect(judged(both, { raisedBy: 'lee' })).toBeUndefined()
})

it('never stands for an approval line', () => {
  const line = { steps: [{ roles: ['INSTRUCTOR' as const] }, { roles: ['ADMIN' as const] }] }
  expect(refusal(() => judged({ humanReview: true }, {}, line))).toMatchObject({ code: 'CONFLICT' })
})
