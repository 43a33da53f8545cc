import type { RequiredIdentity } from '@countersign/contract/enums.ts'
import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { describe, expect, it } from 'vitest'
import { judgeApproval, refuseReservedId } from '../approvals.ts'
import type { Approving, KeyVoucher, MemberVoucher } from '../approving.ts'
import { applied, complete, event, refusal, withoutReason } from './examples.ts'

type Guards = PolicyBody['guards']
type Earlier = Approving['earlier'][number]

const [kim, lee, park] = ['kim', 'lee', 'park'].map((id) => `0198c5f2-7d1a-7c3e-9b40-00000000${id.length}${id}`) as [
  string,
  string,
  string,
]
const key = ({ by = 'key_approver', ...overrides }: Partial<KeyVoucher> = {}): KeyVoucher => ({
  level: 'claim',
  by,
  line: [by],
  maySpeak: true,
  boundTo: null,
  ...overrides,
})
const person = (actorId: string, ...family: string[]) => ({
  actorId,
  membershipId: actorId,
  roles: ['INSTRUCTOR'] as const,
  family: [actorId, ...family],
})
const member = (actorId: string, overrides: Partial<MemberVoucher> = {}): MemberVoucher => ({
  level: 'session',
  ...person(actorId),
  onBehalfOf: null,
  ...overrides,
})
const earlier = (id: string, overrides: Partial<Earlier> = {}): Earlier => ({
  position: 0,
  passkey_id: null,
  approver: { id, type: 'human' },
  result: 'approved',
  identity_level: 'session',
  identity_by: id,
  on_behalf_of: null,
  ...overrides,
})
const claimed = (id: string, by: string): Earlier => earlier(id, { identity_level: 'claim', identity_by: by })

const recorded = event({ recorded_by: 'key_recorder', actor: { id: 'agent-7', type: 'ai_agent' } })
const approving = (overrides: Partial<Approving> = {}): Approving => {
  const voucher = overrides.voucher ?? member(kim)
  const id = voucher.level === 'claim' ? 'alice' : voucher.actorId
  return {
    approver: { id, type: 'human' },
    voucher,
    event: recorded,
    earlier: [],
    standing: null,
    waited: 0,
    ...overrides,
  }
}
const under = (guards: Guards, identity: RequiredIdentity | null, approval: PolicyBody['approval'] = {}) =>
  applied(guards, 'A policy', identity === null ? approval : { identity, ...approval })
const judged = (policy: Parameters<typeof under>, overrides: Partial<Approving> = {}, sixW = complete) =>
  judgeApproval([under(...policy)], sixW, approving(overrides)).verdict

const asking: [string, Guards][] = [
  ['humanReview', { humanReview: true }],
  ['riskThreshold', { riskThreshold: 0.3 }],
  ['dualApproval', { dualApproval: true }],
  ['minimumEvidenceLevel', { minimumEvidenceLevel: 'AUDIT_READY' }],
]

describe('where no policy asks', () => {
  it.each<[string, Partial<Approving>]>([
    ['the key that recorded the decision', { voucher: key({ by: 'key_recorder', maySpeak: false }) }],
    ['a system', { voucher: key(), approver: { id: 'robot', type: 'system' } }],
    ['the actor itself', { voucher: key(), approver: { id: 'agent-7', type: 'human' } }],
    [
      'the same approver again, after the policy was withdrawn',
      { voucher: key(), earlier: [claimed('alice', 'key_approver')] },
    ],
  ])('%s seals', (_, overrides) => {
    expect(judgeApproval([], complete, approving(overrides)).verdict).toBe('seals')
    expect(judged([{ riskThreshold: 0.5 }, null], { ...overrides, event: { ...recorded, risk_score: 0.5 } })).toBe(
      'seals',
    )
  })
})

describe.each(asking)('what %s asks for', (guard, guards) => {
  const verdict = guard === 'dualApproval' ? 'first' : 'seals'

  it('is given by a signed-in member, and by a key where the policy accepts claims', () => {
    expect(judged([guards, null])).toBe(verdict)
    expect(judged([guards, 'claim'])).toBe(verdict)
    expect(judged([guards, 'claim'], { voucher: key() })).toBe(verdict)
  })

  it.each<[string, RequiredIdentity | null, Partial<Approving>, RequiredIdentity | undefined]>([
    ['a claim, by default', null, { voucher: key() }, 'session'],
    ['a claim, where a session is asked for', 'session', { voucher: key() }, 'session'],
    ['a session, where a passkey is asked for', 'passkey', {}, 'passkey'],
    ['a key without the scope', 'claim', { voucher: key({ maySpeak: false }) }, 'claim'],
    ['the key that recorded the decision', 'claim', { voucher: key({ by: 'key_recorder' }) }, 'claim'],
    [
      'a key of a decision whose recorder is unknown',
      'claim',
      { voucher: key(), event: { ...recorded, recorded_by: null } },
      'claim',
    ],
    [
      'a key that replaces the one that recorded the decision',
      'claim',
      { voucher: key({ by: 'key_next', line: ['key_next', 'key_recorder'] }) },
      'claim',
    ],
    ['a key that is bound to the actor', 'claim', { voucher: key({ boundTo: { id: 'Agent-7' } }) }, 'claim'],
    ['a system that a key names', 'claim', { voucher: key(), approver: { id: 'agent-7', type: 'system' } }, undefined],
    ['a service that a key names', 'claim', { voucher: key(), approver: { id: 'bob', type: 'service' } }, undefined],
    ['an invisible name', 'claim', { voucher: key(), approver: { id: '\u200b', type: 'human' } }, undefined],
    ['the actor', 'claim', { voucher: key(), approver: { id: 'agent-7', type: 'human' } }, undefined],
    ['the actor in capitals', 'claim', { voucher: key(), approver: { id: 'Agent-7', type: 'human' } }, undefined],
    [
      'the actor with an invisible character',
      'claim',
      { voucher: key(), approver: { id: 'agent\u200b-7', type: 'human' } },
      undefined,
    ],
    [
      'the member who decided',
      null,
      { event: { ...recorded, actor: { id: kim.toUpperCase(), type: 'human' } } },
      undefined,
    ],
    [
      'a relative account of the member who decided',
      null,
      { voucher: member(lee, person(lee, kim)), event: { ...recorded, actor: { id: kim, type: 'human' } } },
      undefined,
    ],
    [
      'the deputy of the member who decided',
      null,
      { voucher: member(lee, { onBehalfOf: person(kim) }), event: { ...recorded, actor: { id: kim, type: 'human' } } },
      undefined,
    ],
  ])('is refused to %s', (_, identity, overrides, needed) => {
    const refused = refusal(() => judged([guards, identity], overrides))
    expect(refused).toMatchObject({ code: 'POLICY_VIOLATION', guard })
    expect(refused && 'identity' in refused ? refused.identity : undefined).toBe(needed)
  })
})

describe('the approvers that a policy names', () => {
  const admins = { roles: ['ADMIN'] } as PolicyBody['approval']
  const review = { humanReview: true }

  it.each<[string, RequiredIdentity | null, PolicyBody['approval'], Partial<Approving>, boolean]>([
    ['a role that the member has', null, { roles: ['INSTRUCTOR'] }, {}, true],
    ['a role that the member lacks', null, admins, {}, false],
    ['a role, for a claim', 'claim', admins, { voucher: key() }, false],
    ['a member', null, { actorIds: [kim] }, {}, true],
    ['another member', null, { actorIds: [lee] }, {}, false],
    [
      'the member whose deputy approves',
      null,
      { actorIds: [lee] },
      { voucher: member(kim, { onBehalfOf: person(lee) }) },
      true,
    ],
    [
      'a member whom a key names',
      'claim',
      { actorIds: [kim] },
      { voucher: key(), approver: { id: kim, type: 'human' } },
      true,
    ],
    [
      'a further member, too early',
      null,
      { ...admins, escalateTo: { actorIds: [kim], afterSeconds: 60 } },
      { waited: 59 },
      false,
    ],
    [
      'a further member, in time',
      null,
      { ...admins, escalateTo: { actorIds: [kim], afterSeconds: 60 } },
      { waited: 60 },
      true,
    ],
  ])('%s', (_, identity, approval, overrides, allowed) => {
    const refused = refusal(() => judged([review, identity, approval], overrides))
    expect(refused).toEqual(
      allowed ? null : expect.objectContaining({ code: 'POLICY_VIOLATION', guard: 'humanReview' }),
    )
  })

  it("are asked by each policy for itself: one approval fills the places that are its person's, and others the rest", () => {
    const policies = [
      applied(review, 'All of them'),
      { ...applied({ dualApproval: true }, 'Admins', admins), id: 'pol_2' },
    ]
    const judgedNow = judgeApproval(policies, complete, approving())
    expect(judgedNow).toMatchObject({ verdict: 'first', places: [{ policyId: policies[0]?.id, step: 0, by: 'role' }] })
    const admin = approving({ voucher: member(lee, { roles: ['ADMIN'] }), earlier: [earlier(kim)] })
    expect(judgeApproval(policies, complete, admin)).toMatchObject({
      verdict: 'first',
      places: [{ policyId: 'pol_2', step: 0, by: 'role' }],
      earlier: [{ void: null, places: [{ policyId: policies[0]?.id }] }],
    })
  })

  it('a claim fills no place beside those of a member, in another line either', () => {
    const policies = [under(review, 'claim'), { ...under(review, 'claim', admins), id: 'pol_2' }]
    const byKey = approving({ voucher: key(), earlier: [earlier(kim)] })
    expect(refusal(() => judgeApproval(policies, complete, byKey))).toMatchObject({ identity: 'session' })
  })

  it('has the guard of the policy that asks for the higher level', () => {
    const policies = [under(review, 'claim'), under({ riskThreshold: 0.1 }, 'session')]
    expect(refusal(() => judgeApproval(policies, complete, approving({ voucher: key() })))).toMatchObject({
      guard: 'riskThreshold',
      identity: 'session',
      policyId: policies[1]?.id,
    })
  })
})

describe('two approvals', () => {
  const second = (identity: RequiredIdentity | null, overrides: Partial<Approving>) =>
    judged([{ dualApproval: true }, identity], overrides)

  it.each<[string, RequiredIdentity | null, Partial<Approving>]>([
    ['of two members', null, { voucher: member(lee), earlier: [earlier(kim)] }],
    [
      'of two people through two keys',
      'claim',
      {
        voucher: key({ by: 'key_other' }),
        approver: { id: 'bob', type: 'human' },
        earlier: [claimed('alice', 'key_approver')],
      },
    ],
    [
      'of two members, after a claim that does not count',
      'claim',
      { voucher: member(lee), earlier: [claimed('alice', 'key_approver'), earlier(kim)] },
    ],
  ])('%s seal', (_, identity, overrides) => {
    expect(second(identity, overrides)).toBe('seals')
  })

  it.each<[string, RequiredIdentity | null, Partial<Approving>]>([
    ['of one member', null, { earlier: [earlier(kim)] }],
    [
      'of one key under two names',
      'claim',
      { voucher: key(), approver: { id: 'bob', type: 'human' }, earlier: [claimed('alice', 'key_approver')] },
    ],
    [
      'of one key and the one that replaces it, under two names',
      'claim',
      {
        voucher: key({ by: 'key_next', line: ['key_next', 'key_approver'] }),
        approver: { id: 'bob', type: 'human' },
        earlier: [claimed('alice', 'key_approver')],
      },
    ],
    [
      'of one name through two keys',
      'claim',
      { voucher: key({ by: 'key_other' }), earlier: [claimed('alice', 'key_approver')] },
    ],
    [
      'of one name with an invisible character',
      'claim',
      {
        voucher: key({ by: 'key_other' }),
        approver: { id: 'alice\u200b', type: 'human' },
        earlier: [claimed('alice', 'key_approver')],
      },
    ],
    [
      'of one name in capitals',
      'claim',
      {
        voucher: key({ by: 'key_other' }),
        approver: { id: 'ALICE', type: 'human' },
        earlier: [claimed('alice', 'key_approver')],
      },
    ],
    ['of one actor family', null, { voucher: member(lee, person(lee, kim)), earlier: [earlier(kim)] }],
    [
      'of a person and their deputy',
      null,
      { voucher: member(lee, { onBehalfOf: person(kim) }), earlier: [earlier(kim)] },
    ],
    ['of a deputy and then the person', null, { earlier: [earlier(lee, { on_behalf_of: kim })] }],
    [
      'of two deputies of one person',
      null,
      { voucher: member(park, { onBehalfOf: person(kim) }), earlier: [earlier(lee, { on_behalf_of: kim })] },
    ],
  ])('%s are a conflict', (_, identity, overrides) => {
    expect(refusal(() => second(identity, overrides))).toMatchObject({ code: 'CONFLICT' })
  })

  it('of which one is by a member are both by members', () => {
    const byKey = { voucher: key(), earlier: [earlier(kim)] }
    expect(refusal(() => second('claim', byKey))).toMatchObject({ guard: 'dualApproval', identity: 'session' })
    expect(second('claim', { voucher: member(lee), earlier: [claimed('alice', 'key_approver')] })).toBe('first')
  })

  it.each<[string, Earlier]>([
    ['a claim, after the policy came to ask for members', claimed('alice', 'key_approver')],
    ['a claim of the key that recorded the decision', claimed('alice', 'key_recorder')],
    ['an approval by a system', earlier('robot', { approver: { id: 'robot', type: 'system' } })],
    ['an approval by the actor', earlier('Agent-7')],
  ])('do not count %s', (_, first) => {
    expect(second(null, { voucher: member(lee), earlier: [first] })).toBe('first')
  })
})

describe('what an approval was given for', () => {
  const review = { humanReview: true }
  const line = (id: string, guards: Guards, approval: PolicyBody['approval']) => ({
    ...applied(guards, id, approval),
    id,
  })
  const members = new Map<string, readonly ('ADMIN' | 'INSTRUCTOR')[]>([
    [kim, ['ADMIN']],
    [lee, ['ADMIN']],
    [park, ['INSTRUCTOR']],
  ])
  const standing = { members, withdrawn: new Set<number>(), isBound: () => true }
  const took = (...names: string[]) => names.map((policyId) => ({ policyId, version: 1, step: 0, by: 'role' as const }))

  it('stays so when its person gets a higher role: two administrators are asked for', () => {
    const policies = [line('pol_1', review, {}), line('pol_2', { dualApproval: true }, { roles: ['ADMIN'] })]
    const given = earlier(kim, {
      control: { admitted: took('pol_1'), seen: ['pol_1 1', 'pol_2 1'], roles: ['INSTRUCTOR'] },
    })
    const now = approving({ voucher: member(lee, { roles: ['ADMIN'] }), earlier: [given], standing })
    expect(judgeApproval(policies, complete, now).verdict).toBe('first')
    // Nor does it fill a place of a line that is newer.
    const newer = { ...given, control: { ...given.control, seen: ['pol_1 1'] } }
    expect(judgeApproval(policies, complete, { ...now, earlier: [newer] }).verdict).toBe('first')
  })

  it('stays so for whoever approved as the deputy of one who has a place', () => {
    const policies = [line('pol_1', { dualApproval: true }, { roles: ['ADMIN'] }), line('pol_2', review, {})]
    const seen = ['pol_1 1', 'pol_2 1']
    const first = earlier(kim, { control: { admitted: took('pol_1'), seen, roles: ['ADMIN'] } })
    const deputy = earlier(lee, { position: 1, control: { admitted: took('pol_2'), seen, roles: ['ADMIN'] } })
    const now = approving({ voucher: member(park), earlier: [first, deputy], standing })
    expect(refusal(() => judgeApproval(policies, complete, now))).not.toBeNull()
  })

  it('stays so for the one who approved alone: others fill what they could', () => {
    const policies = [
      line('pol_1', { dualApproval: true }, { roles: ['INSTRUCTOR'] }),
      line('pol_2', review, { roles: ['ADMIN'] }),
    ]
    const control = {
      admitted: took('pol_1'),
      seen: ['pol_1 1', 'pol_2 1'],
      roles: ['ADMIN'] as const,
      fallback: 'alone' as const,
    }
    const change = event({ recorded_by: null, actor: { id: kim, type: 'human' } })
    const now = approving({ voucher: member(park), event: change, earlier: [earlier(kim, { control })], standing })
    expect(judgeApproval(policies, complete, now)).toMatchObject({ verdict: 'first', places: [{ policyId: 'pol_1' }] })
  })

  it('fills no place of a group alone: who was in it is not known', () => {
    const policies = [line('pol_1', review, { steps: [{ groupIds: ['grp_1'] }] })]
    const change = event({ recorded_by: null, actor: { id: kim, type: 'human' } })
    const now = approving({ voucher: member(kim, { roles: ['ADMIN'] }), event: change, alone: [], standing })
    expect(refusal(() => judgeApproval(policies, complete, now))).toMatchObject({ code: 'CONFLICT' })
  })
})

describe('the evidence', () => {
  it("must reach the level of the policies, and the approver's reason counts", () => {
    const level: Parameters<typeof under> = [{ minimumEvidenceLevel: 'AUDIT_READY' }, null]
    expect(refusal(() => judged(level, {}, withoutReason))).toMatchObject({ guard: 'minimumEvidenceLevel' })
    expect(judged(level)).toBe('seals')
  })

  it('of an approval does not replace a missing policy', () => {
    expect(refusal(() => judged([{ policyRequired: true }, null]))).toMatchObject({ guard: 'policyRequired' })
  })
})

it.each(['countersign', 'Countersign', 'counter\u00adsign', 'pol_01m7gkp4mde1w9bsnq62ae8sp7', 'POL_x'])(
  'refuses the reserved approver id %j',
  (id) => {
    expect(refusal(() => refuseReservedId(id))).toMatchObject({ code: 'VALIDATION_ERROR' })
    expect(refuseReservedId(`x${id}`)).toBeUndefined()
  },
)
