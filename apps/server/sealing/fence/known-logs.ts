/** What the fence knows of the heads that a batch has locked. */
import { rootOf } from '@countersign/proof/tree.ts'
import { unavailable } from '../../lib/problem.ts'
import { readFrontier } from '../frontier.ts'
import type { HeadRow } from '../head-row.ts'
import { inHex } from '../receipt.ts'
import { type Fence, type Growth, heldWaitMs, type Signed, type Whereabouts } from './fence.ts'

export interface KnownLogs {
  of(log: string): Signed | undefined
  /** The fence has seen every seal: a head that it has not confirmed is not continued. */
  readonly isComplete: boolean
}

/**
 * Reads the logs before it compares the database. A former database never becomes the current one again, so what was
 * read belongs to this one.
 *
 * A process may have ended between the COMMIT and the confirmation of its batch. The heads are locked, so that batch is
 * committed or dead: if a head is the reserved one, it is confirmed here; otherwise the reservation is overwritten.
 */
export async function readKnown(
  fence: Fence,
  where: Whereabouts | null,
  nameOf: (head: HeadRow) => string,
  heads: Iterable<HeadRow>,
): Promise<KnownLogs> {
  const known = new Map<string, Signed | undefined>()
  const unconfirmed: Omit<Growth, 'from'>[] = []
  for (const head of heads) {
    const log = nameOf(head)
    const { confirmed, reserved } = fence.of(log)
    known.set(log, confirmed)
    if (!isReserved(head, reserved, confirmed)) continue
    known.set(log, reserved)
    unconfirmed.push({ log, ...reserved })
  }
  if (where) fence.require(where)
  await fence.confirm(where?.identity ?? null, unconfirmed, heldWaitMs).catch((error: unknown) => {
    throw unavailable('An earlier seal of this chain could not be confirmed.', error)
  })
  return { of: (log) => known.get(log), isComplete: fence.knowsDatabases }
}

function isReserved(head: HeadRow, reserved: Signed | undefined, confirmed: Signed | undefined): reserved is Signed {
  if (!reserved || head.next_index !== reserved.size || reserved.size <= (confirmed?.size ?? 0)) return false
  const frontier = readFrontier(head)
  return frontier !== null && inHex(rootOf(frontier)) === reserved.root
}
