/**
 * Verifies an exported proof from the file and a trust policy alone: the file is intact, the entry is in its log, the
 * log signed, witnesses cosigned. Four verdicts instead of one, so that each claims only what was checked. They cover
 * every chain entry in the file: an unsigned history could have been invented.
 */
import { sha256Hex } from '#sha256'
import { checkAuthority } from '#timestamp-authority'
import { type Anchored, type Cosigner, checkAnchor, type Kept, messageOf, type Verdict } from './anchor.ts'
import { fromBase64 } from './base64.ts'
import { isSandboxLog } from './chain.ts'
import {
  actionMatches,
  type DecisionFacts,
  decisionIn,
  type ExecutionFacts,
  executionIn,
  type Limit,
  limitsOf,
  type RaiseFacts,
  raisesIn,
  type Warning,
} from './decision-facts.ts'
import { type DeclaredLoss, declaredIn, isKept, type LossFacts, lossOf } from './declarations.ts'
import { familyOf } from './generations.ts'
import { changeable } from './layout.ts'
import type { Problem } from './problem.ts'
import { shown } from './shown.ts'
import { lineUnder, type Standing, standingOf, under } from './standing.ts'
import { readTimestamp, type Stamp } from './timestamp.ts'
import type { TrustPolicy } from './trust-policy.ts'
import { isObject } from './verify-entry.ts'
import { verifyExport } from './verify-export.ts'

export type { Verdict } from './anchor.ts'
export type { Standing } from './standing.ts'

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
  /**
   * The state that the file shows: after this many changes, in a log of this size (of the newest change, or of the record
   * before any). Later changes are not shown by a file.
   */
  readonly asOf: { readonly change: number; readonly size: number | null }
  /** Null for a unit that is not a decision. */
  readonly decision: DecisionFacts | null
  /** Who raised its level since, oldest first. */
  readonly raises: readonly RaiseFacts[]
  /** Null where the file shows no consumption. */
  readonly execution: ExecutionFacts | null
  /** Whether the action that is shown was compared with its digest; false when a value or the salt is gone. */
  readonly actionCompared: boolean
  /** Absent without a time stamp for this checkpoint. It has a date only under a given authority. */
  readonly timestamp?: Stamp
}

export interface VerifyOptions {
  /** Certificates of time-stamping authorities, in PEM. */
  readonly authorities?: readonly string[]
  /** Whether test data is enough: without it `ok` is false for a record of a sandbox. */
  readonly sandbox?: boolean
  /** Declarations of lost entries, in the form in which a server shows them. Those of the file count too. */
  readonly declarations?: readonly unknown[]
}

export interface ProofVerdict {
  readonly intact: Verdict
  readonly inChain: Verdict
  readonly signed: Verdict
  readonly witnessed: Verdict
  readonly standing: Standing
  /** The standing is `holds`, or `sandbox` where the options accept test data. */
  readonly ok: boolean
  /** Whether a log that the file names is that of a sandbox, whatever its standing is. */
  readonly sandbox: boolean
  /** Whether the record commits to the rules under which it was sealed and the file does not show them, whatever its standing is. */
  readonly hidesRules: boolean
  /** All four verdicts are `yes`. */
  readonly complete: boolean
  readonly problems: readonly Problem[]
  /** What only a newer version can judge. */
  readonly newer: readonly Problem[]
  /** Committed paths that are not disclosed, without a history entry that redacts them. */
  readonly undisclosed: readonly string[]
  readonly redacted: readonly Redaction[]
  /** Members that no hash and no signature covers: anybody could have changed them. */
  readonly outside: readonly string[]
  /** The declaration that the record was lost after it was signed. */
  readonly lost: LossFacts | null
  /** The declared losses of the logs that the file names, oldest first, as far as the policy vouches for them. */
  readonly successions: readonly DeclaredLoss[]
  /** What is not proved, whatever the verdicts are. */
  readonly limits: readonly Limit[]
  /** Nothing is altered, and a reader has to know it: `late`, the decision was taken after its approval could be used. */
  readonly warnings: readonly Warning[]
  readonly facts: ProofFacts
}

type Members = Readonly<Record<string, unknown>>

/** Never throws, whatever the document is. */
export function verifyProof(
  document: unknown,
  policy: TrustPolicy | null,
  { authorities = [], sandbox: acceptsSandbox = false, declarations = [] }: VerifyOptions = {},
): ProofVerdict {
  const {
    valid,
    hash,
    problems,
    newer,
    undisclosed,
    passkeys,
    raises: signedRaises,
    line,
    emergency,
  } = verifyExport(document, policy?.passkeys)
  const evidence = membersOf(document, 'evidence')
  const verification = membersOf(document, 'verification')
  const history = listOf(evidence.history)
  const historyProofs = Array.isArray(verification.historyProofs) ? verification.historyProofs : []
  const bindingProofs = Array.isArray(verification.bindingProofs) ? verification.bindingProofs : []

  const declared = declaredIn([...listOf(verification.successions), ...declarations], policy)
  const kept: Kept = (log, index, origin) => isKept(log, index, origin, declared)
  const anchored = (entry: Members, proof: unknown) => checkAnchor(placeOf(entry), proof, policy, kept)
  const record = anchored(evidence, verification.tlogProof)
  const changes = history.map((entry, at) => anchored(entry, historyProofs[at]))
  const bound = listOf(evidence.bindings)
  const bindings = bound.map((entry, at) => anchored(entry, bindingProofs[at]))
  const sandbox = [evidence, ...history, ...bound].some(({ log }) => isSandboxLog(log))
  const { stamp, fault } = readStamp(verification.timestamp, record.checkpoint, authorities)
  const judged = (about: 'inChain' | 'signed' | 'witnessed'): Verdict => weakest(record, changes, bindings, about)

  const [problem] = problems
  const intact: Verdict = valid
    ? { status: 'yes', code: 'intact', detail: 'The file shows exactly what was sealed.' }
    : newer[0] && !problem
      ? { status: 'unknown', code: 'newer', detail: `${shown(newer[0].path)} ${newer[0].message}.` }
      : { status: 'no', code: 'altered', detail: `${shown(problem?.path || 'The document')} ${problem?.message}.` }
  const inChain = fault ?? judged('inChain')
  const [signed, witnessed] = [judged('signed'), judged('witnessed')]
  const verdicts = [intact, inChain, signed, witnessed]
  const { log, index: place } = placeOf(evidence)
  const lost = lossOf(log, place, declared)
  const hidesRules = isObject(evidence.event) && undisclosed.includes('control')
  const standing = standingOf(isObject(evidence.chain), verdicts, { sandbox, lost: lost !== null, hidesRules })
  const decision = decisionIn(
    evidence,
    passkeys.map((each) => under(standing, each)),
    lineUnder(standing, line),
    emergency && {
      ...emergency,
      confirmations: emergency.confirmations.map((each) => ({ ...each, passkey: under(standing, each.passkey) })),
    },
  )
  const raises = raisesIn(
    history,
    signedRaises.map((each) => under(standing, each)),
  )
  const compared = actionMatches(evidence, undisclosed)
  const execution = executionIn(evidence, history)
  const redactions = redactionsIn(history)
  const redacted = redactions.filter(({ path }) => undisclosed.includes(path))
  return {
    intact,
    inChain,
    signed,
    witnessed,
    standing,
    ok: standing === 'holds' || (standing === 'sandbox' && acceptsSandbox),
    sandbox,
    hidesRules,
    complete: verdicts.every(({ status }) => status === 'yes'),
    problems,
    newer,
    undisclosed: undisclosed.filter(
      (path) => !isSuperseded(path, history) && !redacted.some((each) => each.path === path),
    ),
    redacted,
    outside: outsideOf(document, stamp),
    lost,
    successions: declared.filter((each) => namesOf([evidence, ...history, ...bound]).has(familyOf(each.log).first)),
    limits: limitsOf(decision, raises, compared, execution),
    warnings: [
      ...(execution?.late ? (['late'] as const) : []),
      ...(execution?.unconfirmed ? (['unconfirmed'] as const) : []),
    ],
    facts: {
      id: stringOf(evidence.id),
      decisionId: stringOf(evidence.decisionId),
      log: stringOf(evidence.log),
      index: typeof verification.chainIndex === 'number' ? verification.chainIndex : null,
      hash,
      sealedAt: stringOf(evidence.sealedAt),
      size: record.size,
      cosignedBy: record.cosignedBy,
      asOf: { change: changes.length, size: (changes.at(-1) ?? record).size },
      decision,
      raises,
      execution,
      actionCompared: compared === true,
      ...(stamp !== null && { timestamp: stamp }),
    },
  }
}

const membersOf = (document: unknown, name: string): Members => {
  const value = isObject(document) ? document[name] : undefined
  return isObject(value) ? value : {}
}

const listOf = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.map((entry) => (isObject(entry) ? entry : {})) : []

const placeOf = (entry: Members) => {
  const chain = isObject(entry.chain) ? entry.chain : {}
  return { log: entry.log, index: chain.index, hash: chain.hash }
}

const stringOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** The worst verdict over the record, its history and the bindings of its passkeys: `no` before `unknown` before `yes`. */
function weakest(
  record: Anchored,
  changes: readonly Anchored[],
  bindings: readonly Anchored[],
  about: 'inChain' | 'signed' | 'witnessed',
): Verdict {
  const named = (name: string) => (anchored: Anchored, at: number) => {
    const { status, code, detail } = anchored[about]
    return { status, code, detail: `${name} ${at + 1} in the history: ${detail}` }
  }
  const all = [record[about], ...changes.map(named('Change')), ...bindings.map(named('Binding'))]
  const find = (wanted: Verdict['status']) => all.find(({ status }) => status === wanted)
  return find('no') ?? find('unknown') ?? (all[0] as Verdict)
}

/** The first names of the logs. */
const namesOf = (entries: readonly Members[]): ReadonlySet<string> =>
  new Set(entries.flatMap(({ log }) => (typeof log === 'string' ? [familyOf(log).first] : [])))

/** `anchoring` is what the exporter says; the verdicts say what was found. */
function outsideOf(document: unknown, stamp: Stamp | null): readonly string[] {
  const top = ['@context', 'exportedAt'].filter((name) => isObject(document) && Object.hasOwn(document, name))
  const verification = membersOf(document, 'verification')
  const about = ['anchoring', 'timestamp', 'verifyUrl'].filter(
    (name) => Object.hasOwn(verification, name) && !(name === 'timestamp' && stamp?.status === 'verified'),
  )
  return [...top, ...about.map((name) => `verification.${name}`)]
}

/** A token for another checkpoint, or with a false signature, proves no time and is a fault. */
function readStamp(
  timestamp: unknown,
  checkpoint: string | null,
  authorities: readonly string[],
): { stamp: Stamp | null; fault: Verdict | null } {
  if (typeof timestamp !== 'string' || checkpoint === null) return { stamp: null, fault: null }
  const bad = (detail: string) => ({
    stamp: null,
    fault: { status: 'no', code: 'timestamp-bad', detail: shown(detail) } as const,
  })
  try {
    const token = fromBase64(timestamp) ?? new Uint8Array()
    if (readTimestamp(token).digest !== sha256Hex(checkpoint)) {
      return bad('The timestamp was made for another checkpoint.')
    }
    const stamp = checkAuthority(token, authorities)
    if (stamp === 'forged') return bad("The timestamp's signature wasn't made by the authority that it names.")
    return { stamp, fault: null }
  } catch (error) {
    return bad(`The timestamp can't be used: ${messageOf(error)}`)
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
