/** Until when an approval could be used, and what an executor reported. */
import { describe, expect, it } from 'vitest'
import type { Control } from '../control.ts'
import { parsePolicy } from '../trust-policy.ts'
import { verifyProof } from '../verify-proof.ts'
import { anchored, policyText } from './log.ts'
import { usedDecision } from './proof-kinds.ts'

const policy = parsePolicy(policyText)
const judged = (control: Partial<Control>, outcome?: string) =>
  verifyProof(JSON.parse(JSON.stringify(anchored(usedDecision(control, outcome)))), policy)
/** The consumption is sealed a moment after it. */
const [before, after] = ['2038-01-01T00:00:00.000Z', '2041-01-01T00:00:00.000Z']

describe('a decision that was taken', () => {
  it('in time holds without a warning, and says what was reported and that it is not proved', () => {
    const { standing, warnings, limits, facts } = judged({ usableUntil: after }, 'succeeded')
    expect([standing, warnings]).toEqual(['holds', []])
    expect(facts.decision?.usableUntil).toBe(after)
    expect(facts.execution).toMatchObject({ outcome: 'succeeded', late: false })
    expect(limits).toContain('executed')
  })

  it('late holds with a warning: nothing is altered', () => {
    const { standing, ok, warnings, facts } = judged({ usableUntil: before })
    expect([standing, ok, warnings]).toEqual(['holds', true, ['late']])
    expect(facts.execution).toMatchObject({ outcome: null, late: true })
  })

  it('without an end is never late', () => {
    const { standing, warnings, facts } = judged({})
    expect([standing, warnings, facts.decision?.usableUntil]).toEqual(['holds', [], null])
  })
})

it('an end that is no time does not hold', () => {
  for (const usableUntil of ['tomorrow', 4, null, '2026-11-18']) {
    const { standing, problems } = judged({ usableUntil } as never)
    expect([standing, problems.map(({ path }) => path)]).toEqual(['altered', ['evidence.control.usableUntil']])
  }
})
