import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { afterAll, expect, it } from 'vitest'
import { testRedis } from '../../../../tests/support/server.ts'
import { openCounters } from '../counters.ts'

const redis = new Redis(testRedis)
afterAll(() => redis.disconnect())

const running = (points: readonly number[]) => points.map((_, at) => points.slice(0, at + 1).reduce((a, b) => a + b))

it('counts in Redis as in memory, for any groups', async () => {
  const group = fc.integer({ min: 1, max: 6 }).chain((size) =>
    fc.record({
      key: fc.constantFrom('a', 'b'),
      own: fc.integer({ min: 0, max: 8 }),
      shared: fc.integer({ min: 0, max: 12 }),
      bytes: fc.array(fc.integer({ min: 0, max: 50 }), { minLength: size, maxLength: size }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(group, { maxLength: 12 }), async (groups) => {
      const prefix = `counters-${randomBytes(6).toString('hex')}`
      const [inRedis, inMemory] = [openCounters(redis), openCounters(null)]
      for (const { key, own, shared, bytes } of groups) {
        const counters = [
          { key: `${prefix}:${key}`, windowMs: 60_000, limit: own },
          { key: `${prefix}:center`, windowMs: 60_000, limit: shared },
          { key: `${prefix}:bytes`, windowMs: 60_000, limit: 200 },
        ]
        const added = { size: bytes.length, counters, sums: running(bytes) }
        const [one, other] = [await inRedis.add(added), await inMemory.add(added)]
        expect(one.map(({ before }) => before)).toEqual(other.map(({ before }) => before))
        for (const { msLeft } of [...one, ...other]) expect(msLeft).toBeGreaterThan(50_000)
      }
    }),
    { numRuns: 60 },
  )
})

it.each([
  ['Redis', () => openCounters(redis)],
  ['memory', () => openCounters(null)],
])('adds a request only to counters before the one that refuses it: %s', async (_, open) => {
  const counters = open()
  const prefix = `counters-${randomBytes(6).toString('hex')}`
  const add = (key: string, limit: number) =>
    counters.add({
      size: 3,
      counters: [
        { key: `${prefix}:${key}`, windowMs: 60_000, limit },
        { key: `${prefix}:all`, windowMs: 60_000, limit: 100 },
      ],
    })
  await add('first', 2)
  await add('first', 2)
  expect((await add('second', 5)).map(({ before }) => before)).toEqual([0, 2])
  expect((await add('third', 5)).map(({ before }) => before)).toEqual([0, 5])
})

it.each([
  ['Redis', () => openCounters(redis)],
  ['memory', () => openCounters(null)],
])('starts anew when the window ends: %s', async (_, open) => {
  const counters = open()
  const key = `counters-${randomBytes(6).toString('hex')}`
  const add = async () => (await counters.add({ size: 1, counters: [{ key, windowMs: 300, limit: 5 }] }))[0]?.before
  expect([await add(), await add()]).toEqual([0, 1])
  await new Promise((resolve) => setTimeout(resolve, 350))
  expect(await add()).toBe(0)
  await counters.clear(key)
  expect(await add()).toBe(0)
})
