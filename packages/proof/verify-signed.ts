/**
 * Checks what passkeys signed, approvals and raises of the level: the statement says what the record says. What a file no
 * longer shows is not disproved.
 */
import { canonical, type Json } from './canonical.ts'
import { approvalHash, priorDigest } from './control.ts'
import { approvalsIn, type GivenApproval, type PasskeyFacts, raisesOf } from './decision-facts.ts'
import { isUpTo } from './generations.ts'
import {
  type AnyApprovalStatement,
  type ApprovalStatement,
  isStatement,
  type RaiseStatement,
  reasonDigest,
} from './passkey-statement.ts'
import { isObject } from './verify-entry.ts'
import { isInEmergency } from './verify-lines.ts'
import { checkPasskey, nothingShown, type Signing } from './verify-passkey.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * One for each approval, oldest first; null where its level is another. `actionCompared`: the file shows the action whose
 * digest was signed. Whoever holds the log's key could else show another one beside the signature.
 */
export function checkSigned(
  evidence: Members,
  actionCompared: boolean,
  signing: Signing,
): readonly (PasskeyFacts | null)[] {
  const all = approvalsIn(evidence)
  const committed = (name: string): boolean =>
    isObject(evidence.commitments) && Object.hasOwn(evidence.commitments, name)
  checkOnce(all, signing)
  return all.map((each, position) => {
    const { approval, statement, statementAt, at, hidden } = each
    const { identity, passkey } = approval
    if (hidden) return null
    const signed = isObject(identity) && identity.level === 'passkey'
    // What did not count is not checked: that its signature did not hold may be the reason.
    if (each.control?.void !== undefined && !each.isLast) return signed ? notJudged('void') : null
    if (!signed) {
      if (passkey !== undefined) signing.report(`${at}.passkey`, 'passkey-unclaimed')
      else if (statement !== undefined) signing.report(statementAt, 'passkey-unclaimed')
      return null
    }
    const known = knownBefore(all.slice(0, position), statement)
    return checkPasskey<AnyApprovalStatement>(passkey, at, signing, {
      types: ['countersign-approval-v1', 'countersign-approval-v2'],
      statement,
      statementAt,
      isNeeded: committed('control') && !(each.isLast && committed('statement')),
      agrees: (said) => saysTheSame(said, evidence, each) && known !== 'others',
      isShown: actionCompared && known === 'these' && hasShown(evidence, each),
    })
  })
}

/** Where the seal says something that only a newer version understands. */
export const unjudged = (evidence: Members): readonly (PasskeyFacts | null)[] =>
  approvalsIn(evidence).map(({ approval: { identity } }) =>
    isObject(identity) && identity.level === 'passkey' ? notJudged('newer') : null,
  )

const notJudged = (why: 'newer' | 'void'): PasskeyFacts => ({ ...nothingShown, status: 'unknown', why })

/** One approval is not two: neither the value nor the signature comes a second time. */
function checkOnce(all: readonly GivenApproval[], { report }: Signing): void {
  const seen = new Set<unknown>()
  for (const each of all) {
    const { passkey } = each.approval
    const marks = [hashOf(each), isObject(passkey) ? passkey.clientDataJSON : null].filter((mark) => mark !== null)
    if (marks.some((mark) => seen.has(mark))) report(each.at, 'approval-twice')
    for (const mark of marks) seen.add(mark)
  }
}

const hashOf = ({ approval, salt }: GivenApproval): string | null =>
  salt === null ? null : approvalHash(salt, approval as Json)

/**
 * Whether the earlier approvals that the statement names are the first of those that the file shows. An approval that came
 * while the person was reading is not among them.
 */
function knownBefore(earlier: readonly GivenApproval[], statement: unknown): 'these' | 'others' | 'unknown' {
  if (!isStatement('countersign-approval-v2', statement)) return 'these'
  const { prior } = statement as unknown as ApprovalStatement
  const hashes: string[] = []
  if (priorDigest(hashes) === prior) return 'these'
  for (const each of earlier) {
    const hash = hashOf(each)
    if (hash === null) return 'unknown'
    hashes.push(hash)
    if (priorDigest(hashes) === prior) return 'these'
  }
  return 'others'
}

/**
 * One for each change of the level, oldest first; null where no passkey signed it. The hash that the statement names
 * covers the record and every change before, so nothing else is compared.
 */
export function checkRaises(
  evidence: Members,
  changes: readonly Members[],
  signing: Signing,
): readonly (PasskeyFacts | null)[] {
  return raisesOf(changes).map((change) => {
    const { commitments, passkey } = change
    const committed = isObject(commitments) ? Object.keys(commitments) : []
    if (!committed.includes('passkey')) return null
    if (passkey === undefined) return { ...nothingShown, status: 'unknown', why: 'redacted' }
    const at = `evidence.history.${changes.indexOf(change)}`
    return checkPasskey<RaiseStatement>(passkey, at, signing, {
      types: ['countersign-raise-v1'],
      statement: isObject(passkey) ? passkey.statement : undefined,
      statementAt: `${at}.passkey.statement`,
      agrees: (said) => saysTheRaise(said, evidence, change, committed),
      isShown: committed.every((name) => change[name] !== undefined),
      index: (change.chain as Members).index as number,
    })
  })
}

/** Whether the file shows all that the statement is compared with. Without a reason there is nothing to compare. */
function hasShown({ commitments }: Members, { approval, control, statement, isLast }: GivenApproval): boolean {
  if (!isLast) return true
  const { approver, onBehalfOf, reason, reasonSalt } = approval
  const hides = (path: string, value: unknown): boolean =>
    value === undefined && isObject(commitments) && Object.hasOwn(commitments, path)
  return (
    statement !== undefined &&
    !hides('control', control ?? undefined) &&
    !hides('approval.approver.id', isObject(approver) ? approver.id : undefined) &&
    !hides('approval.onBehalfOf', onBehalfOf) &&
    (reason === undefined || !hides('approval.reasonSalt', reasonSalt))
  )
}

function saysTheSame(
  said: AnyApprovalStatement,
  evidence: Members,
  { approval, control, isLast }: GivenApproval,
): boolean {
  const { approver, identity, result, onBehalfOf, reason, reasonSalt } = approval
  const committed = isLast && isObject(evidence.commitments) ? evidence.commitments : {}
  const hides = (path: string, value: unknown): boolean => value === undefined && Object.hasOwn(committed, path)
  const id = isObject(approver) ? approver.id : undefined
  const by = isObject(identity) ? identity.by : undefined
  const reasonFits =
    hides('approval.reason', reason) ||
    (reason !== undefined && hides('approval.reasonSalt', reasonSalt)) ||
    said.reasonDigest === (reason === undefined ? null : reasonDigest(String(reasonSalt), String(reason)))
  return (
    isUpTo(said.log, evidence.log) &&
    // An event and its evidence have the same id under two prefixes.
    said.eventId === String(evidence.id).replace(/^evd_/, 'evt_') &&
    said.decisionId === evidence.decisionId &&
    said.actionDigest === evidence.actionDigest &&
    said.result === result &&
    (hides('approval.approver.id', id) || said.approverId === id) &&
    (by === undefined || said.approverId === by) &&
    (hides('approval.onBehalfOf', onBehalfOf) || said.onBehalfOf === (onBehalfOf ?? null)) &&
    // The policies may change between the first of two approvals and the seal.
    (!isLast || listed(said.policies) === listed(evidence.policies ?? [])) &&
    reasonFits &&
    // Where the file does not show `control`, there is nothing to compare. A statement of 0.1.0 says nothing of a page.
    (hides('control', control ?? undefined) ||
      (canonical(shownTo(said)) === canonical((control?.shown ?? null) as Json) &&
        urgentIn(said) === isInEmergency({ control, isLast })))
  )
}

const urgentIn = (said: AnyApprovalStatement): boolean =>
  said.type === 'countersign-approval-v2' && said.emergency === true

const shownTo = (said: AnyApprovalStatement): Json =>
  said.type === 'countersign-approval-v1' ? null : (said.shown as Json)

function saysTheRaise(said: RaiseStatement, { id }: Members, change: Members, committed: readonly string[]): boolean {
  const { log, previous, evidenceLevel, by, policies } = change
  const hides = (name: string): boolean => change[name] === undefined && committed.includes(name)
  return (
    isUpTo(said.log, log) &&
    // Evidence of a decision is a unit too, under another prefix.
    said.dpuId === String(id).replace(/^evd_/, 'dpu_') &&
    said.previous === previous &&
    (hides('evidenceLevel') || said.evidenceLevel === evidenceLevel) &&
    (hides('by') || (isObject(by) && said.approverId === by.id)) &&
    (hides('policies') || listed(said.policies) === listed(policies ?? []))
  )
}

const listed = (policies: unknown): string =>
  (policies as readonly Json[])
    .map((policy) => canonical(policy))
    .sort()
    .join()
