/**
 * Writes the signatures of logs that no batch continues. The next batch of a log writes the signature of the size before
 * it, so only idle logs need an extra write. What a killed process left unwritten is signed again when it is read.
 */
import type { Logger } from 'pino'
import type { Cell } from '../data/cells.ts'
import type { SignatureKeeper, SignatureRow } from './log-keys.ts'
import { writeSignatures } from './queries.ts'

export interface RestingLogs extends SignatureKeeper {
  /** Writes all that is left. */
  close(): Promise<void>
}

const restMs = 2000
const maxWaiting = 100_000
const maxAtOnce = 500

interface Kept extends SignatureRow {
  readonly cell: string
  readonly since: number
}

export function restingLogs(cellOf: (name: string) => Cell, log: Logger): RestingLogs {
  /** In the order of their last seals. */
  const waiting = new Map<string, Kept>()
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  /** A failure costs nothing but a signature when the log is read. */
  async function write(rows: readonly Kept[]): Promise<void> {
    for (const [cell, part = []] of Object.entries(Object.groupBy(rows, (row) => row.cell))) {
      for (let at = 0; at < part.length; at += maxAtOnce) {
        const some = part.slice(at, at + maxAtOnce)
        const plain = some.map(({ center_id, domain, size, line }) => ({ center_id, domain, size, line }))
        await writeSignatures(cellOf(cell), plain).catch((error: unknown) =>
          log.debug({ err: error, cell }, 'signatures of resting logs were not written'),
        )
      }
    }
  }

  function take(until: number): readonly Kept[] {
    const rested: Kept[] = []
    for (const [key, row] of waiting) {
      if (row.since > until) break
      waiting.delete(key)
      rested.push(row)
    }
    return rested
  }

  const turn = () => {
    timer = null
    writing = writing.then(() => write(take(performance.now() - restMs)))
    void writing.then(wake)
  }
  const wake = () => {
    if (waiting.size > 0) timer ??= setTimeout(turn, restMs / 2).unref()
  }

  return {
    keep(cell, rows) {
      const since = performance.now()
      for (const row of rows) {
        const key = `${cell} ${row.center_id} ${row.domain}`
        if ((waiting.get(key)?.size ?? 0) >= row.size) continue
        waiting.delete(key)
        if (waiting.size < maxWaiting) waiting.set(key, { ...row, cell, since })
      }
      wake()
    },
    async close() {
      if (timer) clearTimeout(timer)
      await writing
      await write(take(Number.POSITIVE_INFINITY))
    },
  }
}
