import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useClock } from '../clock.ts'
import { lookupCache } from '../lookup-cache.ts'

const maxAgeMs = 800
let time = 0
let restore: () => void
beforeEach(() => {
  time = 1_000_000
  restore = useClock(() => time)
})
afterEach(() => restore())

interface Row {
  readonly version: number
  readonly center: string
}

describe('in any order of operations', () => {
  const keys = ['a', 'b', 'c']
  const key = fc.constantFrom(...keys)
  const centerOf = (of: string) => (of < 'c' ? 'one' : 'two')
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('get' as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('change one' as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('change center' as const), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('change elsewhere' as const), key }) },
    {
      weight: 8,
      arbitrary: fc.record({ do: fc.constant('let reads go on' as const), key, most: fc.integer({ min: 1, max: 6 }) }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('wait' as const), key, ms: fc.integer({ min: 1, max: 400 }) }),
    },
  )

  it('a forgotten value is never served again, and a change by another process is seen when the value is too old', async () => {
    let served = 0
    let withoutReading = 0
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { minLength: 10, maxLength: 60 }), async (scheduler, steps) => {
        // Every version with the time at which it was written.
        const history = new Map<string, number[]>(keys.map((name) => [name, [time]]))
        const current = (name: string) => (history.get(name) as number[]).length
        const write = (name: string) => (history.get(name) as number[]).push(time)
        const cache = lookupCache<Row>({
          load: async (name) => {
            await scheduler.schedule(Promise.resolve(), `read ${name}`)
            const row = { version: current(name), center: centerOf(name) }
            await scheduler.schedule(Promise.resolve(), `answer ${name}`)
            return row
          },
          tagsOf: (row, name) => [`key:${name}`, `center:${row.center}`],
        })
        const checks: Promise<void>[] = []
        const forgotten = new Map<string, number>()
        const forget = (name: string) => forgotten.set(name, current(name))

        for (const now of steps) {
          if (now.do === 'get') {
            const agedOut = (history.get(now.key) as number[]).filter((at) => at <= time - maxAgeMs).length
            const atLeast = Math.max(forgotten.get(now.key) ?? 1, agedOut)
            const answer = cache.get(now.key)
            if (!(answer instanceof Promise)) withoutReading++
            const check = async () => {
              expect((await answer).version).toBeGreaterThanOrEqual(atLeast)
              served++
            }
            checks.push(check())
          } else if (now.do === 'change one') {
            write(now.key)
            cache.forget(`key:${now.key}`)
            forget(now.key)
          } else if (now.do === 'change center') {
            const members = [...history.keys()].filter((name) => centerOf(name) === centerOf(now.key))
            for (const name of members) write(name)
            cache.forget(`center:${centerOf(now.key)}`)
            for (const name of members) forget(name)
          } else if (now.do === 'change elsewhere') write(now.key)
          else if (now.do === 'wait') time += now.ms
          else for (let left = now.most; left > 0 && scheduler.count() > 0; left--) await scheduler.waitOne()
        }
        const all = Promise.all(checks)
        await scheduler.waitFor(all)
        await all
      }),
      { numRuns: 600 },
    )
    // Without these the test would prove nothing.
    expect(served).toBeGreaterThan(3000)
    expect(withoutReading).toBeGreaterThan(300)
  })
})

describe('with coverage, in any order of operations', () => {
  const keys = ['a', 'b', 'c']
  const key = fc.constantFrom(...keys)
  const only = <T extends string>(name: T) => fc.record({ do: fc.constant(name), key })
  const step = fc.oneof(
    { weight: 14, arbitrary: only('get') },
    { weight: 2, arbitrary: only('change elsewhere') },
    { weight: 8, arbitrary: only('beat') },
    { weight: 14, arbitrary: only('receive') },
    { weight: 1, arbitrary: only('lose the connection') },
    { weight: 4, arbitrary: only('listen') },
    { weight: 14, arbitrary: only('let reads go on') },
    {
      weight: 14,
      arbitrary: fc.record({ do: fc.constant('wait' as const), key, ms: fc.integer({ min: 1, max: 300 }) }),
    },
  )

  it('a change by another process is seen within the age, whatever is lost or late, and covered values last longer', async () => {
    let old = 0
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(step, { minLength: 60, maxLength: 160 }), async (scheduler, steps) => {
        const history = new Map<string, number[]>(keys.map((name) => [name, [time]]))
        const coverage = { since: time - 1, until: time - 1, want: () => {} }
        // Notifications in commit order: a changed key, or the time at which a beat was sent. Null without a connection.
        let queue: (string | number)[] | null = []
        const readTimes = new Map<string, number>()
        const cache = lookupCache<{ version: number }>({
          coverage,
          load: async (name) => {
            const readAt = time
            await scheduler.schedule(Promise.resolve(), `read ${name}`)
            const version = (history.get(name) as number[]).length
            await scheduler.schedule(Promise.resolve(), `answer ${name}`)
            readTimes.set(name, readAt)
            return { version }
          },
          tagsOf: (_, name) => [name],
        })
        const checks: Promise<void>[] = []
        for (const now of steps) {
          if (now.do === 'get') {
            const atLeast = (history.get(now.key) as number[]).filter((at) => at <= time - maxAgeMs).length
            const answer = cache.get(now.key)
            if (!(answer instanceof Promise) && time - (readTimes.get(now.key) as number) >= maxAgeMs) old++
            checks.push(Promise.resolve(answer).then(({ version }) => expect(version).toBeGreaterThanOrEqual(atLeast)))
          } else if (now.do === 'change elsewhere') {
            ;(history.get(now.key) as number[]).push(time)
            queue?.push(now.key)
          } else if (now.do === 'beat') queue?.push(time)
          else if (now.do === 'receive') {
            const next = queue?.shift()
            if (typeof next === 'string') cache.forget(next)
            if (typeof next === 'number') coverage.until = next
          } else if (now.do === 'lose the connection') {
            queue = null
            coverage.since = Number.POSITIVE_INFINITY
          } else if (now.do === 'listen' && queue === null) {
            queue = []
            coverage.since = time
          } else if (now.do === 'wait') time += now.ms
          else if (now.do === 'let reads go on') while (scheduler.count() > 2) await scheduler.waitOne()
        }
        const all = Promise.all(checks)
        await scheduler.waitFor(all)
        await all
      }),
      { numRuns: 600 },
    )
    // Without this the test would prove nothing.
    expect(old).toBeGreaterThan(100)
  })
})

function counting() {
  let loads = 0
  const pending: { resolve(value: string): void; reject(error: Error): void }[] = []
  const cache = lookupCache<string>({
    max: 2,
    load: () => {
      loads++
      return new Promise((resolve, reject) => pending.push({ resolve, reject }))
    },
    tagsOf: (value) => [value],
  })
  const next = () => pending.shift() as (typeof pending)[number]
  return { cache, next, loads: () => loads }
}

describe('cached reads', () => {
  it('concurrent callers share one read', async () => {
    const { cache, next, loads } = counting()
    const answers = Array.from({ length: 100 }, () => cache.get('k'))
    next().resolve('v')
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['v']))
    expect(loads()).toBe(1)
  })

  it('a cached value is served until it is too old, counted from when the read began', async () => {
    const { cache, next, loads } = counting()
    const first = cache.get('k')
    time += 300
    next().resolve('v')
    await first
    time += maxAgeMs - 300 - 1
    expect(cache.get('k')).toBe('v')
    time += 1
    expect(cache.get('k')).toBeInstanceOf(Promise)
    expect(loads()).toBe(2)
    next().resolve('w')
  })

  it('a value with another tag stays', async () => {
    const { cache, next, loads } = counting()
    const first = cache.get('k')
    next().resolve('v')
    await first
    cache.forget('other')
    expect(cache.get('k')).toBe('v')
    expect(loads()).toBe(1)
  })

  it('the number of cached values is limited', async () => {
    const { cache, next, loads } = counting()
    for (const name of ['a', 'b', 'c', 'c', 'a']) {
      const answer = cache.get(name)
      if (answer instanceof Promise) next().resolve(name)
      await answer
    }
    expect(loads()).toBe(4)
  })
})

describe('a read that fails', () => {
  it('fails for the callers that waited for it, and the next caller reads again', async () => {
    const { cache, next } = counting()
    const waiting = [cache.get('k'), cache.get('k')]
    next().reject(new Error('away'))
    for (const each of waiting) await expect(each).rejects.toThrow('away')
    const again = cache.get('k')
    next().resolve('v')
    expect(await again).toBe('v')
  })

  it('does not remove the value of a later read', async () => {
    const { cache, next } = counting()
    const early = cache.get('k')
    cache.forget('any')
    const late = cache.get('k')
    const failing = next()
    next().resolve('v')
    expect(await late).toBe('v')
    failing.reject(new Error('away'))
    await expect(early).rejects.toThrow('away')
    expect(cache.get('k')).toBe('v')
  })
})
