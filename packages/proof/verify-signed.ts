/**
 * Checks what passkeys signed, approvals and raises of the level: the statement says what the record says. What a file no
 * longer shows is not disproved.
 */
import { canonical, type Json } from './canonical.ts'
import { approvalsIn, type PasskeyFacts, raisesOf } from './decision-facts.ts'
import { isUpTo } from './generations.ts'
import { type ApprovalStatement, type RaiseStatement, reasonDigest } from './passkey-statement.ts'
import { isObject } from './verify-entry.ts'
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
  return approvalsIn(evidence).map(({ approval, at, isLast }) => {
    const { identity, passkey } = approval
    if (!isObject(identity) || identity.level !== 'passkey') {
      if (passkey !== undefined) signing.report(`${at}.passkey`, 'passkey-unclaimed')
      return null
    }
    return checkPasskey(passkey, at, signing, {
      type: 'countersign-approval-v1',
      agrees: (said: ApprovalStatement) => saysTheSame(said, evidence, approval, isLast),
      isShown: actionCompared && (!isLast || !isObject(passkey) || hasShown(evidence)),
    })
  })
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
    return checkPasskey(passkey, `evidence.history.${changes.indexOf(change)}`, signing, {
      type: 'countersign-raise-v1',
      agrees: (said: RaiseStatement) => saysTheRaise(said, evidence, change, committed),
      isShown: committed.every((name) => change[name] !== undefined),
      index: (change.chain as Members).index as number,
    })
  })
}

/** Whether the file shows all that the statement is compared with. Without a reason there is nothing to compare. */
function hasShown({ approval, commitments }: Members): boolean {
  const { passkey, approver, onBehalfOf, reason, reasonSalt } = approval as Members
  const hides = (path: string, value: unknown): boolean =>
    value === undefined && isObject(commitments) && Object.hasOwn(commitments, path)
  return (
    !hides('approval.passkey.statement', (passkey as Members).statement) &&
    !hides('approval.approver.id', isObject(approver) ? approver.id : undefined) &&
    !hides('approval.onBehalfOf', onBehalfOf) &&
    (reason === undefined || !hides('approval.reasonSalt', reasonSalt))
  )
}

function saysTheSame(said: ApprovalStatement, evidence: Members, approval: Members, isLast: boolean): boolean {
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
    reasonFits
  )
}

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
