/**
 * Which events `listen` has handed over. A line is written after the receiver answered and before the next event is sent, so a
 * kill repeats at most the one that was on its way.
 */
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export interface Handed {
  readonly id: string
  readonly createdAt: string
}

export interface Journal {
  has(id: string): boolean
  add(handed: Handed): void
  /** The newest time of an event in it; null for an empty one. */
  newest(): string | null
}

/** As long as an event may become visible after one with a later ID, and a margin. */
export const overlapMs = 120_000
const compactFrom = 5000

/** `file` belongs to one webhook: its first line says which. */
export function openJournal(file: string, webhookId: string): Journal {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const [owner, ...lines] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : ['']
  const known = new Map<string, string>()
  // A kill while a line was written leaves half of it: that event is handed over again.
  const whole = lines.slice(0, -1)
  if (owner === webhookId) for (const line of whole) known.set(line.slice(25), line.slice(0, 24))
  let newest = [...known.values()].reduce<string | null>((last, at) => (last === null || at > last ? at : last), null)
  rewrite()

  function rewrite(): void {
    const from = newest === null ? '' : new Date(Date.parse(newest) - overlapMs).toISOString()
    for (const [id, at] of known) if (at < from) known.delete(id)
    const text = [webhookId, ...[...known].map(([id, at]) => `${at} ${id}`), ''].join('\n')
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    chmodSync(`${file}.new`, 0o600)
    renameSync(`${file}.new`, file)
  }

  return {
    has: (id) => known.has(id),
    add({ id, createdAt }) {
      appendFileSync(file, `${createdAt} ${id}\n`)
      known.set(id, createdAt)
      if (newest === null || createdAt > newest) newest = createdAt
      if (known.size >= compactFrom && known.size % compactFrom === 0) rewrite()
    },
    newest: () => newest,
  }
}
