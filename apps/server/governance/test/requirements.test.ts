import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { describe, expect, it } from 'vitest'
import { mayReview } from '../raising.ts'
import { expiryOf, requirementsOf } from '../requirements.ts'
import { applied } from './examples.ts'

type Policy = readonly [guards: PolicyBody['guards'], approval?: PolicyBody['approval']]
const asked = (policies: readonly Policy[], riskScore: number | null = 0) =>
  requirementsOf(
    policies.map(([guards, approval]) => applied(guards, 'A policy', approval)),
    riskScore,
  )

const claim = { identity: 'claim' } as const
const passkey = { identity: 'passkey' } as const

describe('what a decision waits for', () => {
  it.each<[string, Policy[], number | null, string[] | null, string | null]>([
    ['no policy', [], null, null, null],
    [
      'guards that ask for no approval',
      [[{ policyRequired: true, minimumEvidenceLevel: 'DOCUMENTED' }]],
      0,
      null,
      null,
    ],
    ['human review', [[{ humanReview: true }]], 0, ['humanReview'], 'session'],
    ['human review, switched off', [[{ humanReview: false }]], 0, null, null],
    ['two approvals', [[{ dualApproval: true }]], 0, ['dualApproval'], 'session'],
    ['the highest level', [[{ minimumEvidenceLevel: 'AUDIT_READY' }]], 0, ['minimumEvidenceLevel'], 'session'],
    ['a risk at the threshold', [[{ riskThreshold: 0.5 }]], 0.5, null, null],
    ['a risk above it', [[{ riskThreshold: 0.5 }]], 0.51, ['riskThreshold'], 'session'],
    ['an unstated risk', [[{ riskThreshold: 1 }]], null, ['riskThreshold'], 'session'],
    ['a policy that accepts claims', [[{ humanReview: true }, claim]], 0, ['humanReview'], 'claim'],
    [
      'the highest of several',
      [
        [{ humanReview: true }, claim],
        [{ dualApproval: true }, passkey],
      ],
      0,
      ['humanReview', 'dualApproval'],
      'passkey',
    ],
    [
      'a stricter policy that does not ask',
      [
        [{ humanReview: true }, claim],
        [{ riskThreshold: 0.5 }, passkey],
      ],
      0.1,
      ['humanReview'],
      'claim',
    ],
    [
      'a stricter policy that asks',
      [[{ humanReview: true }, claim], [{ riskThreshold: 0.5 }]],
      0.9,
      ['humanReview', 'riskThreshold'],
      'session',
    ],
  ])('under %s', (_, policies, risk, guards, identity) => {
    const requirements = asked(policies, risk)
    expect(requirements?.reasons.map(({ guard }) => guard) ?? null).toEqual(guards)
    expect(requirements?.identity ?? null).toBe(identity)
  })

  it('names the policy and the rule of each reason', () => {
    const policy = applied({ riskThreshold: 0.3, dualApproval: true }, 'Large refunds')
    expect(requirementsOf([policy], null)).toMatchObject({
      approvals: 2,
      reasons: [
        { guard: 'riskThreshold', rule: 'riskThreshold: 0.3', policyId: policy.id, policyName: 'Large refunds' },
        { guard: 'dualApproval', rule: 'dualApproval: true', policyId: policy.id },
      ],
    })
  })

  it('ends at the shortest time of the policies that ask', () => {
    const review = { humanReview: true }
    expect(
      asked([[review, { expiresAfterSeconds: 60 }], [review, { expiresAfterSeconds: 30 }], [review]]),
    ).toMatchObject({
      expiresAfterSeconds: 30,
    })
    const [day, week] = [86_400, 604_800]
    expect(asked([[review, { usableForSeconds: day }], [review]])).toMatchObject({ usableForSeconds: day })
    expect(asked([[review, { usableForSeconds: 2 * week }], [review]])).toMatchObject({ usableForSeconds: week })
    expect(asked([[review, { usableForSeconds: 2 * week }]])).toMatchObject({ usableForSeconds: 2 * week })
    const requirements = asked([
      [review, { expiresAfterSeconds: 60 }],
      [{ riskThreshold: 0.5 }, { expiresAfterSeconds: 1 }],
    ])
    expect(requirements && expiryOf(requirements, 1000)).toBe(61_000)
    const forever = asked([[review]])
    expect(forever && expiryOf(forever, 1000)).toBeNull()
  })
})

describe('who may approve', () => {
  const [kim, lee] = ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40', '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f41'] as const
  const review = { humanReview: true }
  const escalateTo = { actorIds: [kim], afterSeconds: 600 }
  const admins: Policy = [review, { roles: ['ADMIN'] }]

  it.each<[string, Policy[], string | null, number, boolean]>([
    ['an ADMIN, where no policy names anybody', [[review]], 'ADMIN', 0, true],
    ['an INSTRUCTOR, where no policy names anybody', [[review]], 'INSTRUCTOR', 0, true],
    ['a PARENT, where no policy names anybody', [[review]], 'PARENT', 0, false],
    ['a member of a named role', [admins], 'ADMIN', 0, true],
    ['a member of another role', [admins], 'INSTRUCTOR', 0, false],
    ['a named member of another role', [[review, { roles: ['ADMIN'], actorIds: [kim] }]], 'INSTRUCTOR', 0, true],
    ['a named PARENT', [[review, { actorIds: [kim] }]], 'PARENT', 0, false],
    ['a member who is not named', [[review, { actorIds: [lee] }]], 'ADMIN', 0, false],
    ['a member whom one of two policies does not allow', [admins, [review, { actorIds: [lee] }]], 'ADMIN', 0, false],
    ['a member whom each policy allows', [admins, [review, { actorIds: [kim] }]], 'ADMIN', 0, true],
    ['a further member before the time', [[review, { roles: ['ADMIN'], escalateTo }]], 'INSTRUCTOR', 599, false],
    ['a further member after the time', [[review, { roles: ['ADMIN'], escalateTo }]], 'INSTRUCTOR', 600, true],
    ['a claimed person, where no policy names anybody', [[review, claim]], null, 0, true],
    ['a claimed person, where a role is named', [admins], null, 0, false],
    ['a claimed person who is named', [[review, { actorIds: [kim] }]], null, 0, true],
  ])('%s', (_, policies, role, waited, expected) => {
    const requirements = asked(policies)
    expect(
      requirements &&
        mayReview(requirements.lines, { actorId: kim, roles: role === null ? null : [role as 'ADMIN'] }, waited),
    ).toBe(expected)
  })
})
