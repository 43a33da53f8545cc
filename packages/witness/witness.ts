/**
 * What a witness decides, as functions of what it was sent and what it knows. It says one thing only: «of this log I have
 * never cosigned anything that this checkpoint does not contain». https://c2sp.org/tlog-witness is the protocol.
 */
import {
  type Checkpoint,
  checkNote,
  emptyRoot,
  fromBase64,
  logKeyFor,
  type Note,
  parseCheckpoint,
  parseNote,
  type VerifierKey,
  verifyConsistency,
} from '@countersign/proof'

export interface Submission {
  readonly oldSize: number
  readonly proof: readonly Uint8Array[]
  readonly note: Note
  readonly checkpoint: Checkpoint
  /** The note as it was sent: the evidence, should it contradict another. */
  readonly noteText: string
}

/** The last checkpoint of a log that was cosigned. */
export interface Known {
  readonly size: number
  readonly root: Uint8Array
}

export const neverSeen: Known = { size: 0, root: emptyRoot }

/** More than a proof between any two sizes below 2^63 can have; the protocol's own limit. */
const mostProofLines = 63

/** Throws an `Error` that says what is wrong with the form. */
export function parseSubmission(body: string): Submission {
  const end = body.indexOf('\n\n')
  if (end < 0) throw new Error('no empty line stands between the proof and the checkpoint')
  const [first = '', ...lines] = body.slice(0, end).split('\n')
  const [, old] = /^old (0|[1-9][0-9]{0,15})$/.exec(first) ?? []
  if (old === undefined || !Number.isSafeInteger(Number(old))) throw new Error('the first line is not «old» and a size')
  if (lines.length > mostProofLines) throw new Error(`the proof has more than ${mostProofLines} lines`)
  const noteText = body.slice(end + 2)
  const note = parseNote(noteText)
  return { oldSize: Number(old), proof: lines.map(hashOf), note, checkpoint: parseCheckpoint(note.text), noteText }
}

function hashOf(line: string): Uint8Array {
  const bytes = fromBase64(line)
  if (bytes?.length !== 32) throw new Error('a line of the proof is no hash')
  return bytes
}

const domains = /^\/c\/[1-9][0-9]*\/(?:proof|dpu|history)$/

/** The keys that may speak for a log: one key of a host signs all its logs, each under the log's own name. */
function keysFor(origin: string, logKeys: readonly VerifierKey[]): VerifierKey[] {
  return logKeys.flatMap((key) => {
    const own = logKeyFor(key, origin)
    return own && (origin === key.name || domains.test(origin.slice(key.name.length))) ? [own] : []
  })
}

export type Trust = 'trusted' | 'unknown log' | 'not signed'

export function trustIn({ note, checkpoint }: Submission, logKeys: readonly VerifierKey[]): Trust {
  const keys = keysFor(checkpoint.origin, logKeys)
  if (keys.length === 0) return 'unknown log'
  const { signedBy, bad } = checkNote(note, keys)
  return signedBy.length > 0 && bad.length === 0 ? 'trusted' : 'not signed'
}

export type Judgement =
  | 'cosign'
  /** `old` is larger than the checkpoint itself. */
  | 'backwards'
  /** Not the size that we know: the log has to say how it grew from there. */
  | 'another size'
  /** Two roots for one size: the log has shown different things to different people, or rewrote itself. */
  | 'another root'
  | 'no proof'

export function judge({ oldSize, proof, checkpoint }: Submission, known: Known): Judgement {
  if (oldSize > checkpoint.size) return 'backwards'
  if (contradicts(checkpoint, known)) return 'another root'
  if (oldSize !== known.size) return 'another size'
  const { size, root } = checkpoint
  return verifyConsistency(known.size, known.root, size, root, proof) ? 'cosign' : 'no proof'
}

/** Whatever `old` was: the log's own signature stands under both. */
const contradicts = ({ size, root }: Checkpoint, known: Known): boolean =>
  size === known.size && !Buffer.from(root).equals(known.root)
