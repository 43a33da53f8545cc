import { actionDigest } from '@countersign/proof/action-digest.ts'
import { compareDigest, decidingOf } from '@countersign/proof/deciding.ts'
import { describe, expect, it } from 'vitest'
import { headlineOf, ruleSentences, sealedSentence } from '../browser/decision-words.ts'
import { checkNumber, dateTime, duration, setZone } from '../browser/format.ts'
import { openingOf } from '../browser/standing.ts'
import type { Decision, Given, Me, Waiting } from '../browser/types.ts'

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

const given = (overrides: object = {}): Given =>
  ({
    ...{ approver: { id: 'p1', type: 'human', name: '박서연' }, result: 'approved' },
    ...{ identity: { level: 'session', by: 'p1' }, createdAt: '2026-11-16T03:40:00.000Z' },
    ...overrides,
  }) as Given

it('the headline is made of values, before and after the seal, and never of the description', () => {
  expect(headlineOf(decisionOf(), 'ko')).toBe('refund.pay: To c-1, Amount 820,000')
  expect(headlineOf(decisionOf({ action: { type: 'x', description: '두 번 줄입니다' } }), 'ko')).toBe('x')
  expect(sealedSentence(decisionOf(), 'approved', 'ko')).toBe('승인을 봉인했습니다: refund.pay: To c-1, Amount 820,000')
  expect(sealedSentence(decisionOf(), 'rejected', 'en')).toBe('Refused and sealed: refund.pay: To c-1, Amount 820,000')
})

const rule: Waiting['rules'][number] = {
  ...{ id: 'pol_1', version: 1, name: 'Refunds', description: null, expiresAfterSeconds: 86_400 },
  guards: ['humanReview'],
  identity: 'passkey',
  roles: ['ADMIN'],
  pointers: ['/action/input/amount', '/tags'],
  conditions: [{ pointer: '/action/input/amount', op: 'gt', value: 500_000 }],
  riskThreshold: null,
}

it('a rule is told in sentences, and the values that it reads come first', () => {
  expect(headlineOf(decisionOf({ waiting: { rules: [rule] } }), 'ko')).toBe('refund.pay: Amount 820,000, To c-1')
  expect(ruleSentences(rule, 'ko')).toBe(
    '사람이 승인해야 합니다. 관리자만 승인할 수 있습니다. 패스키로 서명해야 합니다. 1일 안에 결정해야 합니다.',
  )
})

it('times are on the clock of the center, and name it', () => {
  setZone('America/New_York')
  expect(dateTime('2026-11-16T03:40:09.000Z', 'en')).toBe('November 15, 2026 at 10:40 PM EST')
  setZone('Asia/Seoul')
  expect(dateTime('2026-11-16T03:40:09.000Z', 'ko')).toBe('2026년 11월 16일 오후 12:40 KST')
  expect(dateTime('2026-11-15T23:40:09.000Z', 'ko')).toBe('2026년 11월 16일 오전 8:40 KST')
  expect([duration(8_040_000, 'ko'), duration(8_040_000, 'en'), duration(1, 'en')]).toEqual([
    '2시간 14분',
    '2 hours 14 minutes',
    '1 minute',
  ])
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
  } as unknown as Me
  const refusal = (status: number, retryAfter = 0) =>
    ({ ok: false, status, code: 'X', message: '', retryAfter }) as const
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
