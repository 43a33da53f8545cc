import type { ApprovalFacts } from '@countersign/proof/decision-facts.ts'
import { describe, expect, it } from 'vitest'
import { nameToCarve, sealLevelOf } from '../seal-level.ts'

const approval = (level: ApprovalFacts['level']): ApprovalFacts => ({
  level,
  result: 'approved',
  approver: 'Ada (u1)',
  by: null,
  onBehalfOf: null,
})

describe('a seal', () => {
  it.each([
    ['claim', 'claim', 'claim'],
    ['session', 'session', 'claim'],
    ['passkey', 'passkey', 'claim'],
    ['system', 'system', 'system'],
  ] as const)('of the level %s is %s where the file holds, and %s where nobody vouches for it', (level, held, not) => {
    expect(sealLevelOf(approval(level), 'holds', true)).toBe(held)
    for (const standing of ['unvouched', 'altered', 'not-a-proof'] as const) {
      expect(sealLevelOf(approval(level), standing, true)).toBe(not)
    }
  })

  it('is filled only if the signature of the passkey was verified', () => {
    expect(sealLevelOf(approval('passkey'), 'holds', false)).toBe('claim')
  })

  it.each([
    ['Ada (u1)', 'Ada'],
    ['박서연 (usr_01)', '박서연'],
    ['Ada (the first) (u1)', 'Ada (the first)'],
    ['(u1)', '(u1)'],
    ['u1', 'u1'],
    [null, ''],
  ])('of %j carries the name %j', (approver, name) => {
    expect(nameToCarve(approver)).toBe(name)
  })
})
