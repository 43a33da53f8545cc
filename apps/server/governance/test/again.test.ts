import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { describe, expect, it } from 'vitest'
import { asksMore, type Given, type SealedApproval } from '../again.ts'
import { type Applied, named } from '../policies.ts'
import { applied, event } from './examples.ts'

const review: PolicyBody['guards'] = { humanReview: true }
const dual: PolicyBody['guards'] = { dualApproval: true }
const by = (id: string, level = 'session', onBehalfOf: string | null = null): SealedApproval => ({
  level,
  approver: { id, type: 'human' },
  onBehalfOf,
})
const given = (approvals: readonly SealedApproval[], lines: readonly Applied[] = []): Given => ({
  approvals,
  policies: named(lines),
  lines,
})
const more = (now: readonly Applied[], was: Given) => asksMore(now, event({ risk_score: 0.4 }), was)?.policyId ?? null
const again = (line: Applied, body: Partial<PolicyBody> = {}): Applied => ({
  ...line,
  version: line.version + 1,
  digest: `sha256:${'1'.repeat(64)}`,
  body: { ...line.body, ...body },
})

const line = applied(review, 'Refunds', { roles: ['ADMIN'] })

describe('nothing more is asked for', () => {
  it('by no policy, and by one that asks nobody', () => {
    expect(more([], given([]))).toBeNull()
    expect(more([applied({ riskThreshold: 0.5 }), applied({ policyRequired: true })], given([]))).toBeNull()
  })

  it('by the version that was sealed, whatever the row says of its people now', () => {
    expect(more([line], given([by('kim')], [line]))).toBeNull()
    expect(more([line], given([], [line]))).toBeNull()
  })

  it('by a version with another name or a shorter time', () => {
    expect(more([again(line, { name: 'Money' })], given([by('kim')], [line]))).toBeNull()
    const shorter = again(line, { approval: { roles: ['ADMIN'], expiresAfterSeconds: 5, usableForSeconds: 5 } })
    expect(more([shorter], given([by('kim')], [line]))).toBeNull()
  })

  it('by a version that allows more people', () => {
    const wider = again(line, { approval: { roles: ['ADMIN', 'INSTRUCTOR'] } })
    expect(more([wider], given([by('kim')], [line]))).toBeNull()
    expect(more([again(line, { approval: { identity: 'session' } })], given([by('kim')], [line]))).toBeNull()
  })

  it('by a new policy that names the approver, or the one whose deputy approved', () => {
    const people = applied(review, 'People', { actorIds: ['KIM', 'lee'] })
    expect(more([people], given([by('kim')]))).toBeNull()
    expect(more([people], given([by('park', 'session', 'lee')]))).toBeNull()
  })

  it('by a policy for two of all, where two approved', () => {
    expect(more([applied(dual)], given([by('kim'), by('lee')]))).toBeNull()
  })
})

describe('more is asked for', () => {
  it('by a policy where none asked', () => {
    const fresh = applied(review)
    expect(more([line, fresh], given([], [line]))).toBe(fresh.id)
    expect(more([again(line, { guards: { riskThreshold: 0.3 } })], given([], [line]))).toBe(line.id)
  })

  it('by a policy for two people, where one approved', () => {
    expect(more([again(line, { guards: dual })], given([by('kim')], [line]))).toBe(line.id)
  })

  it('by a policy for two people, where one person approved twice: again, by another spelling, or as a deputy', () => {
    const two = applied(dual)
    expect(more([two], given([by('kim'), by('kim')]))).toBe(two.id)
    expect(more([two], given([by('kim'), by('KIM')]))).toBe(two.id)
    expect(more([two], given([by('kim'), by('lee', 'session', 'kim')]))).toBe(two.id)
    expect(more([two], given([by('lee', 'session', 'kim'), by('lee')]))).toBe(two.id)
    expect(more([two], given([by('kim'), by('lee', 'session', 'kim'), by('park')]))).toBeNull()
  })

  it('by a higher level', () => {
    const passkey = again(line, { approval: { roles: ['ADMIN'], identity: 'passkey' } })
    expect(more([passkey], given([by('kim')], [line]))).toBe(line.id)
    expect(more([passkey], given([by('kim', 'passkey')], [line]))).toBeNull()
    expect(more([applied(review)], given([by('kim', 'claim')]))).not.toBeNull()
  })

  it('by a policy for people of whom the seal does not show that they approved', () => {
    expect(more([applied(review, 'Heads', { roles: ['ADMIN'] })], given([by('kim')]))).not.toBeNull()
    const narrower = again(line, { approval: { actorIds: ['lee'] } })
    expect(more([narrower], given([by('kim')], [line]))).toBe(line.id)
    expect(more([narrower], given([by('lee')], [line]))).toBeNull()
  })

  it('where the approver is the actor, no person, or redacted', () => {
    const policy = applied(review)
    expect(more([policy], given([by('agent-7')]))).toBe(policy.id)
    expect(more([policy], given([{ ...by('kim'), approver: { id: 'kim', type: 'service' } }]))).toBe(policy.id)
    expect(more([policy], given([{ ...by('kim'), approver: {} }]))).toBe(policy.id)
  })
})

describe('a seal without control', () => {
  const old = (approvals: readonly SealedApproval[]): Given => ({ ...given(approvals), lines: null })

  it('is compared by number and level', () => {
    const heads = applied(review, 'Heads', { roles: ['ADMIN'] })
    expect(more([heads], old([by('kim')]))).toBeNull()
    expect(more([heads], old([by('kim', 'claim')]))).toBe(heads.id)
    const two = applied(dual)
    expect(more([two], old([by('kim')]))).toBe(two.id)
    expect(more([two], old([by('kim'), by('lee')]))).toBeNull()
  })
})
