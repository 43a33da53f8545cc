/**
 * The decisions of a witness, as functions of the request and the known state. A cosignature means: the checkpoint
 * contains everything that this witness cosigned for the log before. https://c2sp.org/tlog-witness is the protocol.
 */
import {
  type Checkpoint,
  checkNote,
  emptyRoot,
  familyOf,
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
  /** The note as it was sent: evidence if it contradicts another. */
  readonly noteText: string
}

/** The last cosigned checkpoint of a log. */
export interface Known {
  readonly size: number
  readonly root: Uint8Array
}

export const neverSeen: Known = { size: 0, root: emptyRoot }

/** The limit of the protocol: no proof between two sizes below 2^63 is longer. */
const mostProofLines = 63

/** Throws an `Error` that names the malformed part. */
export function parseSubmission(body: string): Submission {
  const end = body.indexOf('\n\n')
  if (end < 0) throw new Error("there's no empty line between the proof and the checkpoint")
  const [first = '', ...lines] = body.slice(0, end).split('\n')
  const [, old] = /^old (0|[1-9][0-9]{0,15})$/.exec(first) ?? []
  if (old === undefined || !Number.isSafeInteger(Number(old))) throw new Error('the first line isn\'t "old" and a size')
  if (lines.length > mostProofLines) throw new Error(`the proof has more than ${mostProofLines} lines`)
  const noteText = body.slice(end + 2)
  const note = parseNote(noteText)
  return { oldSize: Number(old), proof: lines.map(hashOf), note, checkpoint: parseCheckpoint(note.text), noteText }
}

function hashOf(line: string): Uint8Array {
  const bytes = fromBase64(line)
  if (bytes?.length !== 32) throw new Error("a line of the proof isn't a hash")
  return bytes
}

const domains = /^\/(?:c|sandbox)\/[1-9][0-9]*\/(?:proof|dpu|history)$/

/**
 * The keys that may sign for a log: one key of a host signs all its logs, each under the name of the log. A later generation
 * (`…/proof/2`) is a log of its own.
 */
function keysFor(origin: string, logKeys: readonly VerifierKey[]): VerifierKey[] {
  return logKeys.flatMap((key) => {
    const own = logKeyFor(key, origin)
    return own && (origin === key.name || domains.test(familyOf(origin).first.slice(key.name.length))) ? [own] : []
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
  /** Not the known size: the log must prove consistency with it. */
  | 'another size'
  /** Two roots for one size: the log was forked or rewritten. */
  | 'another root'
  | 'no proof'

export function judge({ oldSize, proof, checkpoint }: Submission, known: Known): Judgement {
  if (oldSize > checkpoint.size) return 'backwards'
  if (contradicts(checkpoint, known)) return 'another root'
  if (oldSize !== known.size) return 'another size'
  const { size, root } = checkpoint
  return verifyConsistency(known.size, known.root, size, root, proof) ? 'cosign' : 'no proof'
}

/** Regardless of `old`: the log signed both roots. */
const contradicts = ({ size, root }: Checkpoint, known: Known): boolean =>
  size === known.size && !Buffer.from(root).equals(known.root)
