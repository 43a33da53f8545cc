import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newUuid, typedId } from '../../lib/ids.ts'
import { fits, matchPolicies, named } from '../policies.ts'
import type { PolicyRow } from '../rows.ts'
import { center, policyBody } from './examples.ts'

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
  const facts = { eventType: 'ai_recommendation', actionType: 'plan.adjust', actorType: 'ai_agent' }
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
    ['its region', { scope: 'region', region: 'Seoul' }, true],
    ['its region, of its country', { scope: 'region', region: 'Seoul', country: 'KR' }, true],
    ['its region, of another country', { scope: 'region', region: 'Seoul', country: 'JP' }, false],
    ['another region', { scope: 'region', region: 'Busan' }, false],
  ])('the scope %s: %s', (_, body, expected) => {
    expect(isMatched(body)).toBe(expected)
  })

  it('treats a name of more than 255 characters as a match, so that length cannot evade a policy', () => {
    const named = (actionType: string) => ({ ...facts, actionType })
    expect(isMatched({ match: { actionTypes: ['loan.*'] } }, named('x'.repeat(256)))).toBe(true)
    expect(isMatched({ match: { actionTypes: ['loan.*'] } }, named('x'.repeat(255)))).toBe(false)
  })

  it('ignores inactive policies', () => {
    expect(isMatched({ active: false })).toBe(false)
    expect(isMatched({ active: true })).toBe(true)
  })

  it('does not hold a condition on a property that a decision lacks', () => {
    const nothing = { eventType: null, actionType: null, actorType: null }
    expect(isMatched({ match: {} }, nothing)).toBe(true)
    expect(isMatched({ match: { eventTypes: ['custom'] } }, nothing)).toBe(false)
    expect(isMatched({ match: { actionTypes: ['*'] } }, nothing)).toBe(false)
    expect(isMatched({ match: { actorTypes: ['human'] } }, nothing)).toBe(false)
  })

  it('excludes a center without country and region from country and region scopes', () => {
    const nowhere = { ...center, country: null, region: null }
    const rows = [row({ scope: 'country', country: 'KR' }), row({ scope: 'region', region: 'Seoul' })]
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
