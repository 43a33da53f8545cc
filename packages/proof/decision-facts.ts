/** What a record says about who decided, and what no record proves. Only as trustworthy as the verdicts on the file. */
import { actionDigest, actionSaltPattern, type DigestedAction } from './action-digest.ts'
import { changeable } from './layout.ts'
import { isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

export interface ApprovalFacts {
  /** Who vouches for the approver. A level that this version does not know counts as `claim`. */
  readonly level: 'claim' | 'session' | 'passkey' | 'system'
  readonly result: 'approved' | 'refused'
  /** Name and id, as far as the file shows them. */
  readonly approver: string | null
  /** The id alone, to compare it; null where the file does not show it. */
  readonly approverId: string | null
  /** The API key or the member that vouches. */
  readonly by: string | null
  readonly onBehalfOf: string | null
  /** Why an earlier approval no longer counted when the decision was sealed; null where it counts. */
  readonly void: string | null
  /** With the level `passkey` only. */
  readonly passkey: PasskeyFacts | null
}

/** What a file shows about the signature of a passkey. It never shows that only this person could have made it. */
export interface PasskeyFacts {
  /**
   * `holds`: a passkey bound to the person signed exactly this approval or raise, at a host that the policy names. `unknown`:
   * not disproved. `false`: an assertion, a statement or a binding contradicts the record.
   */
  readonly status: 'holds' | 'unknown' | 'false'
  /** Of `unknown`: values are not shown; the policy has no line for this host; nobody of the policy vouches. */
  readonly why: 'redacted' | 'no-host' | 'unvouched' | null
  /** The host that the person signed for. */
  readonly rpId: string | null
  /** RFC 7638, of the public key. */
  readonly thumbprint: string | null
  /** When the log bound the key to the person, and when and how it was first confirmed in a way that counts. */
  readonly boundAt: string | null
  readonly confirmation: 'mail' | 'passkey' | 'admin' | 'partner' | 'operator' | null
  readonly confirmedAt: string | null
  /** The key is kept in an account and may be on several devices, by the word of the authenticator. */
  readonly backupEligible: boolean | null
}

export interface DecisionFacts {
  /** `unapproved`: an agent completed it, and nobody approved. */
  readonly result: 'approved' | 'refused' | 'unapproved'
  /** Oldest first; the last one sealed the decision. */
  readonly approvals: readonly ApprovalFacts[]
}

/** A person raised the level of the record, which is a review: at the level `session`, or `passkey` where one signed it. */
export interface RaiseFacts extends ApprovalFacts {
  /** The level after it; null where the file does not show it. */
  readonly to: string | null
}

/** Oldest first. `passkeys`: one for each. */
export const raisesIn = (
  history: readonly Members[],
  passkeys: readonly (PasskeyFacts | null)[],
): readonly RaiseFacts[] =>
  raisesOf(history).map(({ by, evidenceLevel }, at) => {
    const passkey = passkeys[at] ?? null
    const identity = { level: passkey ? 'passkey' : 'session', by: isObject(by) ? by.id : null }
    return { ...approvalFacts({ approver: by, identity, result: 'approved' }, passkey), to: text(evidenceLevel) }
  })

export const raisesOf = (history: readonly Members[]): readonly Members[] =>
  history.filter(({ type }) => type === changeable.evidenceLevel)

/** Null for a unit that is not a decision. `passkeys`: one for each approval. */
export function decisionIn(evidence: Members, passkeys: readonly (PasskeyFacts | null)[] = []): DecisionFacts | null {
  if (!isObject(evidence.event)) return null
  const approvals = approvalsIn(evidence).map(({ approval }, at) => approvalFacts(approval, passkeys[at] ?? null))
  return { result: approvals.at(-1)?.result ?? 'unapproved', approvals }
}

/** Oldest first, with their paths in the file; the last one sealed the decision. */
export function approvalsIn({ approval, priorApprovals }: Members) {
  if (!isObject(approval)) return []
  const prior = Array.isArray(priorApprovals) ? priorApprovals : []
  return [
    ...prior.flatMap((each, at) =>
      isObject(each) ? [{ approval: each, at: `evidence.priorApprovals.${at}`, isLast: false }] : [],
    ),
    { approval, at: 'evidence.approval', isLast: true },
  ]
}

function approvalFacts(
  { approver, identity, result, onBehalfOf, control }: Members,
  passkey: PasskeyFacts | null,
): ApprovalFacts {
  const { id, name } = isObject(approver) ? approver : {}
  const { level, by } = isObject(identity) ? identity : {}
  const known = (['session', 'passkey', 'system'] as const).find((each) => each === level)
  return {
    level: known ?? 'claim',
    result: result === 'approved' ? 'approved' : 'refused',
    approver: typeof name === 'string' && typeof id === 'string' ? `${name} (${id})` : text(name ?? id),
    approverId: text(id),
    by: text(by),
    onBehalfOf: text(onBehalfOf),
    void: isObject(control) ? text(control.void) : null,
    passkey,
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/**
 * Whether what the file shows of the action gives `actionDigest`; null where a value or the salt is not shown, and the
 * action can no longer be compared.
 */
export function actionMatches(evidence: Members, undisclosed: readonly string[]): boolean | null {
  const { event, actionSalt } = evidence
  if (typeof actionSalt !== 'string' || !actionSaltPattern.test(actionSalt) || !isObject(event)) return null
  if (undisclosed.some((path) => digestedPath.test(path))) return null
  const { type, actor, action, aiContext, riskScore, reason } = event
  const shown = { type, actor, action, aiContext, riskScore, reason } as DigestedAction
  // An export cannot show an object without members; the digest may cover one.
  const ways = aiContext === undefined ? [shown, { ...shown, aiContext: {} }] : [shown]
  try {
    return ways.some((way) => actionDigest(actionSalt, way) === evidence.actionDigest)
  } catch {
    // A member that every action has is missing, or a value has no canonical form.
    return false
  }
}

const digestedPath = /^(actionSalt|event\.(actor|action|aiContext)\..*|event\.(reason|riskScore))$/

/** What no proof shows; a result names them all. */
export type Limit = 'right' | 'unrecorded' | 'later' | 'who' | 'passkey' | 'synced' | 'removal' | 'action'

export function limitsOf(
  decision: DecisionFacts | null,
  raises: readonly RaiseFacts[],
  compared: boolean | null,
): readonly Limit[] {
  const reviews = [...(decision?.approvals ?? []), ...raises]
  const levels = reviews.map(({ level }) => level)
  return [
    'right',
    'unrecorded',
    'later',
    ...(levels.includes('claim') ? (['who'] as const) : []),
    ...(levels.includes('passkey') ? (['passkey', 'removal'] as const) : []),
    ...(reviews.some(({ passkey }) => passkey?.backupEligible) ? (['synced'] as const) : []),
    ...(decision !== null && compared === null ? (['action'] as const) : []),
  ]
}
