/**
 * The state of a witness: the last cosigned checkpoint of every log, in the SQLite of Node. SQLite has a lock that ends
 * with its process, commits that survive a power cut, and updates of one log among 100,000 without rewriting the file.
 *
 * A rollback journal and not a write-ahead log: one file holds the whole state, so that an operator who moves it cannot
 * leave a part behind.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Judgement, judge, type Known, neverSeen, type Submission } from './witness.ts'

export interface Settled {
  readonly judgement: Judgement
  /** The size after the decision. */
  readonly size: number
}

export interface Contradiction {
  readonly origin: string
  readonly size: number
  readonly seenAt: number
  /** Two notes that the log's own key signed, for one size, with different roots. */
  readonly cosigned: string
  readonly refused: string
}

export interface State {
  /** Resolves when the decision is on disk; rejects when that is unknown, and then the witness must not sign. */
  settle(submission: Submission, now: number): Promise<Settled>
  counts(): { readonly logs: number; readonly contradictions: number }
  contradictions(): readonly Contradiction[]
  close(): void
}

export class StateError extends Error {}

const applicationId = 0x77746e73
const layout = `
  CREATE TABLE logs (
    origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL, cosigned_at INTEGER NOT NULL
  ) WITHOUT ROWID, STRICT;
  CREATE TABLE contradictions (
    origin TEXT NOT NULL, size INTEGER NOT NULL, seen_at INTEGER NOT NULL, cosigned TEXT NOT NULL, refused TEXT NOT NULL,
    PRIMARY KEY (origin, size)
  ) WITHOUT ROWID, STRICT;
  PRAGMA application_id = ${applicationId};
`

/** Only for a new key: a witness without its earlier state could cosign a second history. */
export function createState(file: string): void {
  if (existsSync(file)) throw new StateError(`${file} already exists. A witness must keep its state.`)
  const database = new DatabaseSync(file)
  database.exec(`PRAGMA synchronous = EXTRA; BEGIN EXCLUSIVE; ${layout} COMMIT`)
  database.close()
}

export function openState(file: string): State {
  if (!existsSync(file)) {
    throw new StateError(
      `The state file ${file} is missing. Without it, this witness could cosign a second history of a log it knows: ` +
        'restore the file, or create a new key with "init" and have the old one removed from trust policies.',
    )
  }
  const database = opened(file)
  const find = database.prepare('SELECT size, root, note FROM logs WHERE origin = ?')
  const store = database.prepare('INSERT OR REPLACE INTO logs VALUES (?, ?, ?, ?, ?)')
  const keep = database.prepare('INSERT OR IGNORE INTO contradictions VALUES (?, ?, ?, ?, ?)')

  function settleNow(submission: Submission, now: number): Settled {
    const { checkpoint, noteText } = submission
    const { origin, size, root } = checkpoint
    const row = find.get(origin) as (Known & { note: string }) | undefined
    const known = row ?? neverSeen
    const judgement = judge(submission, known)
    if (judgement === 'another root' && row) keep.run(origin, size, now, row.note, noteText)
    if (judgement !== 'cosign') return { judgement, size: known.size }
    if (!row || size > known.size) store.run(origin, size, root, noteText, now)
    return { judgement, size }
  }

  const settleTogether = together(database, settleNow)
  const count = (table: string): number =>
    (database.prepare(`SELECT count(*) AS count FROM ${table}`).get() as { count: number }).count
  return {
    settle: settleTogether,
    counts: () => ({ logs: count('logs'), contradictions: count('contradictions') }),
    contradictions: () =>
      database
        .prepare('SELECT origin, size, seen_at AS "seenAt", cosigned, refused FROM contradictions ORDER BY seen_at')
        .all() as unknown as Contradiction[],
    close: () => database.close(),
  }
}

function opened(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // In this mode the first lock is kept until the process ends, also after a crash.
    database.exec('PRAGMA locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE; COMMIT')
    const { application_id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
    if (application_id !== applicationId) throw new StateError(`${file} isn't a witness state file.`)
    const { quick_check } = database.prepare('PRAGMA quick_check(1)').get() as { quick_check: string }
    if (quick_check !== 'ok')
      throw new StateError(`${file} is damaged (${quick_check}), so the witness can't start. Restore it from a backup.`)
    // fullfsync: on macOS a plain fsync does not reach the disk.
    database.exec('PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = EXTRA; PRAGMA fullfsync = ON')
    return database
  } catch (error) {
    database.close()
    if (error instanceof StateError) throw error
    const { message } = error as Error
    if (/locked|busy/.test(message))
      throw new StateError(`${file} is in use by another process. Only one process can use it.`)
    throw new StateError(`${file} can't be read (${message}).`)
  }
}

interface Waiting {
  readonly submission: Submission
  readonly now: number
  readonly resolve: (settled: Settled) => void
  readonly reject: (error: unknown) => void
}

/**
 * One transaction for all submissions of one turn of the event loop: a write to disk costs the same for one as for a
 * hundred. The transaction awaits nothing, so check and store are atomic for every log.
 */
function together(
  database: DatabaseSync,
  settleNow: (submission: Submission, now: number) => Settled,
): State['settle'] {
  let waiting: Waiting[] = []
  function flush(): void {
    const batch = waiting
    waiting = []
    try {
      database.exec('BEGIN IMMEDIATE')
      const settled = batch.map(({ submission, now }) => settleNow(submission, now))
      database.exec('COMMIT')
      for (const [position, { resolve }] of batch.entries()) resolve(settled[position] as Settled)
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      for (const { reject } of batch) reject(error)
    }
  }
  return (submission, now) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ submission, now, resolve, reject })
    })
}
