import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { describe, expect, it } from 'vitest'
import { policyBody } from '../../../../governance/test/examples.ts'
import { openLines, sealedLines } from '../lines.ts'
import { candidatesOf } from '../people.ts'
import { type GivenApproval, linesNow } from '../turns.ts'

const since = '2026-11-15T09:00:00.000Z'
const after = (seconds: number) => new Date(Date.parse(since) + seconds * 1000).toISOString()
const line = (id: string, approval: PolicyBody['approval'], guards: PolicyBody['guards'] = { humanReview: true }) => ({
  ...{ id, version: 1, digest: '' },
  body: policyBody({ name: `Policy ${id}`, guards, ...(approval && { approval }) }),
})
const members = [
  { actor_id: 'kim', roles: ['ADMIN'] },
  { actor_id: 'lee', roles: ['INSTRUCTOR'] },
  { actor_id: 'park', roles: ['ADMIN'] },
  { actor_id: 'choi', roles: ['INSTRUCTOR'] },
] as const
const names = new Map(members.map(({ actor_id: id }) => [id, `${id}!`]))
/** `lee` and `choi` are one person; `park` stands in for `kim` where that is said. */
const families = new Map([
  ['lee', ['lee', 'choi']],
  ['choi', ['lee', 'choi']],
])
const candidates = candidatesOf(members, [], families)
const event = { actor: { id: 'agent-7', type: 'ai_agent' as const }, risk_score: null, recorded_by: 'key-1' }

const given = (by: string, seconds: number, overrides: Partial<GivenApproval> = {}): GivenApproval => ({
  ...{ position: 0, approver: { id: by, type: 'human' }, passkey_id: null, deputed: true, bound: true },
  ...{ result: 'approved', identity_level: 'session', identity_by: by, on_behalf_of: null, control: null },
  created_at: after(seconds),
  ...overrides,
})
const boxes = (
  policies: ReturnType<typeof line>[],
  approvals: readonly GivenApproval[],
  { at = 60, isMember = true, people = candidates } = {},
) => {
  const all = approvals.map((each, position) => ({ ...each, position }))
  const standing = linesNow({ event, since, approvals: all }, policies, people)
  return standing ? openLines(standing, people, isMember ? names : null, Date.parse(after(at))) : null
}
/** `0`: filled by the first approval; `·`: empty. The current step in brackets, with those who could fill it. */
const drawn = (lines: ReturnType<typeof boxes>) =>
  lines?.map(({ steps, full }) => {
    const texts = steps.map(({ places, current, people }) => {
      const seals = places.map(({ approval }) => approval ?? '·').join('')
      const who = people.map(({ actorId }) => actorId).join(' ')
      return current ? `[${seals}: ${who}]` : who ? `${seals}: ${who}` : seals
    })
    return `${texts.join(' ')}${full ? ' full' : ''}`
  })

describe('of a decision that waits', () => {
  const teacherThenOwner = line('a', {
    steps: [
      { title: '담당', roles: ['INSTRUCTOR'], escalateTo: { actorIds: ['kim'], afterSeconds: 100 } },
      { title: '원장', roles: ['ADMIN'], identity: 'passkey', delegated: true, count: 2 },
    ],
  })

  it('shows titles, levels, empty places, and who could fill them', () => {
    const [shown] = boxes([teacherThenOwner], []) ?? []
    expect(shown).toEqual({
      ...{ policyId: 'a', version: 1, name: 'Policy a', full: false, emergency: null },
      steps: [
        {
          ...{ title: '담당', delegated: false, identity: 'session', current: true, struck: [] },
          places: [{ approval: null, confirmation: null, by: null }],
          people: [
            { actorId: 'lee', name: 'lee!' },
            { actorId: 'choi', name: 'choi!' },
          ],
          peopleCount: 2,
        },
        {
          ...{ title: '원장', delegated: true, identity: 'passkey', current: false, struck: [] },
          places: [
            { approval: null, confirmation: null, by: null },
            { approval: null, confirmation: null, by: null },
          ],
          people: [
            { actorId: 'kim', name: 'kim!' },
            { actorId: 'park', name: 'park!' },
          ],
          peopleCount: 2,
        },
      ],
    })
  })

  it('moves on with each approval, and escalates from when a step became the current one', () => {
    const passkey = { identity_level: 'passkey' } as const
    expect(drawn(boxes([teacherThenOwner], [given('lee', 10)]))).toEqual(['0 [··: kim park]'])
    expect(drawn(boxes([teacherThenOwner], [given('lee', 10), given('kim', 20, passkey)]))).toEqual(['0 [1·: park]'])
    expect(
      drawn(boxes([teacherThenOwner], [given('lee', 10), given('kim', 20, passkey), given('park', 30, passkey)])),
    ).toEqual(['0 12 full'])
    const later = line('a', {
      steps: [{ roles: ['INSTRUCTOR'] }, { actorIds: ['park'], escalateTo: { actorIds: ['kim'], afterSeconds: 100 } }],
    })
    expect(drawn(boxes([later], [given('lee', 50)], { at: 149 }))).toEqual(['0 [·: park]'])
    expect(drawn(boxes([later], [given('lee', 50)], { at: 150 }))).toEqual(['0 [·: kim park]'])
  })

  it('leaves out approvals that do not count, and keeps the positions of the others', () => {
    const dual = line('a', undefined, { dualApproval: true })
    const takenBack = given('kim', 1, { taken_back_at: after(2) })
    const gone = given('former', 3)
    const ownKey = given('x', 4, { identity_level: 'claim', identity_by: 'key-1' })
    const claim = given('y', 5, { identity_level: 'claim', identity_by: 'key-2' })
    expect(drawn(boxes([dual], [takenBack, gone, ownKey, given('lee', 6)]))).toEqual(['[3·: kim park]'])
    // With the first member, earlier claims fill nothing.
    const byClaim = line('a', { identity: 'claim' }, { dualApproval: true })
    expect(drawn(boxes([byClaim], [ownKey, claim]))).toEqual(['[1·: kim lee park choi]'])
    expect(drawn(boxes([byClaim], [ownKey, claim, given('lee', 6)]))).toEqual(['[2·: kim park]'])
  })

  it('remembers what was judged when an approval was given', () => {
    const [first, second] = [
      line('a', { steps: [{}, { actorIds: ['kim'] }] }),
      line('b', { steps: [{ roles: ['ADMIN'] }] }),
    ]
    // Only `kim` can fill the last place, so they are kept for it.
    expect(drawn(boxes([first, second], [given('kim', 1)]))).toEqual(['[·: lee park choi] ·: kim', '0 full'])
    const admitted = [{ policyId: 'a', version: 1, step: 0, by: 'role', since: 3 }]
    const stated = given('kim', 1, { control: { admitted } as never })
    expect(drawn(boxes([first], [stated]))).toEqual(['0 [·: ]'])
  })

  it('counts a member and their deputy as one person, and shows whose place it is', () => {
    const people = candidatesOf(members, [{ actor_id: 'kim', deputy_id: 'lee' }], families)
    const step = line('a', { steps: [{ actorIds: ['kim'] }, {}] })
    const byDeputy = given('lee', 1, { on_behalf_of: 'kim' })
    expect(drawn(boxes([step], [byDeputy], { people }))).toEqual(['0 [·: park]'])
  })

  it('names nobody to a program, and ten people at most to a member', () => {
    const shown = boxes([line('a', undefined)], [], { isMember: false })
    expect(shown?.[0]?.steps[0]).toMatchObject({
      people: [],
      peopleCount: 0,
      places: [{ approval: null, confirmation: null, by: null }],
    })
    const crowd = Array.from({ length: 12 }, (_, at) => ({ actor_id: `m${at}`, roles: ['ADMIN'] as const }))
    const many = boxes([line('a', undefined)], [], { people: candidatesOf(crowd, [], new Map()) })
    expect(many?.[0]?.steps[0]).toMatchObject({ peopleCount: 12, people: { length: 10 } })
  })

  it('names at its step an approval that no longer counts', () => {
    const places = [
      { policyId: 'b', version: 1, step: 0, by: 'role' as const },
      { policyId: 'a', version: 1, step: 0, by: 'role' as const },
    ]
    const back = { control: { admitted: places }, taken_back_at: after(9) }
    const [shown] = boxes([teacherThenOwner], [given('lee', 5, back), given('choi', 20)]) ?? []
    expect(shown?.steps.map(({ struck }) => struck)).toEqual([[0], []])
    expect(shown?.steps[0]?.places).toEqual([{ approval: 1, confirmation: null, by: 'role' }])
    // Of another version nothing is said here.
    const older = { ...back, control: { admitted: [{ ...(places[1] as (typeof places)[0]), version: 2 }] } }
    expect(boxes([teacherThenOwner], [given('lee', 5, older)])?.[0]?.steps[0]?.struck).toEqual([])
  })

  it.each<[string, Partial<GivenApproval>]>([
    ['whose passkey was removed', { passkey_id: 'key', bound: false }],
    ['by the deputy of a member who has withdrawn that', { on_behalf_of: 'choi', deputed: false }],
    ['by a member who has left', { identity_by: 'former' }],
    ['below the level that is asked for now', { identity_level: 'session' }],
    ['by the actor of the decision', { approver: { id: 'Agent-7', type: 'human' } }],
  ])('strikes one %s, as the seal will', (_, overrides) => {
    const signed = line('a', { identity: 'passkey', steps: [{ roles: ['INSTRUCTOR'] }] })
    const admitted = [{ policyId: 'a', version: 1, step: 0, by: 'role' as const }]
    const one = { identity_level: 'passkey', passkey_id: 'key', control: { admitted } } as const
    expect(drawn(boxes([signed], [given('lee', 5, one)]))).toEqual(['0 full'])
    const approvals = [given('lee', 5, { ...one, ...overrides })]
    expect(drawn(boxes([signed], approvals))).toEqual(['[·: lee choi]'])
    expect(boxes([signed], approvals)?.[0]?.steps[0]?.struck).toEqual([0])
  })

  it('has none where no policy asks', () => {
    expect(boxes([line('a', undefined, { riskThreshold: 1 })], [])).toHaveLength(1)
    expect(boxes([line('a', undefined, { policyRequired: true })], [])).toBeNull()
  })
})

describe('of a sealed decision', () => {
  const policies = [
    line('a', { steps: [{ title: '담당' }, { title: '원장', roles: ['ADMIN'] }] }),
    line('b', { roles: ['ADMIN'] }),
    line('c', undefined, { policyRequired: true }),
  ]
  const named = policies.map(({ id, version }) => ({ id, version }))
  const place = (policyId: string, step: number, by = 'role') => ({ policyId, version: 1, step, by, since: 1 })
  const sealed = (approvals: Parameters<typeof sealedLines>[0]['approvals'], texts = policies) =>
    sealedLines({ policies: named, riskScore: null, approvals }, texts)

  it('are those of the seal, without those whose turn it would be', () => {
    const lines = sealed([
      { result: 'approved', void: 'order', admitted: [] },
      { result: 'approved', admitted: [place('a', 0, 'person')] },
      { result: 'approved', admitted: [place('a', 1), place('b', 0)] },
    ])
    expect(drawn(lines)).toEqual(['1 2 full', '2 full'])
    expect(lines[0]).toMatchObject({ name: 'Policy a', steps: [{ places: [{ by: 'person' }] }, { title: '원장' }] })
  })

  it('name at its step an approval that did not count', () => {
    const approvals = [
      { result: 'approved', void: 'role' },
      { result: 'approved', admitted: [place('b', 0)] },
    ]
    const given = new Map([[0, [place('a', 1)]]])
    const lines = sealedLines({ policies: named, riskScore: null, approvals }, policies, [], given)
    expect(lines[0]?.steps.map(({ struck }) => struck)).toEqual([[], [0]])
  })

  it('of a refusal show what was approved before it', () => {
    const lines = sealed([{ result: 'approved', admitted: [place('a', 0)] }, { result: 'rejected' }])
    expect(drawn(lines)).toEqual(['0 ·', '·'])
    expect(drawn(sealed([{ result: 'rejected' }]))).toEqual(['· ·', '·'])
  })

  it('are none where places were not recorded yet', () => {
    expect(sealed([{ result: 'approved' }])).toEqual([])
    expect(sealed([{ result: 'approved', admitted: [{}] }])).toEqual([])
  })

  it('show the filled places of a version whose text is gone', () => {
    const lines = sealed([{ result: 'approved', admitted: [place('a', 0), place('b', 0)] }], [policies[1] as never])
    expect(lines[0]).toMatchObject({ policyId: 'a', name: null, steps: [{ places: [{ approval: 0, by: 'role' }] }] })
    expect(drawn(lines)).toEqual(['0 full', '0 full'])
  })
})
