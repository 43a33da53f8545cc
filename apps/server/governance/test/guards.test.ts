import { describe, expect, it } from 'vitest'
import { judgeDecision, strictest } from '../requirements.ts'
import { applied, complete, refusal, withoutReason } from './examples.ts'

describe('the strictest value of each guard', () => {
  const rulesOf = (...guards: Parameters<typeof applied>[0][]) => {
    const policies = guards.map((each) => applied(each))
    const rules = strictest(policies)
    return Object.fromEntries(
      Object.entries(rules).map(([guard, { value, policy }]) => [guard, [value, policies.indexOf(policy)]]),
    )
  }

  it('is the higher level, the lower threshold or the required review, with the policy that sets it', () => {
    const lax = { minimumEvidenceLevel: 'DRAFT', riskThreshold: 0.9, humanReview: false, dualApproval: true } as const
    const strict = { minimumEvidenceLevel: 'AUDIT_READY', riskThreshold: 0.1, humanReview: true } as const
    const middle = { minimumEvidenceLevel: 'DOCUMENTED', riskThreshold: 0.5, policyRequired: true } as const
    expect(rulesOf(lax, strict, middle)).toEqual({
      minimumEvidenceLevel: ['AUDIT_READY', 1],
      riskThreshold: [0.1, 1],
      humanReview: [true, 1],
      dualApproval: [true, 0],
      policyRequired: [true, 2],
    })
    expect(rulesOf(strict, middle, lax)).toMatchObject({ minimumEvidenceLevel: ['AUDIT_READY', 0] })
    expect(rulesOf(middle, lax, strict)).toMatchObject({ riskThreshold: [0.1, 2] })
  })

  it('is a threshold of 0 among thresholds, and absent without a guard', () => {
    expect(rulesOf({ riskThreshold: 0.2 }, { riskThreshold: 0 })).toEqual({ riskThreshold: [0, 1] })
    expect(rulesOf({ humanReview: false, dualApproval: false, policyRequired: false })).toEqual({})
    expect(rulesOf()).toEqual({})
  })
})

describe('a decision', () => {
  const judged = (guards: Parameters<typeof applied>[0][], riskScore: number | null = null, sixW = complete) =>
    judgeDecision(
      guards.map((each) => applied(each)),
      sixW,
      riskScore,
    )

  it.each([
    ['no policy', [], 'completed'],
    ['human review', [{ humanReview: true }], 'approval_required'],
    ['human review that is switched off', [{ humanReview: false }], 'completed'],
    ['two approvals', [{ dualApproval: true }], 'approval_required'],
    ['AUDIT_READY, which only an approval gives', [{ minimumEvidenceLevel: 'AUDIT_READY' }], 'approval_required'],
    ['DOCUMENTED', [{ minimumEvidenceLevel: 'DOCUMENTED' }], 'completed'],
    [
      'two policies of which one requires review',
      [{ minimumEvidenceLevel: 'DRAFT' }, { humanReview: true }],
      'approval_required',
    ],
  ] as const)('under %s', (_, guards, expected) => {
    expect(judged([...guards])).toBe(expected)
  })

  it.each([
    [0.4, 'completed'],
    [0.5, 'completed'],
    [0.500001, 'approval_required'],
    [1, 'approval_required'],
    // An unstated risk counts as high.
    [null, 'approval_required'],
  ] as const)('with the risk %s under a threshold of 0.5: %s', (risk, expected) => {
    expect(judged([{ riskThreshold: 0.5 }], risk)).toBe(expected)
  })

  it('without a reason is DRAFT, below the required level', () => {
    const policy = applied({ minimumEvidenceLevel: 'DOCUMENTED' }, 'Say why')
    expect(refusal(() => judgeDecision([policy], withoutReason, null))).toEqual({
      code: 'POLICY_VIOLATION',
      message:
        'The policy "Say why" refuses this: the evidence level is only DRAFT, because the decision is missing "why". Add what\'s missing, and record the decision again.',
      policyId: policy.id,
      rule: 'minimumEvidenceLevel: "DOCUMENTED"',
      guard: 'minimumEvidenceLevel',
      reason: 'minimumEvidenceLevel',
    })
    expect(judged([{ minimumEvidenceLevel: 'DRAFT' }], null, withoutReason)).toBe('completed')
  })

  it('that no other policy covers is refused where one is required', () => {
    const required = applied({ policyRequired: true })
    expect(refusal(() => judgeDecision([required], complete, null))).toMatchObject({
      code: 'POLICY_VIOLATION',
      policyId: required.id,
      rule: 'policyRequired: true',
      guard: 'policyRequired',
    })
    expect(judgeDecision([required, applied({ riskThreshold: 1 })], complete, 0)).toBe('completed')
    // Two policies that only require a policy do not satisfy each other.
    expect(refusal(() => judgeDecision([required, applied({ policyRequired: true })], complete, null))).toMatchObject({
      guard: 'policyRequired',
    })
  })
})
