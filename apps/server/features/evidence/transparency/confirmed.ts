/** Checkpoints that may be shown: those that the fence has confirmed, with their signatures. */
import type { Domain } from '@countersign/proof/chain.ts'
import { checkpointText } from '@countersign/proof/checkpoint.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { inHex, lineIfConfirmed, unsignedNote } from '../../../sealing/log-keys.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import {
  type CheckpointRow,
  checkpointAt,
  checkpointsOver,
  newestCheckpoint,
  newestCheckpointFor,
  newestSigned,
} from './queries.ts'

export type ShowingBook = Pick<LogBook, 'nameOf' | 'fenceOf' | 'keys' | 'resting'>

export interface ShownCheckpoint extends CheckpointRow {
  /** Without a signature where the stored one is gone: then no proof holds under it. */
  readonly note: string
}

/**
 * A checkpoint that no batch has continued yet may have no stored signature: it is signed here. If a batch has continued
 * it since it was read, the signature is stored by now.
 */
async function withNote(tx: TenantTx, book: ShowingBook, domain: Domain, row: CheckpointRow): Promise<ShownCheckpoint> {
  const { generation, size } = row
  const center_id = tx.caller.centerId
  const log = book.nameOf({ center_id, domain, generation })
  // A forged root may have any length.
  const text = row.root.length === 32 ? checkpointText(log, size, row.root) : ''
  let { line } = row
  // A log that has been idle since its key was stolen is signed with the new key.
  if (line === null || book.keys.isByStolenKey(line)) {
    const own = await lineIfConfirmed(book.fenceOf(tx.cell), book.keys, log, { size, root: inHex(row.root) })
    if (own !== null && line === null) book.resting.keep(tx.cell, [{ center_id, domain, size, line: own }])
    line = own ?? line
  }
  line ??= (await checkpointAt(tx, domain, size))?.line ?? null
  return { ...row, line, note: unsignedNote(text) + (line ?? '') }
}

/** The size of the log up to which its checkpoints may be shown, given a committed one. */
function shownUpTo(tx: TenantTx, book: ShowingBook, domain: Domain, row: CheckpointRow) {
  const { identity, generation, size, root } = row
  const log = book.nameOf({ center_id: tx.caller.centerId, domain, generation })
  return book.fenceOf(tx.cell).shownUpTo(identity, log, { size, root: inHex(root) })
}

async function shown(tx: TenantTx, book: ShowingBook, domain: Domain, row: CheckpointRow | undefined) {
  if (!row) return undefined
  const size = await shownUpTo(tx, book, domain, row)
  const found = row.size <= size ? row : await checkpointAt(tx, domain, size)
  return found && withNote(tx, book, domain, found)
}

/**
 * A database that lost entries may end with a checkpoint whose signature is lost too, and the fence vouches only for the
 * larger size that it confirmed: then the newest checkpoint with a stored signature is shown.
 */
export async function confirmedNewest(tx: TenantTx, book: ShowingBook, domain: Domain) {
  const found = await shown(tx, book, domain, await newestCheckpoint(tx, domain))
  if (!found || found.line !== null) return found
  const signed = await newestSigned(tx, domain, found.size)
  return signed ? withNote(tx, book, domain, signed) : found
}

/** With the hash of one entry where the newest checkpoint is confirmed. */
export const confirmedNewestFor = async (tx: TenantTx, book: ShowingBook, domain: Domain, index: number) =>
  shown(tx, book, domain, await newestCheckpointFor(tx, domain, index))

export async function confirmedAt(tx: TenantTx, book: ShowingBook, domain: Domain, size: number) {
  const row = await checkpointAt(tx, domain, size)
  return row && (await shownUpTo(tx, book, domain, row)) >= size ? withNote(tx, book, domain, row) : undefined
}

/** Candidates for an entry, the largest first. */
export async function confirmedOver(
  tx: TenantTx,
  book: ShowingBook,
  domain: Domain,
  index: number,
): Promise<readonly ShownCheckpoint[]> {
  const rows = await checkpointsOver(tx, domain, index)
  const [newest] = rows
  if (!newest) return []
  const size = await shownUpTo(tx, book, domain, newest)
  return Promise.all(rows.filter((row) => row.size <= size).map((row) => withNote(tx, book, domain, row)))
}
