import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nextAttemptAt } from '../../../../delivery/schedule.ts'
import { webhookRules } from '../../../../delivery/transports/destination.ts'
import { afterRefusal, chooseSecret, liveSecrets, looksLikeBadSignature, workingSecret } from '../rotation.ts'
import { deliveryHeaders, newSigningSecret, signingKey } from '../signing.ts'

const oldest = { id: 'a', createdAt: 1, expiresAt: 100 }
const middle = { id: 'b', createdAt: 2, expiresAt: 200 }
const newest = { id: 'c', createdAt: 3, expiresAt: null }
const ids = (secrets: readonly { readonly id: string }[]): string => secrets.map(({ id }) => id).join('')

describe('live secrets', () => {
  it.each([
    [0, 'cba'],
    [99, 'cba'],
    [100, 'cb'],
    [199, 'cb'],
    [200, 'c'],
    [1e15, 'c'],
  ])('at %i are %s, newest first', (at, expected) => {
    expect(ids(liveSecrets([middle, newest, oldest], at))).toBe(expected)
    expect(ids(liveSecrets([oldest, middle, newest], at))).toBe(expected)
  })

  it('begin with the one without an expiry, even when two were created at the same time', () => {
    const twin = { id: 'z', createdAt: 3, expiresAt: 200 }
    expect(ids(liveSecrets([twin, middle, newest], 0))).toBe('czb')
  })
})

describe('a refusal', () => {
  it('looks like a bad signature when it is a 4xx without another meaning', () => {
    const all = Array.from({ length: 500 }, (_, index) => index + 100)
    const like = all.filter(looksLikeBadSignature)
    expect(like).toHaveLength(96)
    for (const status of [400, 401, 403, 404, 422, 499]) expect(like).toContain(status)
    for (const status of [408, 410, 425, 429]) expect(like).not.toContain(status)
    expect(looksLikeBadSignature(null)).toBe(false)
  })

  it.each([
    ['cb', 'c', 401, 'b'],
    ['cb', 'b', 401, 'c'],
    ['cba', 'c', 400, 'b'],
    ['cba', 'b', 400, 'a'],
    ['cba', 'a', 400, 'c'],
    ['c', 'c', 401, null],
    ['cb', 'a', 401, null],
    ['cb', 'c', 500, null],
    ['cb', 'c', 503, null],
    ['cb', 'c', 429, null],
    ['cb', 'c', 410, null],
    ['cb', 'c', 302, null],
    ['cb', 'c', null, null],
  ])('with %s live, signed by %s, answered %s, asks for %s', (live, used, status, expected) => {
    const secrets = [newest, middle, oldest].filter(({ id }) => live.includes(id))
    expect(afterRefusal({ live: secrets, used, status })).toBe(expected)
  })
})

describe('the choice', () => {
  it.each([
    ['cb', null, null, 'c'],
    ['cb', 'b', null, 'b'],
    ['cb', null, 'b', 'b'],
    ['cb', 'c', 'b', 'c'],
    ['cb', 'a', 'b', 'b'],
    ['cb', 'a', 'a', 'c'],
    ['c', 'b', 'b', 'c'],
  ])('with %s live, %s wanted and %s learned is %s', (live, wanted, learned, expected) => {
    const secrets = [newest, middle, oldest].filter(({ id }) => live.includes(id))
    expect(chooseSecret({ live: secrets, wanted, learned })).toBe(expected)
  })

  it('requires a live secret', () => {
    expect(() => chooseSecret({ live: [], wanted: null, learned: 'a' })).toThrow('without a live secret')
  })

  it.each([
    ['cb', 'b', 'b'],
    ['cba', 'a', 'a'],
    ['cb', 'c', null],
    ['c', 'c', null],
    ['c', 'b', null],
  ])('with %s live after a success with %s: the endpoint remembers %s', (live, used, expected) => {
    const secrets = [newest, middle, oldest].filter(({ id }) => live.includes(id))
    expect(workingSecret({ live: secrets, used })).toBe(expected)
  })
})

describe('through a rotation', () => {
  const second = 1000
  const hour = 3600 * second
  const day = 24 * hour
  const delays = [0, 30, 120, 600, 3600, 21_600, 86_400]
  const { schedule } = webhookRules(delays, () => '')
  const texts = new Map(['old', 'new'].map((id) => [id, newSigningSecret()]))
  const keys = new Map([...texts].map(([id, text]) => [id, signingKey(text)]))
  /** The rotation is at time 0. */
  const secrets = [
    { id: 'old', createdAt: -day, expiresAt: day },
    { id: 'new', createdAt: 0, expiresAt: null },
  ]
  const body = Buffer.from('{"data":{}}')
  const hex = new Map([...texts].map(([id, text]) => [id, createHmac('sha256', text).update(body).digest('hex')]))

  interface Attempt {
    readonly event: number
    readonly at: number
    readonly headers: Record<string, string>
  }
  type Consumer = (attempt: Attempt) => number | null

  /** Attempts in the order of their time, recorded at once; delivered is the number of events with a 2xx. */
  function deliver(eventTimes: readonly number[], consumer: Consumer) {
    let learned: string | null = null
    const attempts: Attempt[] = []
    const delivered = new Set<number>()
    const queue = eventTimes.map((at, event) => ({ event, at, wanted: null as string | null, failed: 0 }))
    for (;;) {
      const due = queue.sort((a, b) => a.at - b.at || a.event - b.event).shift()
      if (!due) return { attempts, delivered: delivered.size }
      const live = liveSecrets(secrets, due.at)
      const used = chooseSecret({ live, wanted: due.wanted, learned })
      const [signing] = [keys.get(used)].filter((key) => key !== undefined)
      const headers = deliveryHeaders({
        ...{ body, eventId: `msg_${due.event}`, attempt: due.failed + 1, at: due.at },
        secrets: live.flatMap(({ id }) => keys.get(id) ?? []),
        ...(signing && { signing }),
      })
      const attempt = { event: due.event, at: due.at, headers }
      attempts.push(attempt)
      const status = consumer(attempt)
      if (status !== null && status >= 200 && status < 300) {
        delivered.add(due.event)
        learned = workingSecret({ live, used })
        continue
      }
      const wanted = afterRefusal({ live, used, status }) ?? due.wanted
      const failed = due.failed + 1
      const next = nextAttemptAt(schedule, failed, { at: new Date(due.at), status, retryAfter: null })
      if (next) queue.push({ event: due.event, at: next.getTime(), wanted, failed })
    }
  }

  const knows = (...known: string[]): Consumer => {
    const accepted = known.map((id) => hex.get(id))
    return ({ headers }) => (accepted.includes(headers['x-service-signature']) ? 200 : 401)
  }
  const hourly = Array.from({ length: 24 }, (_, index) => index * hour)
  const perEvent = (attempts: readonly Attempt[]): number[] =>
    attempts.reduce<number[]>(
      (counts, { event }) => counts.with(event, (counts[event] ?? 0) + 1),
      hourly.map(() => 0),
    )

  it.each([
    ['only the new secret', knows('new')],
    ['both secrets', knows('old', 'new')],
  ])('a consumer that knows %s gets every event at the first attempt', (_, consumer) => {
    const { attempts, delivered } = deliver(hourly, consumer)
    expect(delivered).toBe(24)
    expect(attempts).toHaveLength(24)
  })

  it('a consumer that knows only the old secret gets the first event at the second attempt, the rest at the first', () => {
    const { attempts, delivered } = deliver(hourly, knows('old'))
    expect(delivered).toBe(24)
    expect(perEvent(attempts)).toEqual([2, ...Array(23).fill(1)])
    expect(attempts[1]?.at).toBe(30 * second)
  })

  it('a consumer that changes its secret during the day gets one more attempt and loses nothing', () => {
    const change = 10.5 * hour
    const { attempts, delivered } = deliver(hourly, (attempt) => knows(attempt.at < change ? 'old' : 'new')(attempt))
    expect(delivered).toBe(24)
    expect(perEvent(attempts)).toEqual([2, ...Array(10).fill(1), 2, ...Array(12).fill(1)])
  })

  it('a consumer that verifies the second header or Standard Webhooks accepts the first attempt', () => {
    const second: Consumer = ({ headers }) =>
      [headers['x-service-signature'], headers['x-service-signature-previous']].includes(hex.get('old')) ? 200 : 401
    expect(deliver(hourly, second).attempts).toHaveLength(24)
    const standard: Consumer = ({ headers }) => {
      const signed = createHmac('sha256', Buffer.from((texts.get('old') as string).slice(6), 'base64'))
        .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
        .update(body)
      return headers['webhook-signature']?.split(' ').includes(`v1,${signed.digest('base64')}`) ? 200 : 401
    }
    expect(deliver(hourly, standard).attempts).toHaveLength(24)
  })

  it('a consumer that is down for other reasons gets no other signature', () => {
    for (const status of [null, 500, 503, 429, 408]) {
      const { attempts } = deliver([0], () => status)
      expect(attempts).toHaveLength(7)
      for (const { headers } of attempts) expect(headers['x-service-signature']).toBe(hex.get('new'))
    }
  })

  it('a refusal followed by an outage does not return to the refused secret', () => {
    const outage: Consumer = (attempt) => (attempt.at === 30 * second ? 503 : knows('old')(attempt))
    const { attempts, delivered } = deliver([0], outage)
    expect(delivered).toBe(1)
    expect(attempts.map(({ headers }) => headers['x-service-signature'])).toEqual(
      ['new', 'old', 'old'].map((id) => hex.get(id)),
    )
  })

  /** Times of events, which secrets the consumer knows before and after a change, and how often it is down. */
  const story = fc.record({
    times: fc.array(fc.integer({ min: 0, max: day - 31 * second }), { minLength: 1, maxLength: 12 }),
    before: fc.constantFrom(['old'], ['new'], ['old', 'new']),
    change: fc.integer({ min: 0, max: 2 * day }),
    down: fc.array(fc.constantFrom(null, 500, 503, 429), { maxLength: 4 }),
  })

  it('nothing is lost, no attempt is added, and every attempt is on schedule', { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(story, ({ times, before, change, down }) => {
        const failures = [...down]
        const { attempts, delivered } = deliver(times, (attempt) => {
          // Only the first event has outages, so that no event is left without attempts by outages alone.
          if (attempt.event === 0 && failures.length > 0) return failures.shift() as number | null
          return knows(...(attempt.at < Math.min(change, day) ? before : ['new']))(attempt)
        })
        expect(delivered).toBe(times.length)
        for (const [event, start] of times.entries()) {
          const made = attempts.filter((attempt) => attempt.event === event)
          expect(made.length).toBeLessThanOrEqual(7)
          let planned = start
          for (const [index, { at, headers }] of made.entries()) {
            planned += (delays[index] as number) * second
            expect(at).toBe(planned)
            expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/)
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  it('after its expiry the old secret signs nothing, also where the endpoint remembers it', () => {
    const times = [0, hour, day - 1, day, day + hour]
    const { attempts } = deliver(times, knows('old'))
    const late = attempts.filter(({ at }) => at >= day)
    expect(late.length).toBeGreaterThanOrEqual(14)
    for (const { at, headers } of attempts) {
      const made = [headers['x-service-signature'], headers['x-service-signature-previous']]
      expect(made.includes(hex.get('old'))).toBe(at < day)
      expect(headers['webhook-signature']?.split(' ')).toHaveLength(at < day ? 2 : 1)
      if (at >= day) expect(made).toEqual([hex.get('new'), undefined])
    }
  })

  it('five live secrets are all tried within five attempts, wherever the search begins', () => {
    const five = Array.from({ length: 5 }, (_, index) => ({ id: `${index}`, createdAt: -index, expiresAt: day }))
    for (const known of five) {
      for (const learned of [null, ...five.map(({ id }) => id)]) {
        let wanted: string | null = null
        let attempts = 1
        for (; ; attempts++) {
          const used = chooseSecret({ live: five, wanted, learned })
          if (used === known.id || attempts > 7) break
          wanted = afterRefusal({ live: five, used, status: 401 }) ?? wanted
        }
        expect(attempts).toBeLessThanOrEqual(5)
      }
    }
  })
})
