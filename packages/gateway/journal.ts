/**
 * What must survive a kill: every held call and how far it got, in the SQLite of Node, whose lock ends with its process.
 *
 *     open -> forwarded -> answered -> ended
 *
 * `forwarded` is on disk before the first byte goes to the server behind the gateway, and only one attempt gets from `open` to
 * `forwarded`: a call that is found forwarded and not answered may have run, and is never sent again. A copy of this file
 * in two places would break that, so each file belongs to one gateway.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CallToolResult } from '@modelcontextprotocol/server'

export type Phase = 'open' | 'forwarded' | 'answered' | 'ended'

export interface HeldCall {
  readonly id: string
  readonly agent: string
  /** As approvers see it. It stays the same when the configuration changes: it belongs to what was asked. */
  readonly agentName: string | undefined
  readonly upstream: string
  /** As the server behind the gateway names it. */
  readonly tool: string
  /** Of the tool as the agent saw it. */
  readonly toolDigest: string
  /** As agents see it. */
  readonly shown: string
  readonly action: string
  readonly riskScore: number | undefined
  readonly args: Readonly<Record<string, unknown>>
  readonly trace: { readonly traceId: string; readonly spanId: string }
  /** Of agent, server, tool and arguments. */
  readonly digest: string
  readonly madeAt: number
}

export interface Journal {
  /** Resolves when the call is on disk. */
  add(call: HeldCall): Promise<void>
  phase(id: string): Phase | null
  /** Whether this attempt may send the call: false if one before it did. */
  forward(id: string): Promise<boolean>
  answer(id: string, result: CallToolResult): Promise<void>
  /** The call has its final result. */
  end(id: string, result: CallToolResult, now: number): Promise<void>
  /**
   * The agent has the result: the same call made again is another one. If it has no handle, nobody can ask again, and the row
   * is deleted.
   */
  delivered(id: string): Promise<void>
  result(id: string): CallToolResult | null
  find(id: string): HeldCall | null
  /** Calls that have not ended, the oldest first. */
  unended(): readonly HeldCall[]
  /** Notes that the agent has been told to ask again, or has gone: the same call made again continues this one. */
  leave(id: string): Promise<void>
  /** The same for every call whose result the agents of an earlier process may not have. */
  leaveAll(): Promise<void>
  /** The oldest call with this digest that was left, which from now on belongs to the caller. */
  rejoin(digest: string): Promise<HeldCall | null>
  /** Deletes calls that ended before then, and each agent's oldest ones beyond what is kept for it. */
  forget(before: number): void
  counts(): Readonly<Record<Phase, number>>
  close(): void
}

export class JournalError extends Error {}

/** Characters of ended calls, with their arguments and results, that are kept for one agent, so that no agent fills the disk. */
const mostKept = 33_554_432
const applicationId = 0x63736777
const layout = `
  CREATE TABLE calls (
    id TEXT PRIMARY KEY, agent TEXT NOT NULL, digest TEXT NOT NULL, phase TEXT NOT NULL, left INTEGER NOT NULL,
    told INTEGER NOT NULL, call TEXT NOT NULL, result TEXT, ended_at INTEGER
  ) WITHOUT ROWID, STRICT;
  CREATE INDEX calls_left ON calls (digest) WHERE left = 1;
  CREATE INDEX calls_unended ON calls (phase) WHERE phase <> 'ended';
  CREATE INDEX calls_ended ON calls (ended_at) WHERE phase = 'ended';
  PRAGMA application_id = ${applicationId};
`

export function openJournal(folder: string): Journal {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const database = opened(join(folder, 'calls.sqlite'))
  const commit = together(database)
  const one = (sql: string) => {
    const statement = database.prepare(sql)
    return (...values: (string | number | null)[]) => statement.get(...values) as Record<string, string> | undefined
  }
  const run = (sql: string) => {
    const statement = database.prepare(sql)
    return (...values: (string | number | null)[]) => Number(statement.run(...values).changes)
  }
  const [phaseOf, resultOf, callOf, firstLeft] = [
    one('SELECT phase FROM calls WHERE id = ?'),
    one('SELECT result FROM calls WHERE id = ?'),
    one('SELECT call FROM calls WHERE id = ?'),
    one('SELECT id, call FROM calls WHERE digest = ? AND left = 1 ORDER BY id LIMIT 1'),
  ]
  const [insert, toForwarded, toAnswered, toEnded, remove, setTaken, setLeft, setAllLeft, removeOld] = [
    run("INSERT INTO calls VALUES (?, ?, ?, 'open', 0, 0, ?, NULL, NULL)"),
    run("UPDATE calls SET phase = 'forwarded' WHERE id = ? AND phase = 'open'"),
    run("UPDATE calls SET phase = 'answered', result = ? WHERE id = ? AND phase = 'forwarded'"),
    run("UPDATE calls SET phase = 'ended', result = ?, ended_at = ? WHERE id = ?"),
    run("DELETE FROM calls WHERE id = ? AND told = 0 AND phase = 'ended'"),
    run('UPDATE calls SET left = 0 WHERE id = ?'),
    run('UPDATE calls SET left = 1, told = 1 WHERE id = ?'),
    run("UPDATE calls SET left = 1, told = 1 WHERE told = 0 OR phase <> 'ended'"),
    run(`DELETE FROM calls WHERE phase = 'ended' AND (ended_at < ? OR id IN (
      SELECT id FROM (
        SELECT id, sum(length(call) + length(coalesce(result, '')))
          OVER (PARTITION BY agent ORDER BY ended_at DESC, id DESC) AS kept
        FROM calls WHERE phase = 'ended'
      ) WHERE kept > ?
    ))`),
  ]
  const unended = database.prepare("SELECT call FROM calls WHERE phase <> 'ended' ORDER BY id")
  const counted = database.prepare('SELECT phase, count(*) AS count FROM calls GROUP BY phase')
  const parsed = <T>(text: string | undefined): T | null => (text == null ? null : (JSON.parse(text) as T))

  return {
    add: async (call) => void (await commit(() => insert(call.id, call.agent, call.digest, JSON.stringify(call)))),
    phase: (id) => (phaseOf(id)?.phase as Phase | undefined) ?? null,
    forward: (id) => commit(() => toForwarded(id) === 1),
    answer: async (id, result) => void (await commit(() => toAnswered(JSON.stringify(result), id))),
    end: async (id, result, now) => void (await commit(() => toEnded(JSON.stringify(result), now, id))),
    delivered: async (id) => void (await commit(() => remove(id) || setTaken(id))),
    result: (id) => parsed(resultOf(id)?.result),
    find: (id) => parsed(callOf(id)?.call),
    unended: () => unended.all().map(({ call }) => JSON.parse(String(call)) as HeldCall),
    leave: async (id) => void (await commit(() => setLeft(id))),
    leaveAll: async () => void (await commit(() => setAllLeft())),
    rejoin: (digest) =>
      commit(() => {
        const found = firstLeft(digest)
        if (found) setTaken(found.id as string)
        return parsed(found?.call)
      }),
    forget: (before) => void removeOld(before, mostKept),
    counts: () => {
      const rows = counted.all() as unknown as { phase: Phase; count: number }[]
      const none = { open: 0, forwarded: 0, answered: 0, ended: 0 }
      return { ...none, ...Object.fromEntries(rows.map(({ phase, count }) => [phase, count])) }
    },
    close: () => database.close(),
  }
}

function opened(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // In this mode the first lock is kept until the process ends, also after a crash.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    database.exec('PRAGMA fullfsync = ON; BEGIN EXCLUSIVE; COMMIT')
    const { application_id: found } = database.prepare('PRAGMA application_id').get() as { application_id: number }
    if (found === 0) database.exec(`BEGIN EXCLUSIVE; ${layout} COMMIT`)
    else if (found !== applicationId) throw new JournalError(`${file} isn't a state file of the gateway.`)
    return database
  } catch (error) {
    database.close()
    if (error instanceof JournalError) throw error
    const { message } = error as Error
    throw new JournalError(
      /locked|busy/.test(message)
        ? `${file} is in use by another process. Give each gateway a state folder of its own.`
        : `${file} can't be read (${message}).`,
    )
  }
}

/** One transaction for all that comes in one turn of the event loop: a write to disk costs the same for one as for a hundred. */
function together(database: DatabaseSync): <T>(work: () => T) => Promise<T> {
  let waiting: { work(): unknown; resolve(value: never): void; reject(error: unknown): void }[] = []
  function flush(): void {
    const batch = waiting
    waiting = []
    try {
      database.exec('BEGIN IMMEDIATE')
      const values = batch.map(({ work }) => work())
      database.exec('COMMIT')
      for (const [position, { resolve }] of batch.entries()) resolve(values[position] as never)
    } catch (error) {
      if (database.isOpen && database.isTransaction) database.exec('ROLLBACK')
      const why = new JournalError(`The gateway can't write to its state folder (${(error as Error).message}).`)
      for (const { reject } of batch) reject(why)
    }
  }
  return (work) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush)
      waiting.push({ work, resolve, reject })
    })
}
