import type { PolicyBody } from '@countersign/contract/policy-body.ts'
import { fits } from '@countersign/proof/glob.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newUuid, typedId } from '../../lib/ids.ts'
import { factsOfEvent, matchPolicies, named } from '../policies.ts'
import type { PolicyRow } from '../rows.ts'
import { center, event, policyBody } from './examples.ts'

describe('a pattern of an action type', () => {
  it.each([
    ['loan.approve', 'loan.approve', true],
    ['loan.approve', 'loan.approved', false],
    ['loan.*', 'loan.approve', true],
    ['loan.*', 'loan.', true],
    ['loan.*', 'loan', false],
    ['*', '', true],
    ['*.approve', 'loan.approve', true],
    ['*.approve', 'loan.approve.now', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['**', 'anything', true],
    ['loan.?', 'loan.x', false],
    ['loan.+', 'loan.+', true],
    ['(a|b)*', 'a', false],
    ['Loan.*', 'loan.x', false],
  ])('%j and %j: %s', (glob, text, expected) => {
    expect(fits(glob, text)).toBe(expected)
  })

  /** The reference implementation: each star is "any characters", everything else is literal. */
  const asRegExp = (glob: string): RegExp =>
    new RegExp(`^${glob.replaceAll(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '[^]*')}$`)

  // Few letters, so that they collide often, and some that have a meaning in regular expressions.
  const letters = (...more: string[]) => fc.constantFrom('a', 'b', '.', '-', '\n', '가', ...more)
  const glob = fc.string({ unit: letters('*', '*', '?', '[', '$'), maxLength: 8 })
  const text = fc.string({ unit: letters('?', '[', '$', '*'), maxLength: 10 })

  it('agrees with the equivalent regular expression', () => {
    fc.assert(
      fc.property(glob, text, (pattern, word) => fits(pattern, word) === asRegExp(pattern).test(word)),
      {
        numRuns: 20_000,
      },
    )
  })

  it('matches every text that is built from it', () => {
    const filled = glob.chain((pattern) =>
      fc
        .array(text, { minLength: 8, maxLength: 8 })
        .map((words) => [pattern, pattern.replaceAll('*', () => words.pop() as string)] as const),
    )
    fc.assert(fc.property(filled, ([pattern, word]) => fits(pattern, word)))
  })

  it('with a hundred stars is matched without delay', () => {
    const started = performance.now()
    expect(fits(`${'a*'.repeat(100)}b`, 'a'.repeat(10_000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

describe('matching', () => {
  const facts = factsOfEvent(event())
  const row = (body: object): PolicyRow => ({
    center_id: null,
    id: newUuid(),
    version: 3,
    digest: 'sha256:d',
    policy: JSON.stringify(policyBody(body)),
  })
  const isMatched = (body: object, about = facts as Parameters<typeof matchPolicies>[1]) =>
    matchPolicies([row(body)], about, center).length === 1

  it.each([
    ['an empty match, every decision', {}, true],
    ['an event type of the list', { eventTypes: ['custom', 'ai_recommendation'] }, true],
    ['no event type of the list', { eventTypes: ['custom'] }, false],
    ['an action type that fits', { actionTypes: ['loan.*', 'plan.*'] }, true],
    ['no action type that fits', { actionTypes: ['loan.*'] }, false],
    ['a vertical of the list', { verticals: ['rehabilitation'] }, true],
    ['no vertical of the list', { verticals: ['commerce'] }, false],
    ['an actor type of the list', { actorTypes: ['ai_agent'] }, true],
    ['no actor type of the list', { actorTypes: ['human'] }, false],
    ['all conditions at once', { eventTypes: ['ai_recommendation'], actorTypes: ['ai_agent'] }, true],
    ['one condition of two', { eventTypes: ['ai_recommendation'], actorTypes: ['human'] }, false],
  ])('%s: %s', (_, match, expected) => {
    expect(isMatched({ match })).toBe(expected)
  })

  it.each([
    ['global', { scope: 'global' }, true],
    ['its country', { scope: 'country', country: 'KR' }, true],
    ['another country', { scope: 'country', country: 'JP' }, false],
    ['its region', { scope: 'region', region: 'KR-11' }, true],
    ['its region, of its country', { scope: 'region', region: 'KR-11', country: 'KR' }, true],
    ['its region, of another country', { scope: 'region', region: 'KR-11', country: 'JP' }, false],
    ['another region', { scope: 'region', region: 'KR-26' }, false],
  ])('the scope %s: %s', (_, body, expected) => {
    expect(isMatched(body)).toBe(expected)
  })

  it('treats a name of more than 255 characters as a match, so that length cannot evade a policy', () => {
    const named = (actionType: string) => ({ ...facts, actionType })
    expect(isMatched({ match: { actionTypes: ['loan.*'] } }, named('x'.repeat(256)))).toBe(true)
    expect(isMatched({ match: { actionTypes: ['loan.*'] } }, named('x'.repeat(255)))).toBe(false)
  })

  it.each([
    'REFUND.Pay',
    'refund.pay ',
    '\u3000refund.pay',
    'refund.\u200bpay',
    'refund.pay\ufeff',
    '\uff52\uff45\uff46\uff55\uff4e\uff44.pay',
    'refund\uff0epay',
    'refund. pay',
  ])('an action type spelled %j does not evade a pattern, nor does a pattern spelled so miss it', (other) => {
    const typed = (actionType: string) => ({ ...facts, actionType })
    for (const pattern of ['refund.pay', 'refund.*', '*.pay', 'r*d.p*y']) {
      expect(isMatched({ match: { actionTypes: [pattern] } }, typed(other))).toBe(true)
    }
    expect(isMatched({ match: { actionTypes: [other] } }, typed('refund.pay'))).toBe(true)
    expect(isMatched({ match: { actionTypes: [other] } }, typed('refund.draft'))).toBe(false)
  })

  it('folding takes no match away', () => {
    // Composed with the accent, the last letter of the prefix is another one.
    const accented = { ...facts, actionType: 'refund.pay.e\u0301' }
    expect(isMatched({ match: { actionTypes: ['refund.pay.e*'] } }, accented)).toBe(true)
  })

  it('treats a name that grows beyond 255 characters when it is folded as a match', () => {
    // One character that NFKC writes as eighteen.
    const actionType = '\ufdfa'.repeat(20)
    expect(isMatched({ match: { actionTypes: ['loan.*'] } }, { ...facts, actionType })).toBe(true)
  })

  it('keeps the action type, the tags and the patterns as they were sent', () => {
    const sent = factsOfEvent(event({ action: { type: 'REFUND.Pay ' }, tags: ['VIP '] }))
    const [applied] = matchPolicies([row({ match: { actionTypes: ['Refund.PAY'] } })], sent, center)
    expect(applied?.body.match).toEqual({ actionTypes: ['Refund.PAY'] })
    expect([sent.actionType, sent.values.tags]).toEqual(['REFUND.Pay ', ['VIP ']])
  })

  it('ignores inactive policies', () => {
    expect(isMatched({ active: false })).toBe(false)
    expect(isMatched({ active: true })).toBe(true)
  })

  it('does not match a list for a property that a decision lacks', () => {
    const nothing = { eventType: null, actionType: null, actorType: null, values: {} }
    expect(isMatched({ match: {} }, nothing)).toBe(true)
    expect(isMatched({ match: { eventTypes: ['custom'] } }, nothing)).toBe(false)
    expect(isMatched({ match: { actionTypes: ['*'] } }, nothing)).toBe(false)
    expect(isMatched({ match: { actorTypes: ['human'] } }, nothing)).toBe(false)
  })

  it('excludes a center without country and region from country and region scopes', () => {
    const nowhere = { ...center, country: null, region: null }
    const rows = [row({ scope: 'country', country: 'KR' }), row({ scope: 'region', region: 'KR-11' })]
    expect(matchPolicies(rows, facts, nowhere)).toEqual([])
  })

  it('applies every matching policy in order, each with version and digest', () => {
    const rows = [row({}), row({ match: { verticals: ['commerce'] } }), row({ scope: 'global' })]
    const [first, , third] = rows as [PolicyRow, PolicyRow, PolicyRow]
    expect(named(matchPolicies(rows, facts, center))).toEqual(
      [first, third].map(({ id }) => ({ id: typedId('policy', id), version: 3, digest: 'sha256:d' })),
    )
  })
})

describe('a condition on a value', () => {
  const decision = factsOfEvent(
    event({
      action: {
        type: 'refund.pay',
        input: { amount: 82_000, currency: 'KRW', note: null, lines: [{ sku: 'a/b', 'x~y': 1 }], urgent: true },
      },
      ai_context: { confidence: 0.7 },
      tags: ['vip', 'refund'],
      risk_score: 0.4,
    }),
  )
  const empty = factsOfEvent(event({ action: { type: 'refund.pay' }, ai_context: null, risk_score: null }))
  const isMatched = (condition: object, about = decision) => {
    const when = [{ pointer: '/action/input/amount', ...condition }]
    const body = policyBody({ match: { actionTypes: ['refund.*'], when } as PolicyBody['match'] })
    const row = { center_id: 7, id: newUuid(), version: 1, digest: 'sha256:d', policy: JSON.stringify(body) }
    return matchPolicies([row], about, center).length === 1
  }

  it.each([
    [{ op: 'gt', value: 81_999 }, true],
    [{ op: 'gt', value: 82_000 }, false],
    [{ op: 'lt', value: 82_001 }, true],
    [{ op: 'lt', value: 82_000 }, false],
    [{ op: 'eq', value: 82_000 }, true],
    [{ op: 'eq', value: 1 }, false],
    [{ op: 'in', value: [1, 82_000] }, true],
    [{ op: 'in', value: [1, 2] }, false],
    [{ op: 'exists' }, true],
    [{ op: 'exists', value: false }, false],
    [{ pointer: '/action/input/urgent', op: 'eq', value: false }, false],
    [{ pointer: '/action/input/lines/0/sku', op: 'eq', value: 'a/b' }, true],
    [{ pointer: '/action/input/lines/0/x~0y', op: 'gt', value: 1 }, false],
    [{ pointer: '/tags', op: 'eq', value: 'refund' }, true],
    [{ pointer: '/tags', op: 'eq', value: 'other' }, false],
    [{ pointer: '/tags', op: 'in', value: ['other', 'vip'] }, true],
    [{ pointer: '/tags', op: 'in', value: ['other'] }, false],
    [{ pointer: '/tags/1', op: 'eq', value: 'vip' }, false],
    [{ pointer: '/aiContext/confidence', op: 'lt', value: 0.8 }, true],
    [{ pointer: '/aiContext/confidence', op: 'lt', value: 0.7 }, false],
    [{ pointer: '/riskScore', op: 'gt', value: 0.4 }, false],
    // Another type satisfies every operator except `exists`.
    [{ pointer: '/action/input/currency', op: 'gt', value: 1 }, true],
    [{ pointer: '/action/input/currency', op: 'in', value: [1, 2] }, true],
    [{ pointer: '/action/input/note', op: 'eq', value: 'x' }, true],
    [{ pointer: '/action/input/lines', op: 'lt', value: 1 }, true],
    [{ pointer: '/tags', op: 'gt', value: 1 }, true],
    // Names that every JavaScript object or array has are not members of the input.
    [{ pointer: '/action/input/constructor', op: 'exists' }, false],
    [{ pointer: '/action/input/__proto__', op: 'exists' }, false],
    [{ pointer: '/action/input/lines/length', op: 'exists' }, false],
    [{ pointer: '/action/input/lines/00', op: 'exists' }, false],
    [{ pointer: '/action/input/note', op: 'exists' }, true],
  ])('%j: %s', (condition, expected) => {
    expect(isMatched(condition)).toBe(expected)
  })

  it.each(['VIP', 'vip ', 'v\u200bip', '\uff56\uff49\uff50'])('a tag spelled %j does not evade it', (tag) => {
    const tagged = factsOfEvent(event({ action: { type: 'refund.pay' }, tags: [tag] }))
    for (const pointer of ['/tags', '/tags/0']) {
      expect(isMatched({ pointer, op: 'eq', value: 'vip' }, tagged)).toBe(true)
      expect(isMatched({ pointer, op: 'in', value: ['other', 'Vip'] }, tagged)).toBe(true)
      expect(isMatched({ pointer, op: 'eq', value: 'other' }, tagged)).toBe(false)
    }
    expect(isMatched({ pointer: '/tags', op: 'eq', value: tag })).toBe(true)
  })

  it('compares values of the input as they are', () => {
    expect(isMatched({ pointer: '/action/input/currency', op: 'eq', value: 'krw' })).toBe(false)
  })

  it.each(['/action/input/amount', '/tags', '/aiContext/confidence', '/riskScore'])(
    'on %s is not evaded by leaving the value out',
    (pointer) => {
      for (const [op, value] of [
        ['eq', 'x'],
        ['eq', 1],
        ['in', ['x']],
        ['in', [1]],
        ['gt', 1e12],
        ['lt', -1e12],
      ]) {
        expect(isMatched({ pointer, op, value }, empty)).toBe(true)
      }
      expect(isMatched({ pointer, op: 'exists' }, empty)).toBe(false)
      expect(isMatched({ pointer, op: 'exists', value: false }, empty)).toBe(true)
    },
  )
})
