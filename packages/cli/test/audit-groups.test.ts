import { describe, expect, it } from 'vitest'
import { audited } from './audited.ts'
import { changeGroup, changePolicy, type Filled, policyOf, seal } from './rules-chain.ts'

const { own, audit, found } = audited()
const text = {
  ...{ name: 'Board', match: {}, guards: { humanReview: true }, scope: 'center' },
  approval: { steps: [{ roles: ['ADMIN'] }, { groupIds: ['grp_a'] }] },
}
const policy = policyOf('pol_a', 1, text)
const second = (at: number) => new Date(Date.UTC(2026, 0, 1) + 1000 * at).toISOString()
const place = (step: number, by: 'role' | 'group', since: number) => [
  { policyId: 'pol_a', version: 1, step, by, since },
]
const first: Filled = { by: 'kim', admitted: place(0, 'role', 0) }
const member = (since: number, by = 'lee', more: object = {}): Filled => ({
  ...{ by, admitted: place(1, 'group', since) },
  ...more,
})
const sealed = (at: number, ...approvals: Filled[]) =>
  seal(own.proof, { index: 1, inForce: [policy] }, { at, named: [policy], approvals: [first, ...approvals] })

/** The policy is entry 0 of the history, the group with these people entry 1. */
function board(...people: readonly { actorId: string; countsFrom: string; since?: number }[]) {
  changePolicy(own.history, policy, { text, at: 0 })
  changeGroup(own.history, people, 1)
}
const lee = { actorId: 'lee', countsFrom: second(1) }

describe('places of a group', () => {
  it('hold where the person was in it when the decision was sealed, or the member whose deputy approved', async () => {
    board(lee)
    sealed(200, member(1))
    sealed(210, member(1, 'park', { onBehalfOf: 'lee' }))
    sealed(220, member(1), { by: 'choi', admitted: place(1, 'role', 0) })
    // Struck out: it fills nothing.
    sealed(230, member(0, 'stranger', { void: 'role' }), member(1))
    expect(await found('groups')).toEqual({
      code: 0,
      checks: [{ status: 'yes', code: 'groups-hold', places: 4 }],
    })
    expect((await audit()).out).toContain('Places filled by members of a group: 4.')
    expect((await audit('--lang', 'ko')).out).toContain('그룹 구성원이 승인한 자리 4건')
  })

  it.each<[string, () => void]>([
    ['was never in it', () => sealed(200, member(1, 'stranger'))],
    ['is only the deputy of somebody in it', () => sealed(200, member(1, 'lee', { onBehalfOf: 'choi' }))],
    ['does not count yet', () => sealed(200, member(1, 'late'))],
    ['was added by a later entry than the seal says', () => sealed(200, member(0))],
    ['approved before the last one did', () => sealed(200, member(1, 'stranger'), { ...first, by: 'choi' })],
    [
      'was taken out before',
      () => {
        changeGroup(own.history, [], 100)
        sealed(200, member(1))
      },
    ],
  ])('are found out where the person %s', async (_, forge) => {
    board(lee, { actorId: 'late', countsFrom: second(10_000) })
    forge()
    expect(await found('groups')).toEqual({
      code: 1,
      checks: [{ status: 'no', code: 'groups-stranger', index: 0, policy: 'pol_a', step: 2 }],
    })
    expect((await audit()).out).toContain('NOT IN THE GROUP')
  })

  it('hold where the person stayed in the group, was confirmed, or left it a moment before', async () => {
    board(lee, { actorId: 'late', countsFrom: second(10_000) })
    changeGroup(
      own.history,
      [
        { ...lee, since: 1 },
        { actorId: 'late', countsFrom: second(100) },
      ],
      100,
    )
    sealed(200, member(1))
    sealed(210, member(2, 'late'))
    changeGroup(own.history, [], 300)
    sealed(310, member(1))
    expect(await found('groups')).toMatchObject({ code: 0, checks: [{ code: 'groups-hold', places: 3 }] })
  })

  it('are not known where the person is redacted, or the group is in no signed history', async () => {
    board(lee)
    sealed(200, member(1))
    const [line] = own.proof.lines as [(typeof own.proof.lines)[number]]
    const { 'approval.approver.id': _, ...values } = line.values ?? {}
    own.proof.lines[0] = { ...line, values }
    sealed(210, member(7))
    expect(await found('groups')).toMatchObject({
      code: 0,
      checks: [{ status: 'unknown', code: 'groups-unknown', places: 2, unknown: 2 }],
    })
  })
})
