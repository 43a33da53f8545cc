/**
 * Messages with a checkpoint are sent only after the fence has confirmed it, and with its signature: the message was
 * written before the batch was confirmed.
 */
import type { EventType } from '@countersign/contract/webhook-events.ts'
import { parseCheckpoint } from '@countersign/proof/checkpoint.ts'
import { MalformedNote, parseNote } from '@countersign/proof/signed-note.ts'
import type { Cell } from '../../../data/cells.ts'
import { notReady } from '../../../lib/problem.ts'
import { inHex, unsignedCheckpoint } from '../../../sealing/log-keys.ts'
import { signNote } from '../../../sealing/replayed-receipts.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import type { DueDelivery } from './delivery-worker-queries.ts'

const withCheckpoint: readonly string[] = ['dpu.sealed', 'dpu.raised'] satisfies readonly EventType[]

type Message = Pick<DueDelivery, 'type' | 'data'>

/** Throws 503 where one of these messages must not be sent. `identity`: the database that they were read from. */
export async function confirmedMessages<M extends Message>(
  cell: Cell,
  book: LogBook,
  centerId: number,
  identity: string | null,
  due: readonly M[],
): Promise<readonly M[]> {
  if (!book.fenceOf(cell.name).knowsDatabases) return due
  const all: M[] = []
  for (const message of due) all.push(await confirmed(cell, book, centerId, identity, message))
  return all
}

async function confirmed<M extends Message>(
  cell: Cell,
  book: LogBook,
  centerId: number,
  identity: string | null,
  message: M,
): Promise<M> {
  const data = withCheckpoint.includes(message.type) && message.data ? JSON.parse(message.data) : null
  const said = data && (unsignedCheckpoint(data.checkpoint) ?? signedCheckpoint(data.checkpoint))
  if (!said) return message
  const { log, size, root } = said
  if ((await book.fenceOf(cell.name).shownUpTo(identity, log, { size, root })) < size) {
    throw notReady(`The checkpoint at ${size} entries in the ${log} log isn't confirmed yet.`)
  }
  const checkpoint = await signNote(cell, book, centerId, data.checkpoint)
  return checkpoint === null ? message : { ...message, data: JSON.stringify({ ...data, checkpoint }) }
}

/** Null if it is not a signed checkpoint. */
function signedCheckpoint(note: unknown) {
  try {
    if (typeof note !== 'string') return null
    const { origin, size, root } = parseCheckpoint(parseNote(note).text)
    return { log: origin, size, root: inHex(root) }
  } catch (error) {
    if (error instanceof MalformedNote) return null
    throw error
  }
}
