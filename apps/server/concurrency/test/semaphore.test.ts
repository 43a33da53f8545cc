import { expect, it } from 'vitest'
import { semaphore } from '../semaphore.ts'

/** Work that the test ends. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  return { promise, resolve, reject }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it('runs at most as many pieces of work at a time as it has permits, in the order of arrival', async () => {
  const limit = semaphore(2)
  const work = [held(), held(), held(), held()]
  const started: number[] = []
  const all = work.map((each, at) =>
    limit.run(() => {
      started.push(at)
      return each.promise
    }),
  )
  await turn()
  expect(started).toEqual([0, 1])
  expect(limit.waiting()).toBe(2)
  work[1]?.resolve()
  await turn()
  expect(started).toEqual([0, 1, 2])
  work[2]?.resolve()
  await turn()
  expect(started).toEqual([0, 1, 2, 3])
  expect(limit.waiting()).toBe(0)
  for (const each of work) each.resolve()
  await Promise.all(all)
})

it('returns the permit when the work fails, and passes the error on', async () => {
  const limit = semaphore(1)
  await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(
    limit.run(() => {
      throw new Error('broken at once')
    }),
  ).rejects.toThrow('broken at once')
  expect(await limit.run(async () => 'next')).toBe('next')
})

it('gives a released permit to the first waiter, not to a caller that arrives at that moment', async () => {
  const limit = semaphore(1)
  const order: string[] = []
  await limit.acquire()
  const waiter = limit.acquire().then(() => order.push('waiter'))
  limit.release()
  const late = limit.acquire().then(() => order.push('late'))
  await waiter
  await turn()
  expect(order).toEqual(['waiter'])
  limit.release()
  await late
  expect(order).toEqual(['waiter', 'late'])
})
