/**
 * Checks one chain entry against its log: the entry is in the tree, the log signed the root of the tree, and witnesses
 * cosigned the same root. Each has its own verdict, because each rests on trust in a different party.
 */
import { parseCheckpoint } from './checkpoint.ts'
import { shown } from './shown.ts'
import { checkNote, parseNote } from './signed-note.ts'
import { parseTlogProof } from './tlog-proof.ts'
import { leafHash, verifyInclusion } from './tree.ts'
import { logKeyFor, satisfied, type TrustPolicy } from './trust-policy.ts'

export interface Verdict {
  /** `unknown`: not disproved, but something needed for the check is missing. */
  readonly status: 'yes' | 'no' | 'unknown'
  /** Stable: translations are keyed by it. */
  readonly code: string
  readonly detail: string
}

/** Details name logs and keys as a file spells them, so they are made safe to print here. */
const verdict = (status: Verdict['status'], code: string, detail: string): Verdict => ({
  status,
  code,
  detail: shown(detail),
})

export interface Cosigner {
  readonly name: string
  /** When the witness cosigned, by its own clock. */
  readonly at: string
}

export interface Anchored {
  readonly inChain: Verdict
  readonly signed: Verdict
  readonly witnessed: Verdict
  readonly cosignedBy: readonly Cosigner[]
  /** Entries in the log when the checkpoint was signed; null when there is no checkpoint. */
  readonly size: number | null
  /** The signed part of the checkpoint. */
  readonly checkpoint: string | null
}

export interface AnchoredEntry {
  readonly log: unknown
  readonly index: unknown
  readonly hash: unknown
}

/** Whether a later generation of its log has the entry. */
export type Kept = (log: string, index: number, origin: string) => 'yes' | 'no' | 'unknown'

export function checkAnchor(
  entry: AnchoredEntry,
  tlogProof: unknown,
  policy: TrustPolicy | null,
  kept: Kept = () => 'no',
): Anchored {
  if (tlogProof === undefined) {
    const missing = verdict('unknown', 'no-log-proof', 'The file has no proof from the log. Ask for a new export.')
    return { ...nothing, inChain: missing, signed: missing, witnessed: missing }
  }
  try {
    return checkProof(entry, tlogProof as string, policy, kept)
  } catch (error) {
    const malformed = verdict('no', 'log-proof-malformed', `The log's proof can't be read: ${messageOf(error)}`)
    return { ...nothing, inChain: malformed, signed: malformed, witnessed: malformed }
  }
}

const nothing = { cosignedBy: [], size: null, checkpoint: null } as const

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function checkProof(entry: AnchoredEntry, text: string, policy: TrustPolicy | null, kept: Kept): Anchored {
  const { index, hashes, note: written } = parseTlogProof(text)
  const note = parseNote(written)
  const { origin, size, root } = parseCheckpoint(note.text)
  const keys = (policy?.logs ?? []).flatMap(({ key }) => logKeyFor(key, origin) ?? [])
  const stolen = (policy?.stolen ?? []).flatMap(({ key, at }) => {
    const own = logKeyFor(key, origin)
    return own === null ? [] : [{ own, at }]
  })
  const { signedBy, cosignedBy, bad } = checkNote(note, [
    ...keys,
    ...stolen.map(({ own }) => own),
    ...(policy?.witnesses ?? []).map(({ key }) => key),
  ])
  const names = cosignedBy.map(({ key }) => key.vkey)

  /** A root that nobody of the policy signed proves no place: anybody can make a tree around an entry. */
  function inChain(signature: Verdict): Verdict {
    const isNamed = typeof entry.log === 'string'
    const inLater = origin === entry.log ? 'yes' : isNamed ? kept(entry.log, Number(entry.index), origin) : 'no'
    if (inLater === 'no') return verdict('no', 'another-log', `The proof is for the log ${origin}.`)
    if (index !== entry.index) return verdict('no', 'another-index', `The proof is for entry ${index + 1}.`)
    if (!verifyInclusion(leafHash(String(entry.hash)), index, size, hashes, root)) {
      return verdict('no', 'not-in-tree', "The hash isn't in the checkpoint's tree.")
    }
    if (signature.status === 'yes' && inLater === 'unknown') {
      const missing = 'No declaration that you trust says which entries it took over.'
      return verdict(
        'unknown',
        'no-succession',
        `The proof is for ${origin}, a later generation of the log. ${missing}`,
      )
    }
    if (signature.status === 'yes')
      return verdict('yes', 'in-chain', `Entry ${index + 1} in the log ${origin}, which has ${size} entries.`)
    if (signature.code === 'no-policy') {
      return verdict(
        'unknown',
        'no-policy',
        "There's no trust policy to say whose log this is. Anyone could have made this tree.",
      )
    }
    return verdict(
      'unknown',
      'root-unsigned',
      'No key in the trust policy has signed the root hash that the proof leads to.',
    )
  }

  function signed(): Verdict {
    if (policy === null) {
      return verdict(
        'unknown',
        'no-policy',
        `There's no trust policy to say which key signs ${origin}. Provide one to verify the signature.`,
      )
    }
    if (policy.logs.length + stolen.length === 0)
      return verdict('unknown', 'policy-without-log', 'The trust policy has no log key.')
    if (bad.some(({ type }) => type === 1)) {
      return verdict('no', 'signature-bad', `A signature in the name of ${origin} wasn't made with its key.`)
    }
    const key = signedBy.find((each) => keys.includes(each))
    if (key !== undefined) return verdict('yes', 'signed', `Signed with the key ${key.vkey}.`)
    const theft = stolen.find(({ own }) => signedBy.includes(own))
    if (theft === undefined)
      return verdict('no', 'signed-by-nobody-known', 'No key in the trust policy has signed the checkpoint.')
    return signedBefore(policy, theft)
  }

  /** A thief can sign anything, but witnesses say when they saw it. */
  function signedBefore(trusted: TrustPolicy, { own, at }: (typeof stolen)[0]): Verdict {
    const earlier = cosignedBy.filter(({ time }) => time * 1000 < Date.parse(at)).map(({ key }) => key.vkey)
    if (trusted.quorum !== 'none' && satisfied(trusted, earlier))
      return verdict(
        'yes',
        'signed',
        `Signed with the key ${own.vkey}, according to witnesses before it was stolen at ${at}.`,
      )
    return verdict(
      'no',
      'key-stolen',
      `The key ${own.vkey} was stolen at ${at}, and nothing shows that it signed this before then. Ask for a new export.`,
    )
  }

  function witnessed(): Verdict {
    if (policy === null) return verdict('unknown', 'no-policy', "There's no trust policy to say which witnesses count.")
    const forged = bad.find(({ type }) => type === 4)
    if (forged !== undefined)
      return verdict('no', 'cosignature-bad', `A cosignature in the name of ${forged.name} wasn't made with its key.`)
    if (policy.quorum === 'none')
      return verdict('unknown', 'quorum-none', "The trust policy doesn't require witnesses.")
    const seen = cosignedBy.map(({ key }) => key.name).join(', ')
    if (!satisfied(policy, names)) {
      return verdict(
        'no',
        'quorum-not-met',
        `The quorum ${policy.quorum} isn't met; cosigned by: ${seen || 'no known witness'}.`,
      )
    }
    return verdict('yes', 'witnessed', `Cosigned by ${seen}.`)
  }

  const signature = signed()
  return {
    inChain: inChain(signature),
    signed: signature,
    witnessed: witnessed(),
    cosignedBy: cosignedBy.map(({ key, time }) => ({ name: key.name, at: new Date(time * 1000).toISOString() })),
    size,
    checkpoint: note.text,
  }
}
