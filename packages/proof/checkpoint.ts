/**
 * A checkpoint (c2sp.org/tlog-checkpoint): the name of a log, how many entries it has, and the root over them. Signed as
 * a note, it is a promise that nobody can take back: two roots for one size, kept by two people, convict the signer.
 */
import { fromBase64, toBase64 } from './base64.ts'
import { MalformedNote } from './signed-note.ts'

export interface Checkpoint {
  /** The log's own name. */
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

const originPattern = /^[^\s+\p{Cc}]+$/u
const sizePattern = /^(0|[1-9]\d{0,15})$/

export function checkpointText(origin: string, size: number, root: Uint8Array): string {
  if (!originPattern.test(origin) || !Number.isSafeInteger(size) || size < 0 || root.length !== 32) {
    throw new MalformedNote(`${origin} ${size} cannot be written as a checkpoint.`)
  }
  return `${origin}\n${size}\n${toBase64(root)}\n`
}

/** Takes the text of a note. Lines of extensions are refused: nobody would check what they say. */
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
    throw new MalformedNote('This is not a checkpoint of three lines: name of the log, size, root.')
  }
  return { origin, size: Number(size), root }
}
