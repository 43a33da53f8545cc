/** One table of answers for every transport: what becomes of a message, and when it is sent again. */
import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../lib/outbound-http.ts'
import { afterFailure, afterSuccess, isDead, isOpen, isPaused } from '../health.ts'
import { outcomeOf } from '../outcome.ts'
import { chatRules } from '../transports/chat.ts'
import { webhookRules } from '../transports/destination.ts'
import { mailRules } from '../transports/smtp.ts'
import { pushRules } from '../transports/web-push.ts'

const at = new Date('2026-11-18T08:00:00.000Z')
const exchange: Exchange = { responseStatus: null, retryAfter: null, excerpt: '', error: null, message: null, ms: 1 }
const answer = (responseStatus: number, retryAfter: string | null = null) => ({
  ...exchange,
  responseStatus,
  retryAfter,
})
const silent = { ...exchange, error: 'timeout', message: 'No answer within 5 seconds.' } as const
const rules = {
  webhook: webhookRules([0, 30, 120], () => 'x'),
  chat: chatRules,
  push: pushRules,
  mail: mailRules,
}

/** The kind, or the seconds until the next attempt. */
function read(name: keyof typeof rules, of: Exchange, failures = 1): string | number {
  const outcome = outcomeOf(of, rules[name], failures, at)
  return outcome.kind === 'later' ? (outcome.at.getTime() - at.getTime()) / 1000 : outcome.kind
}

describe('an answer', () => {
  it.each([
    ['200', answer(200), ['delivered', 'delivered', 'delivered', 'delivered']],
    ['204', answer(204), ['delivered', 'delivered', 'delivered', 'delivered']],
    ['an acknowledgment without a status', exchange, ['delivered', 'delivered', 'delivered', 'delivered']],
    ['no answer', silent, [30, 60, 30, 60]],
    ['301', answer(301), [30, 60, 30, 60]],
    ['400', answer(400), [30, 'given_up', 'given_up', 60]],
    ['401', answer(401), [30, 'gone', 'given_up', 60]],
    ['404', answer(404), [30, 'gone', 'gone', 60]],
    ['408', answer(408), [30, 60, 30, 60]],
    ['410', answer(410), [30, 'gone', 'gone', 60]],
    ['429 that asks for 90 seconds', answer(429, '90'), [90, 90, 90, 90]],
    ['503 that asks for 10 seconds', answer(503, '10'), [30, 60, 30, 60]],
    ['500 that asks for 90 seconds', answer(500, '90'), [30, 60, 30, 60]],
  ] as const)('%s', (_, of, expected) => {
    expect((['webhook', 'chat', 'push', 'mail'] as const).map((name) => read(name, of))).toEqual(expected)
  })

  it('is given up after the last attempt where the schedule ends, and tried at its last pause elsewhere', () => {
    expect([1, 2, 3].map((failures) => read('webhook', silent, failures))).toEqual([30, 120, 'given_up'])
    expect([1, 2, 4, 5, 50].map((failures) => read('chat', silent, failures))).toEqual([60, 300, 3600, 3600, 3600])
    expect([1, 2, 7, 8].map((failures) => read('push', silent, failures))).toEqual([30, 60, 1920, 1920])
    expect([1, 2, 8, 9].map((failures) => read('mail', silent, failures))).toEqual([60, 120, 7680, 7680])
  })
})

describe('health', () => {
  const well = { failures: 0, failing_since: null, not_before: null }
  const failed = (times: number, from = well) =>
    Array.from({ length: times }).reduce<typeof well>(
      (health) => afterFailure(health, at.toISOString(), null) as typeof well,
      from,
    )

  it('opens the breaker at ten failures in a row and closes it with a success', () => {
    expect([isOpen(failed(9)), isOpen(failed(10)), isOpen(afterSuccess(failed(10)))]).toEqual([false, true, false])
  })

  it('is dead five days after the first failure in a row', () => {
    const days = (n: number) => at.getTime() + n * 86_400_000
    expect([isDead(well, days(9)), isDead(failed(3), days(5) - 1), isDead(failed(3), days(5))]).toEqual([
      false,
      false,
      true,
    ])
  })

  it('keeps the longer of two pauses', () => {
    const later = afterFailure(well, at.toISOString(), new Date(at.getTime() + 60_000))
    const sooner = afterFailure(later, at.toISOString(), new Date(at.getTime() + 1000))
    expect([59_999, 60_000].map((ms) => isPaused(sooner, at.getTime() + ms))).toEqual([true, false])
  })
})
