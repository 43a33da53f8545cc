/**
 * Checks an exported proof from the file alone. This shows that the file is complete and unchanged since its hash was
 * made; the signed checkpoints of the log show that the hash is in the log.
 */
import { fromBase64 } from './base64.ts'
import { type Domain, domains, preimageName } from './chain.ts'
import { actionMatches, type EmergencyFacts, type LineFacts, type PasskeyFacts } from './decision-facts.ts'
import { readDeclaration } from './declarations.ts'
import { anchorings, statusOf } from './export.ts'
import { type PolicyText, textsIn } from './policy-text.ts'
import { type Problem, type ProblemCode, problem, type Report } from './problem.ts'
import type { PasskeyHost } from './trust-policy.ts'
import { checkBindings } from './verify-bindings.ts'
import { checkControl } from './verify-control.ts'
import { checkEmergency } from './verify-emergency.ts'
import { type CheckedEntry, checkEntry, isObject, timePattern } from './verify-entry.ts'
import { checkExecutions, checkHistory, checkPath, checkPresent } from './verify-history.ts'
import { checkLines } from './verify-lines.ts'
import { checkRaises, checkSigned, unjudged } from './verify-signed.ts'

export interface ExportVerdict {
  readonly valid: boolean
  /** Recomputed from the file; null when the file is too malformed. */
  readonly hash: string | null
  readonly problems: readonly Problem[]
  /** What only a newer version can judge. With these alone the file is neither valid nor altered. */
  readonly newer: readonly Problem[]
  /** Committed paths that the file does not disclose: redacted or omitted, not disproved. */
  readonly undisclosed: readonly string[]
  /** One for each approval that is shown, oldest first; null where its level is not `passkey`. */
  readonly passkeys: readonly (PasskeyFacts | null)[]
  /** One for each change of the level that is shown, oldest first; null where no passkey signed it. */
  readonly raises: readonly (PasskeyFacts | null)[]
  /** Null where there is no approval line to speak of. */
  readonly line: LineFacts | null
  /** What was approved in an emergency, and what became of it; null where nothing was. */
  readonly emergency: EmergencyFacts | null
}

type CheckedEvidence = CheckedEntry & Pick<ExportVerdict, 'passkeys' | 'raises' | 'line' | 'emergency'>

type Members = Readonly<Record<string, unknown>>

/** Never throws, whatever the document is. `hosts`: where passkeys may sign; without them an origin is not known. */
export function verifyExport(document: unknown, hosts: readonly PasskeyHost[] = []): ExportVerdict {
  const problems: Problem[] = []
  const report: Report = (path, code, params) => {
    problems.push(problem(path, code, params))
  }
  let checked: CheckedEvidence | null = null
  try {
    checked = checkDocument(document, hosts, report)
  } catch (error) {
    report('', 'unreadable', { why: error instanceof Error ? error.message : String(error) })
  }
  const newer = problems.filter(({ code }) => code === 'newer')
  return {
    valid: problems.length === 0 && checked !== null,
    hash: checked?.hash ?? null,
    problems: problems.filter(({ code }) => code !== 'newer'),
    newer,
    undisclosed: checked?.undisclosed ?? [],
    passkeys: checked?.passkeys ?? [],
    raises: checked?.raises ?? [],
    line: checked?.line ?? null,
    emergency: checked?.emergency ?? null,
  }
}

function checkDocument(document: unknown, hosts: readonly PasskeyHost[], report: Report): CheckedEvidence | null {
  if (!isObject(document)) {
    report('', 'not-an-object')
    return null
  }
  const {
    '@context': context,
    '@type': type,
    version,
    exportedAt,
    evidence,
    verification,
    policyTexts,
    ...more
  } = document
  for (const name of Object.keys(more)) report(name, 'not-in-format')
  if (typeof context !== 'string' || !context.endsWith('/decision-proof/v2')) report('@context', 'other-format')
  if (type !== 'DecisionProof') report('@type', 'unexpected', { expected: 'DecisionProof' })
  if (version !== '2.0') report('version', 'unexpected', { expected: '2.0' })
  if (typeof exportedAt !== 'string' || !timePattern.test(exportedAt)) report('exportedAt', 'not-a-time')
  if (!isObject(evidence) || !isObject(evidence.chain)) {
    report('evidence', 'no-entry')
    return null
  }
  const domain = evidence.chain.domain
  if (domain === 'history' || !domains.includes(domain as Domain)) {
    report('evidence.chain.domain', 'not-exportable')
    return null
  }
  checkVerification(verification, evidence, report)
  return checkEvidence(evidence, domain as Domain, textsIn(policyTexts, evidence, report), hosts, report)
}

/** `verification` repeats members of the chain for a quick look; a difference would mislead the reader. */
function checkVerification(verification: unknown, evidence: Members, report: Report): void {
  if (!isObject(verification)) {
    report('verification', 'not-an-object')
    return
  }
  const chain = evidence.chain as Members
  const expected: Members = {
    hashAlgorithm: 'SHA-256',
    preimage: preimageName,
    chainDomain: chain.domain,
    chainIndex: chain.index,
    chainHash: chain.hash,
    previousHash: chain.previousHash,
  }
  for (const name of Object.keys(expected)) {
    if (verification[name] !== expected[name]) report(`verification.${name}`, 'disagrees')
  }
  if (typeof verification.verifyUrl !== 'string') report('verification.verifyUrl', 'not-an-address')
  checkAnchorForm(verification, evidence, report)
  for (const name of Object.keys(verification)) {
    if (!Object.hasOwn(expected, name) && !unsealed.includes(name)) {
      report(`verification.${name}`, 'not-in-format')
    }
  }
}
/** Members about the log; checked against the log, not against the hash. */
const unsealed = ['verifyUrl', 'tlogProof', 'anchoring', 'timestamp', 'historyProofs', 'bindingProofs', 'successions']

/** Checks only that the members are complete and match `anchoring`; `verifyProof` checks them against the log. */
function checkAnchorForm(verification: Members, evidence: Members, report: Report): void {
  const { tlogProof, anchoring, timestamp } = verification
  const demand = (holds: boolean, name: string, code: ProblemCode, params?: Problem['params']): void => {
    if (!holds) report(`verification.${name}`, code, params)
  }
  if (tlogProof === undefined) {
    for (const name of unsealed.slice(2)) {
      demand(!Object.hasOwn(verification, name), name, 'without-log-proof')
    }
    return
  }
  demand(typeof tlogProof === 'string', 'tlogProof', 'not-a-string')
  demand((anchorings as readonly unknown[]).includes(anchoring), 'anchoring', 'none-of', {
    allowed: anchorings.join(', '),
  })
  const stamped = anchoring === 'timestamped'
  if (timestamp === undefined) demand(!stamped, 'timestamp', 'missing')
  else {
    demand(stamped, 'timestamp', 'stamp-unclaimed', { anchoring: String(anchoring) })
    demand(typeof timestamp === 'string' && fromBase64(timestamp) !== null, 'timestamp', 'not-base64')
  }
  const { successions } = verification
  if (successions !== undefined && (!Array.isArray(successions) || successions.length === 0)) {
    demand(false, 'successions', 'not-a-list')
  } else {
    for (const [position, each] of ((successions ?? []) as readonly unknown[]).entries()) {
      readDeclaration(each, `verification.successions.${position}`, report)
    }
  }
  for (const [name, list] of [
    ['historyProofs', evidence.history],
    ['bindingProofs', evidence.bindings],
  ] as const) {
    const proofs = verification[name]
    if (proofs === undefined) continue
    const fits = Array.isArray(list) && Array.isArray(proofs) && proofs.length === list.length
    demand(fits && proofs.every((each) => typeof each === 'string'), name, 'history-proofs')
  }
}

function checkEvidence(
  evidence: Members,
  domain: Domain,
  texts: ReadonlyMap<string, PolicyText>,
  hosts: readonly PasskeyHost[],
  report: Report,
): CheckedEvidence | null {
  const changes = checkHistory(evidence, report)
  const moved = checkPresent(evidence, changes, report)
  if (domain === 'dpu' && evidence.decisionId !== evidence.id) report('evidence.decisionId', 'not-the-id')
  if (evidence.status !== statusOf(domain, evidence.evidenceLevel)) report('evidence.status', 'wrong-status')

  // Evidence of a decision may show the hashed text as `content`. Where `content` is committed, verifyEntry checks it.
  const showsText =
    domain === 'proof' && !(isObject(evidence.commitments) && Object.hasOwn(evidence.commitments, 'content'))
  const elsewhere = [
    'status',
    'history',
    'bindings',
    ...moved,
    ...(domain === 'dpu' ? ['decisionId'] : []),
    ...(showsText ? ['content'] : []),
  ]
  // A decision hashes its level in clear: where the level was raised since, the sealed one is `sealedLevel`.
  const raised = domain === 'proof' && moved.includes('evidenceLevel')
  const { sealedLevel, ...members } = evidence
  const sealed = raised ? { ...members, evidenceLevel: sealedLevel } : evidence
  const checked = checkEntry(
    sealed,
    domain,
    'evidence',
    elsewhere.filter((name) => !raised || name !== 'evidenceLevel'),
    report,
  )
  const shown = showsText && Object.hasOwn(evidence, 'content')
  if (shown && checked !== null && evidence.content !== checked.content) {
    report('evidence.content', 'content-differs')
  }
  if (checked === null) return null
  const isRaised = moved.includes('evidenceLevel')
  const initialLevel = raised ? sealedLevel : isRaised ? undefined : evidence.evidenceLevel
  checkPath({ hash: checked.hash, commitments: evidence.commitments }, initialLevel, changes, report)
  checkExecutions(evidence, changes, report)
  const signing = { bindings: checkBindings(evidence, hosts, report), hosts, report }
  const raises = checkRaises(evidence, changes, signing)
  const nothing = { line: null, emergency: null }
  if (domain !== 'proof') return { ...checked, passkeys: [], raises, ...nothing }
  if (!checkControl(evidence, report)) return { ...checked, passkeys: unjudged(evidence), raises, ...nothing }
  const isShown = actionMatches(evidence, checked.undisclosed)
  if (isShown === false) report('evidence.actionDigest', 'digest-differs')
  const line = checkLines(evidence, texts, checked.undisclosed, report)
  const passkeys = checkSigned(evidence, isShown === true, signing)
  const emergency = checkEmergency(evidence, changes, { texts, undisclosed: checked.undisclosed, signing })
  return { ...checked, passkeys, raises, line, emergency }
}
