import { actionDigest } from '@countersign/proof/action-digest.ts'
import { compareDigest, decidingOf } from '@countersign/proof/deciding.ts'
import { decisionView } from '@countersign/proof/decision-view.ts'
import { headlineText } from '@countersign/proof/view-tree.ts'
import type { CurrentActor, Decision, GivenApproval, WaitingRule } from '@countersign/sdk'
import { neutralTerms } from '@countersign/words/terms.ts'
import { describe, expect, it } from 'vitest'
import { checkNumber } from '../app/passkeys.ts'
import { openingOf } from '../approve/opening.ts'
import { saidWith } from '../approve/words.ts'
import { causeNames } from '../decision/cause-names.ts'
import { causes } from '../decision/causes.ts'
import { type Answer, decide, type Stopped, stopText, type Wire } from '../decision/decide.ts'
import { ruleSentences } from '../decision/rules.ts'

const said = saidWith(neutralTerms)
const actor = { id: 'agent-7', type: 'ai_agent', name: '상담 에이전트' } as const
const action = {
  type: 'refund.pay',
  description: '이하늘 님에게 820,000원 환불',
  input: { to: 'c-1', amount: 820_000 },
}
const salt = 'A'.repeat(43)

const decisionOf = (overrides: object = {}): Decision =>
  ({
    ...{ id: 'evt_1', decisionId: 'dec_1', type: 'ai_recommendation', status: 'recorded', actor, action, tags: [] },
    ...{ riskScore: null, reason: null, waiting: null, approvals: [], comments: [], execution: null },
    ...{ actionSalt: salt, actionDigest: actionDigest(salt, { type: 'ai_recommendation', actor, action }) },
    updatedAt: '2026-11-16T03:40:00.000Z',
    ...overrides,
  }) as unknown as Decision

const given = (overrides: object = {}): GivenApproval =>
  ({
    ...{ approver: { id: 'p1', type: 'human', name: '박서연' }, result: 'approved' },
    ...{ identity: { level: 'session', by: 'p1' }, createdAt: '2026-11-16T03:40:00.000Z' },
    ...overrides,
  }) as GivenApproval

const headlineOf = (decision: Decision) => headlineText(decisionView(decision, 'ko'))

it('the headline is made of values, and never of the description', () => {
  expect(headlineOf(decisionOf())).toBe('refund.pay: To c-1, Amount 820,000')
  expect(headlineOf(decisionOf({ action: { type: 'x', description: '두 번 줄입니다' } }))).toBe('x')
})

const rule: WaitingRule = {
  ...{
    id: 'pol_1',
    version: 1,
    name: 'Refunds',
    description: null,
    expiresAfterSeconds: 86_400,
    usableForSeconds: 604_800,
  },
  guards: ['humanReview'],
  identity: 'passkey',
  roles: ['ADMIN'],
  pointers: ['/action/input/amount', '/tags'],
  conditions: [{ pointer: '/action/input/amount', op: 'gt', value: 500_000 }],
  riskThreshold: null,
}

it('a rule is told in sentences, and the values that it reads come first', () => {
  expect(headlineOf(decisionOf({ waiting: { rules: [rule] } }))).toBe('refund.pay: Amount 820,000, To c-1')
  expect(ruleSentences(rule, said.ko, 'ko')).toBe(
    '사람이 승인해야 합니다. 관리자만 승인할 수 있습니다. 패스키로 서명해야 합니다. 1일 안에 결정해야 합니다. 승인한 뒤 7일 동안 사용할 수 있습니다.',
  )
  const anyOf = ruleSentences({ ...rule, roles: ['ADMIN', 'INSTRUCTOR'] }, said.en, 'en')
  expect(anyOf).toContain('Only administrators and service providers can approve.')
})

describe('the standing of a decision', () => {
  const now = Date.parse('2026-11-16T04:00:00.000Z')
  const system = { identity: { level: 'system', by: 'countersign' }, result: 'rejected' }
  it.each([
    [{}, { kind: 'open', mine: null }],
    [{ waiting: { expiresAt: '2026-11-16T04:00:00.001Z' } }, { kind: 'open' }],
    [{ waiting: { expiresAt: '2026-11-16T04:00:00.000Z' } }, { kind: 'expired', at: '2026-11-16T04:00:00.000Z' }],
    [
      { status: 'approved', approvals: [given()] },
      { kind: 'open', mine: given() },
    ],
    [
      {
        status: 'approved',
        approvals: [given()],
        lines: [{ steps: [{ current: true, people: [{ actorId: 'p1' }] }] }],
      },
      { kind: 'open', mine: null },
    ],
    [
      {
        status: 'approved',
        approvals: [given()],
        lines: [{ steps: [{ current: true, people: [{ actorId: 'p2' }] }] }],
      },
      { kind: 'open', mine: given() },
    ],
    [
      { status: 'sealed', approvals: [given()] },
      { kind: 'approved', mine: true },
    ],
    [
      { status: 'sealed', approvals: [given({ approver: { id: 'p2' } })] },
      { kind: 'approved', mine: false },
    ],
    [
      { status: 'rejected', approvals: [given({ result: 'rejected' })] },
      { kind: 'refused', mine: true },
    ],
    [{ status: 'rejected', approvals: [given({ ...system, reason: 'expired' })] }, { kind: 'expired' }],
    [{ status: 'rejected', approvals: [given({ ...system, reason: 'replaced' })] }, { kind: 'replaced' }],
    [{ status: 'rejected', approvals: [given({ ...system, reason: 'withdrawn' })] }, { kind: 'withdrawn' }],
    [{ status: 'rejected', approvals: [given(system)] }, { kind: 'refusedByRule' }],
    [{ status: 'sealed' }, { kind: 'sealed' }],
  ])('%j', (overrides, standing) => {
    expect(decidingOf(decisionOf(overrides), 'p1', now)).toMatchObject(standing)
  })
})

describe('an answer of the API', () => {
  const at = (centerId: number, role: string, centerDomain: string) => ({ centerId, role, centerDomain })
  const me = {
    memberships: [at(1, 'ADMIN', 'a'), at(2, 'INSTRUCTOR', 'b'), at(3, 'PARENT', 'c'), at(4, 'ADMIN', 'd')],
    authorizedDomains: ['a', 'b', 'c'],
  } as unknown as CurrentActor
  const refusal = (status: number, retryAfter = 0) => ({ ok: false, status, code: 'X', retryAfter }) as const
  it.each([
    [refusal(404), [1], { kind: 'choose', centers: [{ centerId: 2 }] }],
    [refusal(404), [1, 2], { kind: 'notFound' }],
    [refusal(403), [], { kind: 'choose', centers: [{ centerId: 1 }, { centerId: 2 }] }],
    [refusal(401), [], { kind: 'signIn' }],
    [refusal(0), [], { kind: 'offline' }],
    [refusal(429, 30), [], { kind: 'busy', seconds: 30 }],
    [refusal(500), [], { kind: 'failed', code: 'X' }],
  ])('%j after %j', (answer, tried, opening) => {
    expect(openingOf(answer, me, new Set(tried))).toMatchObject(opening)
  })

  it('without a role that decides says so', () => {
    const parent = { ...me, authorizedDomains: ['c'] }
    expect(openingOf(refusal(403), parent, new Set())).toEqual({ kind: 'noRight' })
  })
})

it('the digest is computed from what is shown', () => {
  expect(compareDigest(decisionOf())).toBe('same')
  expect(compareDigest(decisionOf({ action: { ...action, input: { to: 'c-1', amount: 82_000 } } }))).toBe('other')
  expect(compareDigest(decisionOf({ riskScore: 0.1 }))).toBe('other')
  expect(compareDigest(decisionOf({ actionSalt: null }))).toBe('unknown')
})

it('the check number of a passkey is made of its thumbprint, in digits', () => {
  const thumbprint = 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'
  expect(checkNumber(thumbprint)).toMatch(/^\d{4} \d{4} \d{4} \d{4}$/)
  expect(checkNumber(`O${thumbprint.slice(1)}`)).not.toBe(checkNumber(thumbprint))
})

describe('what a refusal of the server means, for both entries', () => {
  const refuse = (status: number, more: object = {}) =>
    ({ ok: false, status, code: 'X', retryAfter: 0, ...more }) as Answer<never>
  const open = decisionOf()
  const sealed = decisionOf({ status: 'sealed', approvals: [given({ approver: { id: 'p2' } })] })
  const sending = (answer: Answer<never>, now: Answer<Decision> = { ok: true, data: open }) => {
    const wire: Wire = {
      channel: 'page',
      challenge: async () => refuse(500),
      approve: async () => answer,
      read: async () => now,
    }
    return decide(wire, open, decisionView(open, 'ko'), 'p1', { result: 'rejected', reason: 'x' })
  }

  it.each([
    [refuse(0), 'notSent'],
    [refuse(401), 'ended'],
    [refuse(429, { retryAfter: 30 }), 'busy'],
    [refuse(422), 'notAllowed'],
    [refuse(500), 'failed'],
    [refuse(409, { reason: 'eligibility' }), 'newRole'],
    [refuse(409, { retryAfter: 2 }), 'later'],
    [refuse(409), 'changed'],
    [refuse(409, { turn: { policyId: 'pol_1', step: 1, title: '원장' } }), 'turn'],
  ])('%j: %s', async (answer, obstacle) => {
    expect(await sending(answer)).toMatchObject({ kind: 'obstacle', obstacle })
  })

  it.each([
    [refuse(422, { code: 'POLICY_VIOLATION', reason: 'ownDecision' }), 'notAllowed', 'POLICY_VIOLATION ownDecision'],
    [refuse(409, { code: 'CONFLICT', reason: 'closedCenter' }), 'changed', 'CONFLICT closedCenter'],
    [refuse(403, { code: 'FORBIDDEN', reason: 'stepUp', by: 'passkey' }), 'failed', 'FORBIDDEN stepUp.passkey'],
  ])('%j: what the server named has words in the catalog of causes', async (answer, obstacle, name) => {
    const outcome = (await sending(answer)) as Stopped
    expect(outcome).toMatchObject({ kind: 'obstacle', obstacle })
    const { code = '', cause = '' } = outcome.named ?? {}
    expect(causeNames(code, cause)[0]).toBe(name)
    for (const language of ['ko', 'en'] as const) {
      expect(causes[language]).toMatchObject({ [name]: expect.any(String), [`${name}.next`]: expect.any(String) })
    }
  })

  it.each([
    refuse(422, { code: 'POLICY_VIOLATION' }),
    refuse(409, { code: 'CONFLICT', reason: 'frozen' }),
    refuse(409, { code: 'CONFLICT', reason: 'x', retryAfter: 2 }),
  ])('%j: an obstacle with words of its own keeps them', async (answer) => {
    expect(await sending(answer)).not.toHaveProperty('named')
  })

  it('a turn that comes later is named by the title of its step, or by its number', async () => {
    const told = async (turn: object) => stopText((await sending(refuse(409, { turn }))) as Stopped, said.ko)
    expect(await told({ policyId: 'pol_1', step: 1, title: '원장' })).toContain('‘원장’')
    expect(await told({ policyId: 'pol_1', step: 1 })).toContain('‘2단계’')
    expect(await sending(refuse(409, { turn: { step: 1 } }), { ok: true, data: sealed })).toMatchObject({
      kind: 'faster',
    })
  })

  it('after a conflict it is read again: somebody was faster, or it cannot be known', async () => {
    expect(await sending(refuse(409), { ok: true, data: sealed })).toEqual({ kind: 'faster', decision: sealed })
    expect(await sending(refuse(409), refuse(0))).toMatchObject({ obstacle: 'notSent' })
  })

  it('nothing is sent about content that is not that of the digest', async () => {
    const other = decisionOf({ riskScore: 0.1 })
    const wire = { channel: 'page' } as Wire
    const outcome = await decide(wire, other, decisionView(other, 'ko'), 'p1', { result: 'approved' })
    expect(outcome).toEqual({ kind: 'obstacle', obstacle: 'otherDigest' })
  })
})
