import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Release, turns } from '../turns.ts'

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Takes for `key` and writes the key to `order` when admitted. */
function taker(limit: ReturnType<typeof turns>, order: string[]) {
  const held: Release[] = []
  return {
    held,
    take: (key: string, weight?: number) =>
      void limit.take(key, weight).then((release) => {
        order.push(key)
        held.push(release)
      }),
  }
}

it('serves keys in turn, not in the order of arrival', async () => {
  const order: string[] = []
  const limit = turns({ total: 1 })
  const { held, take } = taker(limit, order)
  for (let n = 0; n < 4; n++) take('loud')
  take('quiet')
  take('calm')
  for (let n = 0; n < 6; n++) {
    await turn()
    held.shift()?.()
  }
  await turn()
  expect(order).toEqual(['loud', 'loud', 'quiet', 'calm', 'loud', 'loud'])
})

it('bounds the weight of one key, and admits other keys meanwhile', async () => {
  const limit = turns({ total: 100, perKey: 4 })
  const first = limit.tryTake('a', 3)
  expect(limit.tryTake('a', 2)).toBeNull()
  expect(limit.tryTake('b', 4)).not.toBeNull()
  let admitted = false
  void limit.take('a', 2).then(() => {
    admitted = true
  })
  await turn()
  expect([admitted, limit.waiting('a')]).toEqual([false, 1])
  // A light request of the same key does not overtake.
  expect(limit.tryTake('a', 1)).toBeNull()
  first?.()
  await turn()
  expect([admitted, limit.waiting('a')]).toEqual([true, 0])
})

it('admits a weight above the bounds alone', () => {
  const limit = turns({ total: 10, perKey: 2 })
  const large = limit.tryTake('a', 50)
  expect(large).not.toBeNull()
  expect(limit.tryTake('b', 1)).toBeNull()
  large?.()
  expect(limit.tryTake('b', 1)).not.toBeNull()
})

it('makes lighter waiters wait behind a heavy one whose turn it is', async () => {
  const order: string[] = []
  const limit = turns({ total: 10 })
  const { take } = taker(limit, order)
  const first = limit.tryTake('a', 6)
  const second = limit.tryTake('a', 4)
  take('heavy', 10)
  take('light', 1)
  second?.()
  await turn()
  expect(order).toEqual([])
  expect(limit.tryTake('newcomer', 1)).toBeNull()
  first?.()
  await turn()
  expect(order).toEqual(['heavy'])
})

it('removes an aborted waiter, and serves those that waited behind it', async () => {
  const limit = turns({ total: 10 })
  limit.tryTake('a', 5)
  const leaving = new AbortController()
  const heavy = limit.take('b', 10, leaving.signal)
  const light = limit.take('c', 5)
  leaving.abort(new Error('left'))
  await expect(heavy).rejects.toThrow('left')
  await light
  expect(limit.waiting('b')).toBe(0)
})

it('counts a release once', () => {
  const limit = turns({ total: 2 })
  const one = limit.tryTake('a', 1)
  limit.tryTake('a', 1)
  one?.()
  one?.()
  limit.tryTake('a', 1)
  expect(limit.tryTake('a', 1)).toBeNull()
})

it('releases after failed work', async () => {
  const limit = turns({ total: 1 })
  await expect(limit.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await limit.run('a', () => 7)).toBe(7)
})

it('never exceeds a bound, admits every waiter, and ends empty, for any sequence', async () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    weight: fc.integer({ min: 1, max: 5 }),
    free: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const limit = turns({ total: 9, perKey: 5 })
      const held: { key: string; weight: number; release: Release }[] = []
      const sum = (key?: string) =>
        held.filter((each) => key === undefined || each.key === key).reduce((all, { weight }) => all + weight, 0)
      let admitted = 0
      for (const { key, weight, free } of steps) {
        void limit.take(key, weight).then((release) => {
          held.push({ key, weight, release })
          admitted++
        })
        if (free % 2) held.splice(free % Math.max(1, held.length), 1)[0]?.release()
        await turn()
        expect(sum()).toBeLessThanOrEqual(9)
        for (const each of ['a', 'b', 'c']) expect(sum(each)).toBeLessThanOrEqual(5)
      }
      while (held.length > 0) {
        held.pop()?.release()
        await turn()
      }
      expect(admitted).toBe(steps.length)
      expect(limit.tryTake('a', 5)).not.toBeNull()
      expect(limit.tryTake('b', 4)).not.toBeNull()
    }),
    { numRuns: 100 },
  )
})
