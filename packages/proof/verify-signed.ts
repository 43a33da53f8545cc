/**
 * Checks what passkeys signed, approvals and raises of the level: the statement says what the record says. What a file no
 * longer shows is not disproved.
 */
import { canonical, type Json } from './canonical.ts'
import { priorDigest } from './control.ts'
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
  const given = approvalsIn(evidence)
  return given.map((each, position) => {
    const { approval, statement, statementAt, at, isLast, hidden } = each
    const { identity, passkey } = approval
    if (hidden) return null
    if (!isObject(identity) || identity.level !== 'passkey') {
      if (passkey !== undefined) signing.report(`${at}.passkey`, 'passkey-unclaimed')
      else if (statement !== undefined) signing.report(statementAt, 'passkey-unclaimed')
      return null
    }
    const known = knownBefore(given.slice(0, position), statement)
    return checkPasskey<AnyApprovalStatement>(passkey, at, signing, {
      types: ['countersign-approval-v1', 'countersign-approval-v2'],
      statement,
      statementAt,
      agrees: (said) => saysTheSame(said, evidence, each) && known !== 'others',
      isShown: actionCompared && known === 'these' && (!isLast || !isObject(passkey) || hasShown(evidence, each)),
    })
  })
}

/**
 * Whether the earlier approvals that the statement names are the first of those that the file shows. An approval that came
 * while the person was reading is not among them.
 */
function knownBefore(earlier: readonly GivenApproval[], statement: unknown): 'these' | 'others' | 'unknown' {
  if (!isStatement('countersign-approval-v2', statement)) return 'these'
  const { prior } = statement as unknown as ApprovalStatement
  const hashes: string[] = []
  for (const { hash } of [...earlier, null].map((each) => each ?? { hash: null })) {
    if (priorDigest(hashes) === prior) return 'these'
    if (hash === null) break
    hashes.push(hash)
  }
  return earlier.some(({ hash }) => hash === null) ? 'unknown' : 'others'
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
function hasShown({ commitments }: Members, { approval, statement }: GivenApproval): boolean {
  const { approver, onBehalfOf, reason, reasonSalt } = approval
  const hides = (path: string, value: unknown): boolean =>
    value === undefined && isObject(commitments) && Object.hasOwn(commitments, path)
  return (
    statement !== undefined &&
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
    (said.type === 'countersign-approval-v1' || saysWhatWasShown(said, evidence, control, isLast))
  )
}

/** Of the members that are reserved, this version knows no value but null. */
const saysWhatWasShown = (
  { approvedActionDigest, emergency, shown }: ApprovalStatement,
  { commitments }: Members,
  control: Members,
  isLast: boolean,
): boolean =>
  approvedActionDigest === null &&
  emergency === null &&
  // Where the file does not show `control`, there is nothing to compare.
  ((isLast && control.rules === undefined && isObject(commitments) && Object.hasOwn(commitments, 'control')) ||
    canonical(shown as unknown as Json) === canonical((control.shown ?? null) as Json))

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
