/**
 * The stored answer of an Idempotency-Key was written before its batch was confirmed, so the checkpoint of its receipt
 * has no signature. A replay adds it.
 */
import { domains } from '@countersign/proof/chain.ts'
import { familyOf } from '@countersign/proof/generations.ts'
import type { Cell } from '../data/cells.ts'
import type { StoredAnswer } from '../idempotency/idempotency.ts'
import { notReady } from '../lib/problem.ts'
import type { Fence, Signed } from './fence/fence.ts'
import { isSigned, type LogKeys, lineIfConfirmed, unsignedCheckpoint } from './log-keys.ts'
import { storedLine } from './queries.ts'
import type { LogBook } from './trees.ts'

/** The end of a note without a signature in JSON. */
const unsignedEnd = '\\n\\n"'

interface WithReceipt {
  readonly data?: { readonly receipt?: { checkpoint?: unknown } | null } | null
}

export async function signReplayed(
  cell: Cell,
  book: LogBook,
  centerId: number,
  answer: StoredAnswer,
): Promise<StoredAnswer> {
  if (!answer.body.includes(unsignedEnd)) return answer
  const body = JSON.parse(answer.body) as WithReceipt
  const receipt = body.data?.receipt
  const note = await signNote(cell, book, centerId, receipt?.checkpoint)
  if (!receipt || note === null) return answer
  receipt.checkpoint = note
  return { ...answer, body: JSON.stringify(body) }
}

/**
 * The process that committed this answer died before it could confirm the batch, and no later batch has done it: the
 * answer is committed, so its reservation is confirmed here.
 */
async function lineAfterCrash(fence: Fence, keys: LogKeys, identity: string | null, said: Signed & { log: string }) {
  if (fence.knowsDatabases) await fence.shownUpTo(identity, said.log, said)
  return lineIfConfirmed(fence, keys, said.log, said)
}

/**
 * A note of one of the center's logs, with its signature; null where it has one already or is none of ours. The text comes
 * from the database, so it is signed only if the fence has confirmed exactly it; otherwise the stored signature must fit.
 */
export async function signNote(
  cell: Cell,
  { nameOf, keys, fenceOf }: LogBook,
  centerId: number,
  note: unknown,
): Promise<string | null> {
  const said = unsignedCheckpoint(note)
  const first = said && familyOf(said.log).first
  const domain = domains.find((each) => nameOf({ center_id: centerId, domain: each, generation: 1 }) === first)
  if (!said || !domain) return null
  const { log, size } = said
  const fence = fenceOf(cell.name)
  let line = await lineIfConfirmed(fence, keys, log, said)
  if (line === null) {
    const stored = await storedLine(cell, { center_id: centerId, domain, size })
    line = stored.line ?? (await lineAfterCrash(fence, keys, stored.identity, said))
  }
  if (isSigned(log, keys, line, said)) return `${note}${line}`
  throw notReady(
    "The receipt for this request isn't signed yet.",
    new Error(`no signature covers the ${size} entries of ${log} that the record of this request names`),
  )
}
