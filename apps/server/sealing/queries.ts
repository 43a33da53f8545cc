/**
 * The round trips of a batch: BEGIN with the heads, the rows, the writes, COMMIT. The statements of one round trip are
 * sent together; the database executes them in order, each with its own snapshot.
 */
import type { Domain } from '@countersign/proof/chain.ts'
import { sql } from 'kysely'
import type { BatchTx, Cell } from '../data/cells.ts'
import { statement } from '../data/prepared.ts'
import { classifyFailure } from '../data/transaction.ts'
import { headKey, type OpenBatch, type WaitingSeal } from './batch.ts'
import { claimRow, type TakenRow } from './claims.ts'
import type { SignatureRow } from './log-keys.ts'
import type { AnyKind, CenterRow } from './sealed-rows.ts'
import type { HeadRow, TreeBook } from './trees.ts'

export type WantedHead = Pick<HeadRow, 'center_id' | 'domain'>

/** Another transaction held one of the heads for longer than a batch waits. */
export class HeadsLocked extends Error {
  readonly heads: readonly WantedHead[]
  constructor(heads: readonly WantedHead[], cause: unknown) {
    super('a chain is locked by another transaction', { cause })
    this.heads = heads
  }
}

export const wantedHeads = (waiting: readonly WaitingSeal[]): readonly WantedHead[] => [
  ...new Map(
    waiting.flatMap(({ item: { center, holds } }) =>
      holds.chains.map((domain) => [headKey(center.centerId, domain), { center_id: center.centerId, domain }] as const),
    ),
  ).values(),
]

/**
 * Locks the heads before anything else, so a batch never waits for a head while it holds a lock. Heads that another
 * transaction holds are left out, unless the batch `waits` for them: then an error says that one could not be had.
 */
export async function lockHeads(tx: BatchTx, wanted: readonly WantedHead[], waits: boolean) {
  const heads = await call<HeadRow>(tx, waits ? 'wait_for_heads' : 'lock_heads', list(wanted)).catch(
    (error: unknown) => {
      throw classifyFailure(error) === 'locked' ? new HeadsLocked(wanted, error) : error
    },
  )
  return new Map(heads.map((head) => [headKey(head.center_id, head.domain), head]))
}

/** The processes that hold these heads. */
export function headHolders(cell: Cell, wanted: readonly WantedHead[]) {
  const centers = [...new Set(wanted.map(({ center_id }) => center_id))]
  return cell.inBatch(centers, async (tx) => {
    const { rows } = await sql<WantedHead & { pid: number; awaits_standby: boolean }>`
      select center_id, domain, pid, exists (
        select from pg_catalog.pg_stat_activity a where a.pid = h.pid and a.wait_event = 'SyncRep') as awaits_standby
      from cell.head_holders(${list(wanted)}) h`.execute(tx.db)
    return rows
  })
}

export interface Loaded {
  readonly taken: readonly TakenRow[]
  readonly rows: ReadonlyMap<AnyKind, readonly CenterRow[]>
  /** By center: the size of rows that were left out because they are too large for this batch. */
  readonly oversize: ReadonlyMap<number, number>
}

interface LoadRequest {
  readonly waiting: readonly WaitingSeal[]
  readonly heads: ReadonlyMap<string, HeadRow>
  readonly at: string
  readonly mostBytes: number
  readonly book: Pick<TreeBook, 'nameOf' | 'known'>
}

export async function loadRows(tx: BatchTx, { waiting, heads, at, mostBytes, book }: LoadRequest): Promise<Loaded> {
  const claims = waiting.flatMap(({ item, claim }) => (claim ? [claimRow(item.center.centerId, claim)] : []))
  const wanted = new Map<AnyKind, object[]>()
  const whole = new Set<string>()
  for (const { item } of waiting) {
    const { centerId: center_id } = item.center
    for (const { kind, key } of item.holds.rows ?? []) {
      // Rows of the whole center are asked for once.
      if (Object.keys(key).length === 0) {
        const name = `${center_id} ${kind.name}`
        if (whole.has(name)) continue
        whole.add(name)
      }
      const keys = wanted.get(kind) ?? []
      keys.push({ center_id, ...key })
      wanted.set(kind, keys)
    }
  }
  const kinds = [...wanted].sort(([a], [b]) => a.order - b.order)
  const unknown = [...heads.values()]
    // A head that the fence knows needs no signature.
    .filter((head) => book.known.of(book.nameOf(head)).confirmed?.size !== head.next_index)
    .map(({ center_id, domain, next_index }) => ({ center_id, domain, next_index }))
  const [taken, signatures, ...loaded] = await Promise.all([
    claims.length === 0 ? [] : call<TakenRow>(tx, 'claim_keys', list(claims), at),
    unknown.length === 0 ? [] : call<SignatureRow>(tx, 'newest_signatures', list(unknown)),
    ...kinds.map(([{ load }, keys]) =>
      call<CenterRow & { oversize?: number }>(tx, load as string, list(keys), mostBytes),
    ),
  ])
  for (const { center_id, domain, size, line } of signatures) {
    const head = heads.get(headKey(center_id, domain as Domain))
    if (head) head.signed = { size, line }
  }
  const oversize = new Map<number, number>()
  for (const { center_id, oversize: bytes } of loaded.flat()) {
    if (bytes === undefined || center_id === null) continue
    oversize.set(center_id, Math.max(bytes, oversize.get(center_id) ?? 0))
  }
  return { taken, oversize, rows: new Map(kinds.map(([kind], index) => [kind, loaded[index] ?? []])) }
}

const prepared = new Map<string, ReturnType<typeof statement<{ readonly rows: unknown }>>>()

/** Calls a function of the cell that returns rows as JSON, or nothing. */
async function call<Row>(tx: BatchTx, name: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
  let run = prepared.get(name)
  if (!run) {
    run = statement(`select cell.${name}(${values.map((_, index) => `$${index + 1}`).join(', ')}) as rows`)
    prepared.set(name, run)
  }
  const [row] = await run(tx, ...values)
  return (row?.rows as readonly Row[] | null) || []
}

/** A list as a parameter; null for an empty one. */
const list = (rows: Iterable<object> | null): string | null => {
  const all = [...(rows ?? [])]
  return all.length === 0 ? null : JSON.stringify(all)
}

/** Entries first: other rows refer to them. */
export async function writeBatch(tx: BatchTx, open: OpenBatch, answers: readonly object[]): Promise<void> {
  const { entries, texts, history, heads, trees } = open
  const templates = texts.map(({ template }) => template).join('\x1e')
  const digits = texts.map(({ digits }) => digits).join('\x1e')
  const growth = [heads.changed, trees.checkpoints, trees.signatures, trees.tiles, history].map(list)
  await Promise.all([
    entries.length > 0 && call(tx, 'append_entries', list(entries), templates, digits, ...growth),
    ...open
      .changes()
      .map(([{ write }, { inserted, updated }]) => call(tx, write as string, list(inserted), list(updated))),
    answers.length > 0 && call(tx, 'store_answers', list(answers)),
  ])
}

/** Signatures of logs that no batch has continued yet. One that is there already stays. */
export const writeSignatures = (cell: Cell, rows: readonly SignatureRow[]): Promise<void> =>
  cell.inBatch([...new Set(rows.map(({ center_id }) => center_id))], async (tx) => {
    await call(tx, 'write_signatures', list(rows))
  })

/** The stored signature under a checkpoint, and the database that has been asked. */
export const storedLine = (cell: Cell, { center_id, domain, size }: Omit<SignatureRow, 'line'>) =>
  cell.inBatch([center_id], async (tx) => {
    const { rows } = await sql<{ line: string | null; identity: string | null }>`
      select cell.database_identity() as identity, (
        select line from cell.signatures
        where center_id = ${center_id} and domain = ${domain} and size = ${size}) as line`.execute(tx.db)
    return rows[0] as (typeof rows)[number]
  })
