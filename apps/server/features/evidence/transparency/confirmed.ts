/** Checkpoints that may be shown: those that the fence has confirmed. */
import type { Domain } from '@countersign/proof/chain.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { inHex } from '../../../sealing/receipt.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import { type CheckpointRow, checkpointAt, checkpointsOver, newestCheckpoint, newestCheckpointFor } from './queries.ts'

export type ShowingBook = Pick<LogBook, 'nameOf' | 'fenceOf'>

/** The size of the log up to which its checkpoints may be shown, given a committed one. */
function shownUpTo(tx: TenantTx, book: ShowingBook, domain: Domain, { identity, size, root }: CheckpointRow) {
  const log = book.nameOf({ center_id: tx.caller.centerId, domain })
  return book.fenceOf(tx.cell).shownUpTo(identity, log, { size, root: inHex(root) })
}

async function shown(tx: TenantTx, book: ShowingBook, domain: Domain, row: CheckpointRow | undefined) {
  if (!row) return undefined
  const size = await shownUpTo(tx, book, domain, row)
  return row.size <= size ? row : checkpointAt(tx, domain, size)
}

export const confirmedNewest = async (tx: TenantTx, book: ShowingBook, domain: Domain) =>
  shown(tx, book, domain, await newestCheckpoint(tx, domain))

/** With the hash of one entry where the newest checkpoint is confirmed. */
export const confirmedNewestFor = async (tx: TenantTx, book: ShowingBook, domain: Domain, index: number) =>
  shown(tx, book, domain, await newestCheckpointFor(tx, domain, index))

export async function confirmedAt(tx: TenantTx, book: ShowingBook, domain: Domain, size: number) {
  const row = await checkpointAt(tx, domain, size)
  return row && (await shownUpTo(tx, book, domain, row)) >= size ? row : undefined
}

/** Candidates for an entry, the largest first. */
export async function confirmedOver(
  tx: TenantTx,
  book: ShowingBook,
  domain: Domain,
  index: number,
): Promise<readonly CheckpointRow[]> {
  const rows = await checkpointsOver(tx, domain, index)
  const [newest] = rows
  if (!newest) return rows
  const size = await shownUpTo(tx, book, domain, newest)
  return rows.filter((row) => row.size <= size)
}
