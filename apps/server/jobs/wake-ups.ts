/**
 * Notifies workers that something was written to a cell, so that idle ones check for due work immediately: in this process by a call,
 * in others over Redis. A lost message only costs the time until the next check (due-work.ts).
 */
import type { Redis } from 'ioredis'
import type { Logger } from 'pino'
import { type Spaced, spaced } from '../concurrency/spaced.ts'

/** The most messages of one process and cell: four a second, however much it writes. */
export const spacingMs = 250

export interface WakeUps {
  /** Called after a transaction that may have made work due. Never throws. */
  wrote(cell: string): void
  /** Calls `listener` with the name of a cell to which this or another process wrote. */
  listen(listener: (cell: string) => void): void
  /** Whether this process is notified of what others write. */
  heard(): boolean
  close(): void
}

export function wakeUps(redis: Redis | null, prefix: string, log: Logger): WakeUps {
  const channel = `${prefix}:due`
  const listeners: ((cell: string) => void)[] = []
  const senders = new Map<string, Spaced>()
  let subscriber: Redis | null = null
  let subscribed = false

  function tell(cell: string): void {
    for (const listener of listeners) listener(cell)
  }

  function senderOf(cell: string): Spaced {
    const made = spaced(spacingMs, () => {
      tell(cell)
      // Without Redis, workers find the work at their next check.
      redis?.publish(channel, cell).catch(() => {})
    })
    senders.set(cell, made)
    return made
  }

  function subscribe(from: Redis): Redis {
    const failure = 'work that other processes make due is not announced; workers find it at their next look'
    const made = from.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null })
    made.on('error', () => {})
    made.on('message', (_channel, cell: string) => tell(cell))
    made.subscribe(channel).then(
      () => {
        subscribed = true
      },
      (error: unknown) => log.warn({ err: error }, failure),
    )
    return made
  }

  return {
    wrote: (cell) => (senders.get(cell) ?? senderOf(cell)).ask(),
    listen(listener) {
      listeners.push(listener)
      if (redis) subscriber ??= subscribe(redis)
    },
    // A connection that returns subscribes again by itself.
    heard: () => subscribed && subscriber?.status === 'ready',
    close() {
      for (const sender of senders.values()) sender.stop()
      subscriber?.disconnect()
    },
  }
}
