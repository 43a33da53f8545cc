import { pino } from 'pino'
import { expect, it } from 'vitest'
import { loop, loops } from '../loop.ts'

function logged() {
  const lines: Record<string, unknown>[] = []
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) }
}

const never = 1_000_000
const failure = 'the turn failed; it will be tried again'

/** Turns that a test counts and waits for. */
function counted(work: (turn: number) => Promise<unknown> = async () => {}) {
  let turns = 0
  const waiting: { readonly at: number; readonly resolve: () => void }[] = []
  return {
    turns: () => turns,
    reached: (at: number) => new Promise<void>((resolve) => (turns >= at ? resolve() : waiting.push({ at, resolve }))),
    async turn() {
      turns++
      for (const { at, resolve } of waiting) if (turns >= at) resolve()
      await work(turns)
    },
  }
}

it('starts the first turn at once, and the next after each pause', async () => {
  const { log } = logged()
  const count = counted()
  const everyMs = 40
  const repeating = loop({ everyMs, turn: count.turn, log, failure })
  const began = performance.now()
  repeating.start()
  await count.reached(1)
  expect(performance.now() - began).toBeLessThan(everyMs)
  await count.reached(5)
  // Four pauses; timers may be a millisecond early each.
  expect(performance.now() - began).toBeGreaterThanOrEqual(4 * (everyMs - 1))
  await repeating.stop()
})

it('starts the next turn when it is woken, also during a turn', async () => {
  const { log } = logged()
  const count = counted(async (turn) => {
    if (turn === 2) repeating.wake()
  })
  const repeating = loop({ everyMs: never, turn: count.turn, log, failure })
  repeating.start()
  await count.reached(1)
  await new Promise((resolve) => setImmediate(resolve))
  expect(count.turns()).toBe(1)
  repeating.wake()
  await count.reached(3)
  await repeating.stop()
  expect(count.turns()).toBe(3)
})

it('aborts the signal of the current turn when it stops, waits for it, and starts no other', async () => {
  const { log } = logged()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  let ended = 0
  const repeating = loop({
    everyMs: 1,
    turn: (stop) => {
      begin()
      return new Promise<void>((resolve) =>
        stop.addEventListener('abort', () =>
          setTimeout(() => {
            ended++
            resolve()
          }, 20),
        ),
      )
    },
    log,
    failure,
  })
  repeating.start()
  await begun
  await repeating.stop()
  expect(ended).toBe(1)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(ended).toBe(1)
})

it('continues after failures with longer pauses, and logs the first of a series', async () => {
  const { log, lines } = logged()
  const at: number[] = []
  const count = counted(async (turn) => {
    at.push(performance.now())
    if (turn !== 6) throw new Error(`turn ${turn}`)
  })
  const repeating = loop({ everyMs: 10, turn: count.turn, log, failure, fields: { cell: 'main' } })
  repeating.start()
  await count.reached(8)
  await repeating.stop()
  expect(lines.map(({ msg, cell, err }) => [msg, cell, (err as Error).message])).toEqual([
    [failure, 'main', 'turn 1'],
    [failure, 'main', 'turn 7'],
  ])
  // 20, 40, 80 and 160 ms; a timer may be a millisecond early.
  expect((at[4] as number) - (at[0] as number)).toBeGreaterThan(290)
})

it('can be stopped before it starts, and starts only once', async () => {
  const { log } = logged()
  const count = counted()
  await loop({ everyMs: never, turn: count.turn, log, failure }).stop()
  expect(count.turns()).toBe(0)
  const together = loops([1, 2].map(() => loop({ everyMs: never, turn: count.turn, log, failure })))
  together.start()
  together.start()
  expect(count.turns()).toBe(2)
  await together.stop()
  expect(count.turns()).toBe(2)
})
