import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Lease, leaseWorker } from '../leases.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a worker that took nothing for ten seconds asks when it is told, otherwise twice a minute', async () => {
  let [asked, due] = [0, 0]
  const worker = leaseWorker<Lease>({
    name: 'test',
    store: {
      async take() {
        asked++
        return due-- > 0 ? [{ epoch: 1, taken_over: false }] : []
      },
      release: async () => {},
    },
    most: 10,
    work: async () => 'done',
    takenOver() {},
    log: pino({ level: 'silent' }),
    fields: () => ({}),
  })
  const during = async (ms: number) => {
    asked = 0
    await vi.advanceTimersByTimeAsync(ms)
    return asked
  }
  worker.start()
  expect(await during(10_000)).toBeGreaterThan(60)
  expect(await during(60_000)).toBeLessThanOrEqual(3)
  due = 1
  worker.wake()
  expect(await during(9000)).toBeGreaterThan(50)
  await during(2000)
  expect(await during(60_000)).toBeLessThanOrEqual(3)
  await worker.stop()
})

describe('a worker that drains', () => {
  interface Row extends Lease {
    readonly id: number
  }
  /** `rows` are due; what is taken is due no more. */
  const drained = (rows: number, work: (row: Row) => Promise<'done'>) => {
    const [due, taken, released] = [Array.from({ length: rows }, (_, id) => id), [] as number[][], [] as number[]]
    let [held, mostHeld] = [0, 0]
    const worker = leaseWorker<Row>({
      name: 'test',
      store: {
        async take(_at, _until, most) {
          const ids = due.splice(0, most)
          taken.push(ids)
          return ids.map((id) => ({ id, epoch: 1, taken_over: false }))
        },
        release: async ({ id }) => void released.push(id),
      },
      most: 4,
      async work(row) {
        mostHeld = Math.max(mostHeld, ++held)
        return work(row).finally(() => held--)
      },
      log: pino({ level: 'silent' }),
      fields: () => ({}),
    })
    return { worker, taken, released, mostHeld: () => mostHeld }
  }

  it('works on all that is due, at most so many at a time, without being started, and ends', async () => {
    vi.useRealTimers()
    const done = new Set<number>()
    const { worker, mostHeld } = drained(11, async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, id === 0 ? 50 : 1))
      done.add(id)
      return 'done'
    })
    await worker.drain()
    expect([done.size, mostHeld()]).toEqual([11, 4])
  })

  it('holds no more than that where fifty drain at once, and takes what became due meanwhile', async () => {
    vi.useRealTimers()
    const done = new Set<number>()
    const { worker, mostHeld } = drained(50, async ({ id }) => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      done.add(id)
      return 'done'
    })
    await Promise.all(Array.from({ length: 50 }, () => worker.drain()))
    expect([done.size, mostHeld()]).toEqual([50, 4])
  })

  it('ends at once where nothing is due, and waits for what another drain of the process took', async () => {
    vi.useRealTimers()
    let finished = false
    const { worker } = drained(1, async () => {
      await new Promise((resolve) => setTimeout(resolve, 30))
      finished = true
      return 'done'
    })
    const first = worker.drain()
    await new Promise((resolve) => setTimeout(resolve, 5))
    await worker.drain()
    expect(finished).toBe(true)
    await first
    await worker.drain()
  })

  it('gives back what failed, and goes on', async () => {
    const { worker, released, taken } = drained(3, async ({ id }) => {
      if (id === 1) throw new Error('a defect')
      return 'done'
    })
    await worker.drain()
    expect([released, taken.flat().length]).toEqual([[1], 3])
  })
})
