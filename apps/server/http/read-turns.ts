/**
 * Lists and downloads take turns between tenants, as bodies and seals do. A tenant reads a few at a time; the others of its
 * requests wait and hold no database connection. While other tenants are active it pauses after each list for what that cost,
 * in time and in bytes, and after each part of a download, for which nobody waits, three times as long.
 */
import { turns } from '../concurrency/turns.ts'
import type { Config } from '../config/config.ts'
import { Problem } from '../lib/problem.ts'

/** What the process sends in a millisecond beside the reading: writing to sockets takes time that no reading shows. */
const bytesPerMs = 100_000
/** Of what was read, while other tenants are active. */
const pauses = { list: 1, part: 3 }
/** A list that had no turn until then is refused. */
const longestWaitMs = 10_000

export interface ReadTurns {
  /** Runs `work` when it is the tenant's turn; it returns the bytes that it has sent. */
  list(tenant: string, left: AbortSignal, work: () => Promise<number>): Promise<number>
  /** The same parts, each read in a turn of its own. */
  stream<Part extends string | Uint8Array>(tenant: string, parts: AsyncIterable<Part>): AsyncIterable<Part>
}

const tooMany = () =>
  new Problem(
    'RATE_LIMITED',
    'Too many list requests from this center are waiting. Wait for responses before you send more.',
    {
      retryAfter: 1,
    },
  )

/** Half of the connections of a pool are never used for lists and downloads. */
export function readTurns({ poolSize }: Pick<Config, 'poolSize'>, isShared: () => boolean): ReadTurns {
  const total = Math.max(1, Math.floor(poolSize / 2))
  const reading = turns({ total, perKey: Math.max(1, Math.floor(total / 2)) })

  /** Reads, and gives the turn back after the pause. */
  async function read<T>(
    release: () => void,
    pause: number,
    work: () => Promise<T>,
    bytesOf: (result: T) => number,
  ): Promise<T> {
    const began = performance.now()
    let bytes = 0
    try {
      const result = await work()
      bytes = bytesOf(result)
      return result
    } finally {
      if (isShared()) setTimeout(release, pause * (performance.now() - began + bytes / bytesPerMs))
      else release()
    }
  }

  return {
    async list(tenant, left, work) {
      const late = AbortSignal.timeout(longestWaitMs)
      const release =
        reading.tryTake(tenant) ??
        (await reading.take(tenant, 1, AbortSignal.any([left, late])).catch((error: unknown) => {
          throw late.aborted && !left.aborted ? tooMany() : error
        }))
      return read(release, pauses.list, work, (bytes) => bytes)
    },
    async *stream(tenant, parts) {
      const iterator = parts[Symbol.asyncIterator]()
      try {
        for (;;) {
          const release = await reading.take(tenant)
          const part = await read(release, pauses.part, () => iterator.next(), lengthOf)
          if (part.done) return
          yield part.value
        }
      } finally {
        await iterator.return?.()
      }
    },
  }
}

const lengthOf = ({ done, value }: IteratorResult<string | Uint8Array>): number => (done ? 0 : value.length)
