/** Who confirms an approval that was given in an emergency. */
import { describe, expect, it } from 'vitest'
import { Problem } from '../../lib/problem.ts'
import type { MemberVoucher } from '../approving.ts'
import { confirmingOf, type GivenConfirmation, type HeldPlace, judgeConfirmation, stateAt } from '../confirming.ts'
import type { Candidate } from '../line.ts'
import { policyBody } from './examples.ts'

const at = '2026-11-19T09:00:00.000Z'
const applied = (id: string, approval: object) => ({
  ...{ id, version: 1, digest: '' },
  body: policyBody({ guards: { humanReview: true }, approval }),
})
const people: readonly Candidate[] = (
  [
    ['kim', 'ADMIN'],
    ['park', 'ADMIN'],
    ['lee', 'INSTRUCTOR'],
    ['choi', 'INSTRUCTOR'],
  ] as const
).map(([actorId, role]) => ({ actorId, roles: [role] }))

/** Of the line a teacher, then an administrator: `lee` stood for both. */
const urgent = applied('a', {
  identity: 'session',
  steps: [{ roles: ['INSTRUCTOR'] }, { roles: ['ADMIN'] }],
  emergency: { actorIds: ['lee'], confirmWithinSeconds: 600 },
})
const held: readonly HeldPlace[] = [0, 1].map((step) => ({
  ...{ policyId: 'a', version: 1, step, by: 'emergency' },
  own: ['lee'],
}))
const open = (policies = [urgent], confirmations: readonly GivenConfirmation[] = [], used_by = ['lee']) => {
  const confirming = confirmingOf(
    { used_by, places: held, confirmations },
    { policies, riskScore: null, actorId: 'agent-7', sealedAt: at },
  )
  if (!confirming) throw new Error('nothing to confirm')
  return confirming
}
const member = (actorId: string, overrides: Partial<MemberVoucher> = {}): MemberVoucher => ({
  ...{ level: 'session', actorId, membershipId: '', family: [actorId], onBehalfOf: null },
  roles: people.find((each) => each.actorId === actorId)?.roles ?? ['INSTRUCTOR'],
  ...overrides,
})
const judged = (confirming: ReturnType<typeof open>, voucher: MemberVoucher, result = 'confirmed') => {
  try {
    const { places, complete } = judgeConfirmation(confirming, {
      ...{ result: result as 'confirmed', vouchers: [voucher], people, at },
    })
    return [places.map(({ step }) => step).join(), complete]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { identity, reason, turn } = error.details as Record<string, never>
    return [error.code, identity ?? (turn as { step: number } | undefined)?.step ?? reason]
  }
}

describe('it is confirmed', () => {
  it('in the order of the line, by others', () => {
    expect(judged(open(), member('kim'))).toEqual(['CONFLICT', 1])
    expect(judged(open(), member('choi'))).toEqual(['0', false])
    const first = {
      by_actor: 'choi',
      on_behalf_of: null,
      places: [{ ...held[0], by: 'role' }],
      at,
      result: 'confirmed',
    }
    const second = open([urgent], [first as unknown as GivenConfirmation])
    expect(judged(second, member('kim'))).toEqual(['1', true])
    expect(judged(second, member('choi'))).toEqual(['CONFLICT', 'confirmedByYou'])
  })

  it.each<[string, MemberVoucher]>([
    ['whoever used it', member('lee')],
    ['another account of theirs', member('choi', { family: ['choi', 'lee'] })],
    ['their deputy', member('choi', { together: ['lee'] })],
    ['somebody in their place', member('choi', { onBehalfOf: member('lee') })],
    ['them in the place of another', member('lee', { onBehalfOf: member('choi') })],
  ])('not by %s, who does not object either', (_, voucher) => {
    expect(judged(open(), voucher)).toEqual(['POLICY_VIOLATION', 'ownEmergency'])
    expect(judged(open(), voucher, 'objected')).toEqual(['POLICY_VIOLATION', 'ownEmergency'])
  })

  it('not by the actor of the decision', () => {
    const asked = { ...open(), asked: { ...open().asked, actor: 'choi' } }
    expect(judged(asked, member('choi'))).toEqual(['POLICY_VIOLATION', 'notInLine'])
    expect(judged(asked, member('choi'), 'objected')).toEqual(['POLICY_VIOLATION', 'notInLine'])
  })

  it('at the highest level of all policies that asked', () => {
    const strict = applied('b', { identity: 'passkey', roles: ['ADMIN'] })
    const confirming = open([urgent, strict])
    expect(judged(confirming, member('choi'))).toEqual(['POLICY_VIOLATION', 'passkey'])
    expect(judged(confirming, member('choi', { level: 'passkey' }))).toEqual(['0', false])
  })

  it('by a session of the person, not one that a provider or a custom domain vouches for', () => {
    for (const result of ['confirmed', 'objected']) {
      expect(judged(open(), member('choi', { borrowed: true }), result)).toEqual(['FORBIDDEN', 'stepUp'])
    }
    expect(judged(open(), member('choi', { borrowed: true, level: 'passkey' }))).toEqual(['0', false])
  })
})

it('is over from the moment at which its time is, whether or not that is sealed', () => {
  const row = { state: 'open', confirm_by: at } as const
  expect(stateAt(row, at)).toBe('open')
  expect(stateAt(row, '2026-11-19T09:00:00.001Z')).toBe('unconfirmed')
  expect(stateAt({ ...row, state: 'confirmed' }, '2027-01-01T00:00:00.000Z')).toBe('confirmed')
})
