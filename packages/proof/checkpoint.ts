/**
 * A checkpoint (c2sp.org/tlog-checkpoint): the name of a log, its number of entries, and the root over them. It is
 * signed as a note. Two signed checkpoints with one size and two roots prove that the log was rewritten or forked.
 */
import { fromBase64, toBase64 } from './base64.ts'
import { MalformedNote } from './signed-note.ts'

export interface Checkpoint {
  /** The name of the log. */
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

const originPattern = /^[^\s+\p{Cc}]+$/u
const sizePattern = /^(0|[1-9]\d{0,15})$/

export function checkpointText(origin: string, size: number, root: Uint8Array): string {
  if (!originPattern.test(origin) || !Number.isSafeInteger(size) || size < 0 || root.length !== 32) {
    throw new MalformedNote(`${origin} ${size} can't be written as a checkpoint.`)
  }
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Takes the text of a note. Extension lines are refused, because no verifier checks their content. */
export function parseCheckpoint(noteText: string): Checkpoint {
  const [origin = '', size = '', hash = '', end, ...more] = noteText.split('\n')
  const root = fromBase64(hash)
  if (
    !originPattern.test(origin) ||
    !sizePattern.test(size) ||
    !Number.isSafeInteger(Number(size)) ||
    root?.length !== 32 ||
    end !== '' ||
    more.length > 0
  ) {
    throw new MalformedNote("This isn't a checkpoint with three lines: log name, size, root hash.")
  }
  return { origin, size: Number(size), root }
}
