/** The two round trips of a batch. */
import { sql } from 'kysely'
import type { BatchTx } from '../data/cells.ts'
import { typedId } from '../lib/ids.ts'
import type { OpenBatch, PublishedRow } from './batch.ts'
import type { Claim, SealItem } from './item.ts'
import type { EventRow, HeadRow, Opened } from './rows.ts'
import type { LogBook } from './trees.ts'

export interface Wanted {
  readonly item: SealItem<unknown>
  readonly claim: Claim<unknown> | null
}

/** A list as a parameter. Null lets the function skip an empty list. */
const list = (rows: Iterable<object>): string | null => {
  const all = [...rows]
  return all.length === 0 ? null : JSON.stringify(all)
}

const present = <T>(values: readonly (T | null)[]): T[] => values.filter((value) => value !== null)

export async function openBatch(
  tx: BatchTx,
  wanted: readonly Wanted[],
  at: string,
  keptUntil: string,
  book: Pick<LogBook, 'nameOf' | 'memory'>,
): Promise<Opened> {
  const keys = present(
    wanted.map(({ item, claim }) => {
      if (!claim) return null
      const { principal, method, path, key, fingerprint } = claim.request
      const center_id = item.center.centerId
      return {
        center_id,
        principal,
        method,
        path,
        key,
        fingerprint: fingerprint.toString('hex'),
        expires_at: keptUntil,
      }
    }),
  )
  const held = (of: (item: SealItem<unknown>) => object | null) => present(wanted.map(({ item }) => of(item)))
  const events = held(({ center, holds }) => (holds.event ? { center_id: center.centerId, id: holds.event } : null))
  const decisions = held(({ center, holds }) =>
    holds.decisionId ? { center_id: center.centerId, decision_id: holds.decisionId } : null,
  )
  const dpus = held(({ center, holds }) =>
    holds.dpu ? { center_id: center.centerId, id: holds.dpu, target: typedId('dpu', holds.dpu) } : null,
  )
  const heads = new Map(
    wanted.flatMap(({ item: { center, holds } }) =>
      holds.chains.map((domain) => [`${center.centerId} ${domain}`, { center_id: center.centerId, domain }]),
    ),
  )
  const executions = held(({ center, holds }) =>
    holds.execution ? { center_id: center.centerId, ...holds.execution } : null,
  )
  const runs = executions.length > 0 ? { executions: await holdExecutions(tx, executions) } : {}
  const known = [...heads.values()].flatMap((head) => {
    const size = book.memory.of(book.nameOf(head))?.size
    return size === undefined ? [] : [{ ...head, size }]
  })
  // Notes are read after the heads are locked, by a statement whose snapshot includes the previous lock holder's
  // commit.
  const { rows } = await sql<{ opened: Opened; notes: readonly NoteRow[] | null }>`
    select opened, cell.covering_notes(opened -> 'heads', ${JSON.stringify(known)}) as notes from (
      select cell.open_batch(${list(keys)}, ${list(events)}, ${list(decisions)}, ${list(dpus)}, ${list(heads.values())},
        ${at}) as opened offset 0) batch`.execute(tx.db)
  const { opened, notes } = rows[0] as (typeof rows)[0]
  return { ...opened, ...runs, heads: withNotes(opened.heads, notes) }
}

/** Taken before any other lock, in every transaction that takes it, to prevent deadlocks. */
async function holdExecutions(tx: BatchTx, wanted: readonly object[]): Promise<readonly string[] | null> {
  const { rows } = await sql<{ held: string[] | null }>`
    select cell.hold_executions(${JSON.stringify(wanted)}) as held`.execute(tx.db)
  return rows[0]?.held ?? null
}

type NoteRow = Required<Pick<HeadRow, 'center_id' | 'domain' | 'note'>>

function withNotes(heads: readonly HeadRow[] | null, notes: readonly NoteRow[] | null): readonly HeadRow[] {
  const found = new Map(notes?.map(({ center_id, domain, note }) => [`${center_id} ${domain}`, note]))
  return (heads ?? []).map((head) => {
    const note = found.get(`${head.center_id} ${head.domain}`)
    return note === undefined ? head : { ...head, note }
  })
}

/** Same keys in the same order as the recorder, which prevents deadlocks between the two. */
const inOrder = (events: readonly EventRow[]): readonly EventRow[] =>
  events.toSorted((a, b) => a.center_id - b.center_id || (a.decision_id < b.decision_id ? -1 : 1))

/** Runs after the trees are closed, so that a message can include the checkpoint. */
const written = (row: PublishedRow): object => ({
  ...row,
  data: typeof row.data === 'string' ? row.data : row.data(),
})

export async function writeBatch(tx: BatchTx, { writes, heads, trees }: OpenBatch): Promise<void> {
  const {
    entries,
    contents,
    events,
    moves,
    approvals,
    dpus,
    changedDpus,
    counts,
    history,
    policies,
    redactions,
    published,
    deliveries,
    audit,
    completed,
    answers,
  } = writes
  const everything = [
    entries,
    events,
    [...moves.values()],
    approvals,
    dpus,
    [...changedDpus.values()],
    history,
    policies,
  ]
  if ([...everything, published, audit, answers].every((rows) => rows.length === 0)) return
  await sql`
    select cell.write_batch(${list(entries)}, ${contents.join('\x1e')}, ${list(heads.changed)}, ${list(trees.checkpoints)},
      ${list(trees.tiles)}, ${list(inOrder(events))}, ${list(moves.values())}, ${list(approvals)}, ${list(dpus)},
      ${list(changedDpus.values())}, ${list(counts.values())}, ${list(history)}, ${list(policies)},
      ${list(published.map(written))}, ${list(deliveries)}, ${list(audit)}, ${list(answers)})`.execute(tx.db)
  if (completed.length > 0) await sql`select cell.complete_executions(${JSON.stringify(completed)})`.execute(tx.db)
  // By now the history names the values to delete.
  if (redactions.length > 0) await sql`select cell.redact(${list(redactions)})`.execute(tx.db)
}
