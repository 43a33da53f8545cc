/**
 * Declarations of a loss: the entry that begins a generation of a log, with the proof that the log has it. From them
 * follows which entries a later generation has, and which were signed and then lost.
 */
import { type Anchored, checkAnchor, type Verdict } from './anchor.ts'
import { type Domain, domains } from './chain.ts'
import { familyOf, type LostLog, type Succession, successionAt } from './generations.ts'
import { successionLayout } from './layout.ts'
import { type Problem, problem, type Report } from './problem.ts'
import type { TrustPolicy } from './trust-policy.ts'
import { checkEntry, isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

/** A statement that a log of the policy has signed. */
export interface DeclaredLoss extends Succession {
  /** The log that begins with it. */
  readonly log: string
  readonly index: number
  readonly declaredAt: string
}

/** Why an entry that was signed is not in the log any more. */
export interface LossFacts extends Pick<DeclaredLoss, 'reason' | 'declaredBy' | 'declaredAt'> {
  /** The generation that began without the entry. */
  readonly successor: string
  readonly lost: LostLog
  /** False: the statement names fewer signed entries than there were, so it does not tell the truth. */
  readonly admitted: boolean
}

export interface DeclarationVerdict {
  /** Null unless it is intact, and in a log that the policy vouches for. */
  readonly declared: DeclaredLoss | null
  readonly problems: readonly Problem[]
  readonly inChain: Verdict
  readonly signed: Verdict
  readonly witnessed: Verdict
}

const declarationType = 'LogSuccession'

/** Checks one declaration without its place in the log. Null where it is too malformed, or not intact. */
export function readDeclaration(document: unknown, at: string, report: Report): DeclaredLoss | null {
  const { '@type': type, entry, tlogProof, ...more } = isObject(document) ? document : {}
  const inside = (name: string): string => (at === '' ? name : `${at}.${name}`)
  let isWhole = true
  const found: Report = (...fault) => {
    isWhole = false
    report(...fault)
  }
  if (type !== declarationType) found(inside('@type'), 'unexpected', { expected: declarationType })
  for (const name of Object.keys(more)) found(inside(name), 'not-in-format')
  if (typeof tlogProof !== 'string') found(inside('tlogProof'), 'not-a-string')
  if (!isObject(entry) || !isObject(entry.chain) || !domains.includes(entry.chain.domain as Domain)) {
    found(inside('entry'), 'no-entry')
    return null
  }
  const checked = checkEntry(entry, entry.chain.domain as Domain, inside('entry'), [], found, successionLayout)
  const said = successionAt(entry.log, entry.chain.index, entry.succession)
  if (said === null) found(inside('entry.succession'), 'not-a-succession')
  if (!isWhole || checked === null || said === null) return null
  const place = { log: entry.log as string, index: entry.chain.index as number }
  return { ...said, ...place, declaredAt: entry.sealedAt as string }
}

/** Never throws, whatever the document is. */
export function verifyDeclaration(document: unknown, policy: TrustPolicy | null): DeclarationVerdict {
  const problems: Problem[] = []
  const report: Report = (path, code, params) => {
    problems.push(problem(path, code, params))
  }
  let read: DeclaredLoss | null = null
  try {
    read = readDeclaration(document, '', report)
  } catch (error) {
    report('', 'unreadable', { why: error instanceof Error ? error.message : String(error) })
  }
  const { entry, tlogProof } = (isObject(document) ? document : {}) as { entry?: Members; tlogProof?: unknown }
  const chain = isObject(entry?.chain) ? entry.chain : {}
  const anchored: Anchored = checkAnchor({ log: entry?.log, index: chain.index, hash: chain.hash }, tlogProof, policy)
  const { inChain, signed, witnessed } = anchored
  const holds = inChain.status === 'yes' && signed.status === 'yes' && witnessed.code !== 'cosignature-bad'
  return { declared: holds ? read : null, problems, inChain, signed, witnessed }
}

/** Each once: a file may carry a declaration that its reader has too. */
export function declaredIn(documents: readonly unknown[], policy: TrustPolicy | null): readonly DeclaredLoss[] {
  const all = documents.flatMap((each) => verifyDeclaration(each, policy).declared ?? [])
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
}

/** Whether the log `origin` has the entry at `index` of an earlier generation. */
export function isKept(
  log: string,
  index: number,
  origin: string,
  declared: readonly DeclaredLoss[],
): 'yes' | 'no' | 'unknown' {
  const [entry, proof] = [familyOf(log), familyOf(origin)]
  if (entry.first !== proof.first || entry.generation > proof.generation) return 'no'
  for (let at = origin; at !== log; ) {
    const step = declared.find((each) => each.log === at)
    if (step === undefined) return 'unknown'
    const ended = step.lost.find((each) => each.log === log)
    if (ended) return index < ended.kept ? 'yes' : 'no'
    const before = step.lost[0]?.log as string
    if (index >= step.restored.size || familyOf(before).generation < entry.generation) return 'no'
    at = before
  }
  return 'yes'
}

/** The declaration by which this entry, or an entry at this place of its log, is lost. */
export function lossOf(log: unknown, index: unknown, declared: readonly DeclaredLoss[]): LossFacts | null {
  for (const { log: successor, lost, reason, declaredBy, declaredAt } of declared) {
    const own = lost.find((each) => each.log === log)
    if (own === undefined || typeof index !== 'number' || index < own.kept) continue
    return { successor, lost: own, reason, declaredBy, declaredAt, admitted: index < own.size }
  }
  return null
}
