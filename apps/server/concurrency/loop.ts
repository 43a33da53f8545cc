/**
 * Work that a process repeats until it stops: a turn, a pause, the next turn. A failed turn is logged and tried again, after
 * pauses that grow to a second at most, so that a database that returns is noticed within that second.
 */
import type { Logger } from 'pino'

export interface Loop {
  start(): void
  /** Begins the next turn without a pause; during a turn, right after it. */
  wake(): void
  /** Begins no further turn, and resolves when the current one has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** The pause between two turns. A function is called after each turn. */
  readonly everyMs: number | (() => number)
  /** `stop` aborts when the loop stops. */
  readonly turn: (stop: AbortSignal) => Promise<unknown>
  readonly log: Logger
  /** The log message of a failed turn, and the fields that go with it. */
  readonly failure: string
  readonly fields?: object
}

/** The longest pause after failures, for a loop whose own pause is shorter. */
const longestBackoffMs = 1000
/** While turns keep failing, the log repeats it this often. */
const logEveryMs = 60_000

export function loop({ everyMs, turn, log, failure, fields }: LoopOptions): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<void> | null = null
  let wake = () => {}
  let failures = 0
  let loggedAt = Number.NEGATIVE_INFINITY

  function failed(error: unknown): void {
    failures++
    if (signal.aborted || performance.now() - loggedAt < logEveryMs) return
    loggedAt = performance.now()
    log.warn({ ...fields, err: error }, failure)
  }

  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      // Made before the turn: a wake during the turn may be about something that the turn did not see.
      const { promise: woken, resolve } = Promise.withResolvers<void>()
      wake = resolve
      try {
        await turn(signal)
        failures = 0
        loggedAt = Number.NEGATIVE_INFINITY
      } catch (error) {
        failed(error)
      }
      if (signal.aborted) return
      const pauseMs = typeof everyMs === 'number' ? everyMs : everyMs()
      const timer = setTimeout(resolve, Math.max(pauseMs, Math.min(longestBackoffMs, pauseMs * 2 ** failures)))
      await woken
      clearTimeout(timer)
    }
  }

  return {
    start() {
      running ??= repeat()
    },
    wake: () => wake(),
    async stop() {
      stopping.abort()
      wake()
      await running
    },
  }
}

export type Startable = Pick<Loop, 'start' | 'stop'>

/** Loops that start and stop together. */
export const loops = (all: readonly Startable[]): Startable => ({
  start() {
    for (const each of all) each.start()
  },
  async stop() {
    await Promise.all(all.map((each) => each.stop()))
  },
})
