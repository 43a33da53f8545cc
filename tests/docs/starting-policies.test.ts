/** The policies that the console offers to start from, judged by the server's own functions. */
import { verticals } from '@countersign/contract/enums.ts'
import { PolicyBody } from '@countersign/contract/policy-body.ts'
import type { Json } from '@countersign/proof/canonical.ts'
import en from '@countersign/words/en/policies.json' with { type: 'json' }
import ko from '@countersign/words/ko/policies.json' with { type: 'json' }
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { everywhere, startingBody, startingsOf } from '../../apps/console/areas/policies/starting.ts'
import { requireSound } from '../../apps/server/features/evidence/policies/api.ts'
import { factsOfEvent, matchPolicies } from '../../apps/server/governance/policies.ts'
import { requirementsOf } from '../../apps/server/governance/requirements.ts'
import type { EventRow } from '../../apps/server/governance/rows.ts'
import { center, event } from '../../apps/server/governance/test/examples.ts'
import { startingTemplates } from '../../apps/server/verticals/action-types.ts'

describe.each(Object.entries({ en, ko }))('in %s', (_, words) => {
  const rows = [...everywhere, ...verticals].map((starting, at) => {
    const titles = { staff: words.titleStaff, director: words.titleDirector }
    const body = { scope: 'center' as const, ...startingBody(starting, words[`name${starting}`], titles) }
    return {
      center_id: 1,
      id: `0198c5f2-7d1a-7c3e-9b40-00000000000${at}`,
      version: 1,
      policy: JSON.stringify(body),
      digest: '',
    }
  })
  const askedFor = (type: string, input: Json, actor: EventRow['actor'] = { id: 'agent-7', type: 'ai_agent' }) => {
    const decided = event({ action: { type, input }, actor })
    const asked = requirementsOf(matchPolicies(rows, factsOfEvent(decided), center), null)
    return asked?.lines.map(({ steps }) =>
      steps.map(({ title, roles, count = 1 }) => [title ?? null, roles?.[0] ?? null, count]),
    )
  }

  it('they are sound', () => {
    for (const { policy } of rows) {
      const body = JSON.parse(policy)
      expect(Value.Check(PolicyBody, body)).toBe(true)
      expect(() => requireSound(body)).not.toThrow()
    }
  })

  it('a small refund needs one person, and a large one the director after them', () => {
    const one = [[null, null, 1]]
    expect(askedFor('refund.create', { amount: 500_000 })).toEqual([one])
    const line = [
      [words.titleStaff, null, 1],
      [words.titleDirector, 'ADMIN', 1],
    ]
    expect(askedFor('refund.create', { amount: 500_001 })).toEqual([one, line])
    // Leaving the amount out evades nothing.
    expect(askedFor('refund.create', {})).toEqual([one, line])
  })

  it('what a trade decides every week has a line, for people and agents, and two people for a dose', () => {
    const line = [
      [words.titleStaff, null, 1],
      [words.titleDirector, 'ADMIN', 1],
    ]
    const person = { id: 'actor-1', type: 'human' } as const
    const types = ['plan.adjust', 'service.end', 'tuition.refund', 'mentor.change', 'estimate.send']
    for (const type of types) {
      expect([type, askedFor(type, {}), askedFor(type, {}, person)]).toEqual([type, [line], [line]])
    }
    expect(askedFor('dose.adjust', {}, person)).toEqual([[[null, null, 2]]])
    expect(askedFor('order.place', { amount: 500_000 }, person)).toBeUndefined()
    expect(askedFor('order.place', { amount: 500_001 }, person)).toEqual([line])
  })

  it('that of its trade stands first, and has an action type with a name', () => {
    for (const vertical of verticals) {
      const [first] = startingsOf(vertical)
      expect(first).toBe(vertical)
      const { match } = startingBody(vertical, 'x', { staff: 'a', director: 'b' })
      expect(startingTemplates(vertical).map(({ type }) => type)).toEqual(
        expect.arrayContaining(match.actionTypes ?? ['-']),
      )
    }
  })

  it('data that leaves the center needs two people', () => {
    expect(askedFor('data.export', {})).toEqual([[[null, null, 2]]])
    expect(askedFor('data.read', {})).toBeUndefined()
  })
})
