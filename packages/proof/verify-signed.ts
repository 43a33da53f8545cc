/**
 * Checks the approvals of the level `passkey`: the statement says what the record says, and the key that signed it was
 * bound to the approver, by an entry of the history, before the approval. What a file no longer shows is not disproved.
 */
import { canonical, type Json } from './canonical.ts'
import { approvalsIn, type PasskeyFacts } from './decision-facts.ts'
import { backupFlags, challengeOf, checkAssertion, type PasskeyAssertion, thumbprintOf } from './passkey.ts'
import { type ApprovalStatement, isStatement, reasonDigest } from './passkey-statement.ts'
import type { ProblemCode, Report } from './problem.ts'
import type { PasskeyHost } from './trust-policy.ts'
import { type Binding, originsOf } from './verify-bindings.ts'
import { hashPattern, isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

const nothing = {
  ...{ rpId: null, thumbprint: null, boundAt: null },
  ...{ confirmation: null, confirmedAt: null, backupEligible: null },
} as const

/**
 * One for each approval, oldest first; null where its level is another. `actionCompared`: the file shows the action whose
 * digest was signed. Whoever holds the log's key could else show another one beside the signature.
 */
export function checkSigned(
  evidence: Members,
  bindings: ReadonlyMap<unknown, Binding>,
  hosts: readonly PasskeyHost[],
  actionCompared: boolean,
  report: Report,
): readonly (PasskeyFacts | null)[] {
  return approvalsIn(evidence).map(({ approval, at, isLast }) => {
    let bad = false
    const fault = (path: string, code: ProblemCode): void => {
      bad = true
      report(`${at}.${path}`, code)
    }
    const { identity, passkey } = approval
    if (!isObject(identity) || identity.level !== 'passkey') {
      if (passkey !== undefined) fault('passkey', 'passkey-unclaimed')
      return null
    }
    if (!isObject(passkey)) {
      fault('passkey', 'missing')
      return { ...nothing, status: 'false', why: null }
    }
    checkMembers(passkey, fault)
    const bound = bindings.get(passkey.binding)
    if (bound === undefined) fault('passkey.binding', 'binding-missing')
    else checkPlace(passkey, bound, fault)
    const compared = isLast ? hasShown(evidence) : passkey.statement !== undefined
    const said = isStatement('countersign-approval-v1', passkey.statement)
      ? (passkey.statement as unknown as ApprovalStatement)
      : null
    if (passkey.statement !== undefined) {
      if (said === null || !saysTheSame(said, evidence, approval, isLast))
        fault('passkey.statement', 'statement-differs')
    }
    if (said !== null && bound !== undefined) checkKey(passkey, said, bound, hosts, fault)
    const named = said !== null && originsOf(hosts, said.rpId) !== null
    const shown = actionCompared && compared && said !== null && bound?.known === true
    return {
      ...factsOf(passkey, said, bound),
      status: bad ? 'false' : shown && named ? 'holds' : 'unknown',
      why: bad || (shown && named) ? null : shown ? 'no-host' : 'redacted',
    }
  })
}

type Fault = (path: string, code: ProblemCode) => void

const texts = ['authenticatorData', 'clientDataJSON', 'signature']

function checkMembers(passkey: Members, fault: Fault): void {
  for (const name of [...texts, 'binding', 'historySize']) {
    if (!Object.hasOwn(passkey, name)) fault(`passkey.${name}`, 'missing')
  }
  for (const name of Object.keys(passkey)) {
    if (![...texts, 'binding', 'historySize', 'statement'].includes(name)) fault(`passkey.${name}`, 'added')
  }
  if (typeof passkey.binding !== 'string' || !hashPattern.test(passkey.binding)) fault('passkey.binding', 'not-a-hash')
  if (!Number.isSafeInteger(passkey.historySize)) fault('passkey.historySize', 'not-an-index')
}

/** The named entry was in the history, and the newest about its key, when the approval was judged. */
function checkPlace({ historySize }: Members, { index, next }: Binding, fault: Fault): void {
  if (!(index < (historySize as number))) fault('passkey.historySize', 'binding-later')
  if (next < (historySize as number)) fault('passkey.binding', 'binding-older')
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
    said.log === evidence.log &&
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

const listed = (policies: unknown): string =>
  (policies as readonly Json[])
    .map((policy) => canonical(policy))
    .sort()
    .join()

function checkKey(
  passkey: Members,
  said: ApprovalStatement,
  { actorId, key, known, counting, statement, backupEligible }: Binding,
  hosts: readonly PasskeyHost[],
  fault: Fault,
): void {
  if (actorId !== null && actorId !== said.approverId) fault('passkey.binding', 'binding-person')
  if (statement !== null && statement.rpId !== said.rpId) fault('passkey.statement', 'passkey-host')
  if (known && counting === null) fault('passkey.binding', 'binding-unconfirmed')
  if (key === null) return
  const code = checkAssertion(passkey as unknown as PasskeyAssertion, {
    challenge: challengeOf(said),
    key,
    rpId: said.rpId,
    origins: originsOf(hosts, said.rpId),
    ...(backupEligible !== null && { backupEligible }),
  })
  if (code !== null) fault('passkey', code)
}

function factsOf(passkey: Members, said: ApprovalStatement | null, bound: Binding | undefined) {
  return {
    rpId: said?.rpId ?? null,
    thumbprint: bound?.key ? thumbprintOf(bound.key) : null,
    boundAt: bound?.boundAt ?? null,
    confirmation: bound?.counting?.how ?? null,
    confirmedAt: bound?.counting?.at ?? null,
    backupEligible: backupFlags(String(passkey.authenticatorData))?.backupEligible ?? null,
  }
}
