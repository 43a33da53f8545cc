/** What a record says about who decided, and what no record proves. Only as trustworthy as the verdicts on the file. */
import { actionDigest, actionSaltPattern, type DigestedAction } from './action-digest.ts'
import { isObject } from './verify-entry.ts'

type Members = Readonly<Record<string, unknown>>

export interface ApprovalFacts {
  /** Who vouches for the approver. A level that this version does not know counts as `claim`. */
  readonly level: 'claim' | 'session' | 'passkey' | 'system'
  readonly result: 'approved' | 'refused'
  /** Name and id, as far as the file shows them. */
  readonly approver: string | null
  /** The API key or the member that vouches. */
  readonly by: string | null
  readonly onBehalfOf: string | null
}

export interface DecisionFacts {
  /** `unapproved`: an agent completed it, and nobody approved. */
  readonly result: 'approved' | 'refused' | 'unapproved'
  /** Oldest first; the last one sealed the decision. */
  readonly approvals: readonly ApprovalFacts[]
}

/** Null for a unit that is not a decision. */
export function decisionIn(evidence: Members): DecisionFacts | null {
  if (!isObject(evidence.event)) return null
  const { approval, priorApprovals } = evidence
  if (!isObject(approval)) return { result: 'unapproved', approvals: [] }
  const prior = Array.isArray(priorApprovals) ? priorApprovals.filter(isObject) : []
  const approvals = [...prior, approval].map(approvalFacts)
  return { result: (approvals.at(-1) as ApprovalFacts).result, approvals }
}

function approvalFacts({ approver, identity, result, onBehalfOf }: Members): ApprovalFacts {
  const { id, name } = isObject(approver) ? approver : {}
  const { level, by } = isObject(identity) ? identity : {}
  const known = (['session', 'passkey', 'system'] as const).find((each) => each === level)
  return {
    level: known ?? 'claim',
    result: result === 'approved' ? 'approved' : 'refused',
    approver: typeof name === 'string' && typeof id === 'string' ? `${name} (${id})` : text(name ?? id),
    by: text(by),
    onBehalfOf: text(onBehalfOf),
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
  return ways.some((way) => actionDigest(actionSalt, way) === evidence.actionDigest)
}

const digestedPath = /^(actionSalt|event\.(actor|action|aiContext)\..*|event\.(reason|riskScore))$/

/** What no proof shows; a result names them all. */
export type Limit = 'right' | 'unrecorded' | 'later' | 'who' | 'passkey' | 'action'

export function limitsOf(decision: DecisionFacts | null, compared: boolean | null): readonly Limit[] {
  const levels = decision?.approvals.map(({ level }) => level) ?? []
  return [
    'right',
    'unrecorded',
    'later',
    ...(levels.includes('claim') ? (['who'] as const) : []),
    ...(levels.includes('passkey') ? (['passkey'] as const) : []),
    ...(decision !== null && compared === null ? (['action'] as const) : []),
  ]
}
