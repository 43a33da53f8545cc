/**
 * Verifies an exported proof from the file and a trust policy alone: the file is intact, the entry is in its log, the
 * log signed, witnesses cosigned. Four verdicts instead of one, so that each claims only what was checked. They cover
 * every chain entry in the file: an unsigned history could have been invented.
 */
import { sha256Hex } from '#sha256'
import { type Anchored, type Cosigner, checkAnchor, messageOf, type Verdict } from './anchor.ts'
import { fromBase64 } from './base64.ts'
import { changeable } from './layout.ts'
import { readTimestamp } from './timestamp.ts'
import type { TrustPolicy } from './trust-policy.ts'
import { isObject, type Problem } from './verify-entry.ts'
import { verifyExport } from './verify-export.ts'

export type { Verdict } from './anchor.ts'

export interface Redaction {
  readonly path: string
  readonly at: string
  readonly reason?: string
}

/** Read from the file, and only as trustworthy as the verdicts about it; null where the file has none. */
export interface ProofFacts {
  readonly id: string | null
  readonly decisionId: string | null
  readonly log: string | null
  readonly index: number | null
  readonly hash: string | null
  readonly sealedAt: string | null
  readonly size: number | null
  readonly cosignedBy: readonly Cosigner[]
  /** The time in the token. The authority's signature is not checked: `openssl ts -verify` does that. */
  readonly timestamped?: { readonly at: string }
}

export interface ProofVerdict {
  readonly intact: Verdict
  readonly inChain: Verdict
  readonly signed: Verdict
  readonly witnessed: Verdict
  /** Intact, and no verdict is `no`; `unknown` verdicts do not count against it. */
  readonly ok: boolean
  /** All four verdicts are `yes`. */
  readonly complete: boolean
  readonly problems: readonly Problem[]
  /** Committed paths that are not disclosed, without a history entry that redacts them. */
  readonly undisclosed: readonly string[]
  readonly redacted: readonly Redaction[]
  readonly facts: ProofFacts
}

type Members = Readonly<Record<string, unknown>>

/** Never throws, whatever the document is. */
export function verifyProof(document: unknown, policy: TrustPolicy | null): ProofVerdict {
  const { valid, hash, problems, undisclosed } = verifyExport(document)
  const evidence = membersOf(document, 'evidence')
  const verification = membersOf(document, 'verification')
  const history = Array.isArray(evidence.history) ? evidence.history.map((entry) => (isObject(entry) ? entry : {})) : []
  const historyProofs = Array.isArray(verification.historyProofs) ? verification.historyProofs : []

  const record = checkAnchor(placeOf(evidence), verification.tlogProof, policy)
  const changes = history.map((entry, at) => checkAnchor(placeOf(entry), historyProofs[at], policy))
  const stamp = readStamp(verification.timestamp, record.checkpoint)
  const judged = (about: 'inChain' | 'signed' | 'witnessed'): Verdict => weakest(record, changes, about)

  const [problem] = problems
  const intact: Verdict = valid
    ? { status: 'yes', code: 'intact', detail: 'The file shows what was sealed, unchanged.' }
    : { status: 'no', code: 'altered', detail: `${problem?.path || 'The document'} ${problem?.message}.` }
  const inChain = stamp.fault ?? judged('inChain')
  const [signed, witnessed] = [judged('signed'), judged('witnessed')]
  const verdicts = [intact, inChain, signed, witnessed]
  const redactions = redactionsIn(history)
  const redacted = redactions.filter(({ path }) => undisclosed.includes(path))
  return {
    intact,
    inChain,
    signed,
    witnessed,
    ok: valid && verdicts.every(({ status }) => status !== 'no'),
    complete: verdicts.every(({ status }) => status === 'yes'),
    problems,
    undisclosed: undisclosed.filter(
      (path) => !isSuperseded(path, history) && !redacted.some((each) => each.path === path),
    ),
    redacted,
    facts: {
      id: stringOf(evidence.id),
      decisionId: stringOf(evidence.decisionId),
      log: stringOf(evidence.log),
      index: typeof verification.chainIndex === 'number' ? verification.chainIndex : null,
      hash,
      sealedAt: stringOf(evidence.sealedAt),
      size: record.size,
      cosignedBy: record.cosignedBy,
      ...(stamp.at !== null && { timestamped: { at: stamp.at } }),
    },
  }
}

const membersOf = (document: unknown, name: string): Members => {
  const value = isObject(document) ? document[name] : undefined
  return isObject(value) ? value : {}
}

const placeOf = (entry: Members) => {
  const chain = isObject(entry.chain) ? entry.chain : {}
  return { log: entry.log, index: chain.index, hash: chain.hash }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The worst verdict over the record and its history: `no` before `unknown` before `yes`. */
function weakest(record: Anchored, changes: readonly Anchored[], about: 'inChain' | 'signed' | 'witnessed'): Verdict {
  const all = [record, ...changes].map((anchored, at) => {
    const { status, code, detail } = anchored[about]
    return { status, code, detail: at === 0 ? detail : `Change ${at} in the history: ${detail}` }
  })
  const find = (wanted: Verdict['status']) => all.find(({ status }) => status === wanted)
  return find('no') ?? find('unknown') ?? (all[0] as Verdict)
}

/** A token for another checkpoint proves no time and is a fault. */
function readStamp(timestamp: unknown, checkpoint: string | null): { at: string | null; fault: Verdict | null } {
  if (typeof timestamp !== 'string' || checkpoint === null) return { at: null, fault: null }
  const fault = (detail: string): Verdict => ({ status: 'no', code: 'timestamp-bad', detail })
  try {
    const { digest, at } = readTimestamp(fromBase64(timestamp) ?? new Uint8Array())
    if (digest === sha256Hex(checkpoint)) return { at, fault: null }
    return { at: null, fault: fault('The time-stamp was made for another checkpoint.') }
  } catch (error) {
    return { at: null, fault: fault(`The time-stamp cannot be used: ${messageOf(error)}`) }
  }
}

/** Redactions that the history records, oldest first; a path may occur more than once. */
function redactionsIn(history: readonly Members[]): readonly Redaction[] {
  return history.flatMap(({ type, paths, reason, sealedAt }) => {
    if (type !== 'redaction' || !Array.isArray(paths)) return []
    const why = stringOf(reason)
    return paths.map((path) => ({ path: String(path), at: String(sealedAt), ...(why !== null && { reason: why }) }))
  })
}

/** Committed paths whose initial value a later change replaced. */
const isSuperseded = (path: string, history: readonly Members[]): boolean =>
  Object.hasOwn(changeable, path) && history.some(({ type }) => type === changeable[path as keyof typeof changeable])
