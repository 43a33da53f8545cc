import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matches, patternsOf, unknownPattern } from '../matching.ts'

const types = ['dpu.sealed', 'agent.decision.completed', 'agent.approval.requested', 'payment.completed'] as const

describe('patterns', () => {
  it.each([
    ['payment.completed', ['*', 'payment.*', 'payment.completed']],
    ['agent.decision.completed', ['*', 'agent.*', 'agent.decision.*', 'agent.decision.completed']],
    ['heartbeat', ['*', 'heartbeat']],
    ['ping', []],
  ])('of %s are its prefixes and itself', (type, patterns) => {
    expect(patternsOf(type)).toEqual(patterns)
  })
})

describe('a subscription', () => {
  it.each([
    ['*', 'payment.completed', true],
    ['payment.*', 'payment.completed', true],
    ['payment.completed', 'payment.completed', true],
    ['agent.*', 'agent.decision.completed', true],
    ['agent.decision.*', 'agent.decision.completed', true],
    ['payment.*', 'payments.completed', false],
    ['payment.*', 'payment', false],
    ['payment.failed', 'payment.completed', false],
    ['payment.completed.*', 'payment.completed', false],
    ['payment', 'payment.completed', false],
    ['*.completed', 'payment.completed', false],
    ['pay*', 'payment.completed', false],
    ['agent.decision', 'agent.decision.completed', false],
    ['PAYMENT.*', 'payment.completed', false],
    ['*', 'ping', false],
    ['ping', 'ping', false],
  ])('to %s, when %s happens: %s', (pattern, type, expected) => {
    expect(matches([pattern], type)).toBe(expected)
    expect(matches(['dpu.verified', pattern], type)).toBe(expected)
  })

  it('without patterns matches nothing', () => {
    for (const type of types) expect(matches([], type)).toBe(false)
  })

  it('matches all types, one type, or all types with a prefix', () => {
    const type = fc.array(fc.constantFrom('a', 'b', 'ab', '*'), { minLength: 1, maxLength: 4 }).map((n) => n.join('.'))
    const pattern = fc.oneof(
      type,
      type.map((prefix) => `${prefix}.*`),
      fc.constant('*'),
    )
    let matched = 0
    const property = fc.property(fc.array(pattern, { maxLength: 3 }), type, (subscribed, happened) => {
      const said = subscribed.some(
        (each) => each === '*' || each === happened || (each.endsWith('.*') && happened.startsWith(each.slice(0, -1))),
      )
      if (said) matched++
      expect(matches(subscribed, happened)).toBe(said)
    })
    fc.assert(property, { numRuns: 2000 })
    expect(matched).toBeGreaterThan(100)
  })
})

describe('an unknown pattern', () => {
  it.each([
    [['*'], null],
    [['payment.*', 'agent.*', 'agent.decision.*'], null],
    [[...types], null],
    [[], null],
    [['payment.refunded'], 'payment.refunded'],
    [['payment.completed', 'paymnt.*', 'nothing'], 'paymnt.*'],
    [['payment'], 'payment'],
    [['payment.completed.*'], 'payment.completed.*'],
    [['*.completed'], '*.completed'],
    [['*.*'], '*.*'],
    [['**'], '**'],
    [['.*'], '.*'],
    [[''], ''],
    [['constructor', 'payment.*'], 'constructor'],
    [['*', 'ping'], 'ping'],
    [['ping.*'], 'ping.*'],
  ])('in %j is %j', (subscribed, unknown) => {
    expect(unknownPattern(subscribed, types)).toBe(unknown)
    expect(unknownPattern(subscribed, [...types, 'ping'])).toBe(unknown)
  })

  it('is one that matches no existing type', () => {
    const near = fc.oneof(
      fc.constantFrom(...types.flatMap(patternsOf)),
      fc.tuple(fc.constantFrom(...types), fc.nat({ max: 26 })).map(([type, cut]) => `${type.slice(0, cut)}*`),
      fc.string(),
    )
    fc.assert(
      fc.property(near, (pattern) => {
        expect(unknownPattern([pattern], types) === null).toBe(types.some((type) => matches([pattern], type)))
      }),
    )
  })
})
