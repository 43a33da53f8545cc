import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
