/** The findings of an audit as data, and the checkpoint, whose signatures are checked before the download. */
import {
  type Checkpoint,
  checkNote,
  logKeyFor,
  type Note,
  parseCheckpoint,
  parseNote,
  satisfied,
  type TrustPolicy,
} from '@countersign/proof'
import type { Status } from './progress.ts'
import type { Facts, Word } from './words.ts'

export type About =
  | 'entries'
  | 'root'
  | 'signed'
  | 'witnessed'
  | 'generations'
  | 'continues'
  | 'proofs'
  | 'values'
  | 'rules'
  | 'usable'
  | 'emergencies'
  | 'stops'
  | 'groups'
  | 'files'
  | 'checkpoints'

export interface Check {
  readonly about: About
  readonly status: Status
  /** The key of its sentence in `words.ts`. */
  readonly word: Word
  readonly facts: Facts
}

export const check = (about: About, status: Status, word: Word, facts: Facts = {}): Check => ({
  about,
  status,
  word,
  facts,
})

export interface SignedCheckpoint extends Checkpoint {
  /** As the server sent it. */
  readonly note: string
}

export interface ReadCheckpoint {
  /** Null when it cannot be read; then the only check gives the reason. */
  readonly checkpoint: SignedCheckpoint | null
  readonly checks: readonly Check[]
}

/** `log` is the name of the log according to the server. */
export function readCheckpoint(written: string, log: string, policy: TrustPolicy): ReadCheckpoint {
  let note: Note
  let parsed: Checkpoint
  try {
    note = parseNote(written)
    parsed = parseCheckpoint(note.text)
  } catch (error) {
    const why = (error as Error).message
    return { checkpoint: null, checks: [check('root', 'no', 'a checkpoint-malformed', { why })] }
  }
  if (parsed.origin !== log) {
    return { checkpoint: null, checks: [check('root', 'no', 'a another-log', { log: parsed.origin })] }
  }
  const keys = policy.logs.flatMap(({ key }) => logKeyFor(key, log) ?? [])
  const witnesses = policy.witnesses.map(({ key }) => key)
  const { signedBy, cosignedBy, bad } = checkNote(note, [...keys, ...witnesses])
  const [key] = signedBy
  const names = cosignedBy.map(({ key: { name } }) => name).join(', ') || '-'
  return { checkpoint: { ...parsed, note: written }, checks: [signedCheck(), witnessedCheck()] }

  function signedCheck(): Check {
    if (bad.some(({ type }) => type === 1)) return check('signed', 'no', 'a signed-badly')
    if (!key) return check('signed', 'no', 'a signed-by-nobody-known')
    return check('signed', 'yes', 'a signed', { vkey: key.vkey })
  }
  function witnessedCheck(): Check {
    if (bad.some(({ type }) => type === 4)) return check('witnessed', 'no', 'a cosigned-badly')
    if (policy.quorum === 'none') return check('witnessed', 'unknown', 'a witnesses-unasked')
    const cosigners = cosignedBy.map(({ key: { vkey } }) => vkey)
    if (satisfied(policy, cosigners)) return check('witnessed', 'yes', 'a witnessed', { names })
    return check('witnessed', 'no', 'a quorum-not-met', { quorum: policy.quorum, names })
  }
}
