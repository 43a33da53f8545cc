/** What a record says about who decided, and what no record proves. Only as trustworthy as the verdicts on the file. */
import { actionDigest, actionSaltPattern, type DigestedAction } from './action-digest.ts'
import type { Json } from './canonical.ts'
import { approvalHash, mostPrior, priorName, type Rules, type Shown } from './control.ts'
import { changeable } from './layout.ts'
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
  /** With the level `passkey` only. */
  readonly passkey: PasskeyFacts | null
  /** How the session of the approver began, as the service stated it. */
  readonly via: string | null
  /** What the page stated to have shown; null where no page of ours showed the decision, or the record is older than that. */
  readonly shown: Shown | null
  /** Why it did not count when the decision was sealed. Null: it counted. */
  readonly void: string | null
  /** The file commits to this approval and does not show it: nothing else here is known of it. */
  readonly hidden: boolean
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
  /** The rules that the seal names; null in a record of 0.1.0, and where the file does not show them. */
  readonly rules: Rules | null
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
    const given = { approval: { approver: by, identity, result: 'approved' }, control: {}, hidden: false }
    return { ...approvalFacts(given, passkey), to: text(evidenceLevel) }
  })

export const raisesOf = (history: readonly Members[]): readonly Members[] =>
  history.filter(({ type }) => type === changeable.evidenceLevel)

/** Null for a unit that is not a decision. `passkeys`: one for each approval. */
export function decisionIn(evidence: Members, passkeys: readonly (PasskeyFacts | null)[] = []): DecisionFacts | null {
  if (!isObject(evidence.event)) return null
  const approvals = approvalsIn(evidence).map((given, at) => approvalFacts(given, passkeys[at] ?? null))
  const { rules } = isObject(evidence.control) ? evidence.control : {}
  return {
    result: approvals.at(-1)?.result ?? 'unapproved',
    approvals,
    rules: isObject(rules) ? (rules as unknown as Rules) : null,
  }
}

/** An approval as a file shows it. */
export interface GivenApproval {
  readonly approval: Members
  readonly control: Members
  /** What a passkey signed. */
  readonly statement: unknown
  /** `approvalHash`, of an earlier approval only; null where the file does not show it. */
  readonly hash: string | null
  /** The paths of the approval and of its statement in the file. */
  readonly at: string
  readonly statementAt: string
  readonly isLast: boolean
  readonly hidden: boolean
}

/** Oldest first; the last one sealed the decision. */
export function approvalsIn(evidence: Members): readonly GivenApproval[] {
  const { approval, control, priorApprovals } = evidence
  if (!isObject(approval)) return []
  const listed = Array.isArray(priorApprovals) ? priorApprovals : []
  const at = 'evidence.approval'
  // Records of 0.1.0 have the statement among the members of the approval.
  const inside = isObject(approval.passkey) && Object.hasOwn(approval.passkey, 'statement')
  return [
    ...listed.flatMap((each, index) =>
      isObject(each) ? [listedApproval(each, `evidence.priorApprovals.${index}`)] : [],
    ),
    ...priorIn(evidence),
    {
      approval,
      control: isObject(control) ? control : {},
      statement: inside ? (approval.passkey as Members).statement : evidence.statement,
      hash: null,
      at,
      statementAt: inside ? `${at}.passkey.statement` : 'evidence.statement',
      isLast: true,
      hidden: false,
    },
  ]
}

const listedApproval = (approval: Members, at: string): GivenApproval => ({
  approval,
  control: {},
  statement: isObject(approval.passkey) ? approval.passkey.statement : undefined,
  hash: null,
  at,
  statementAt: `${at}.passkey.statement`,
  isLast: false,
  hidden: false,
})

/** One for each that the record commits to, whether the file shows it or not. */
function priorIn(evidence: Members): readonly GivenApproval[] {
  return priorsOf(evidence).map((name) => {
    const prior = evidence[name]
    const { approval, control, statement, salt } = isObject(prior) ? prior : {}
    return {
      approval: isObject(approval) ? approval : {},
      control: isObject(control) ? control : {},
      statement,
      hash: isObject(approval) && typeof salt === 'string' ? approvalHash(salt, approval as Json) : null,
      at: `evidence.${name}.approval`,
      statementAt: `evidence.${name}.statement`,
      isLast: false,
      hidden: !isObject(prior),
    }
  })
}

/** The names of the earlier approvals that the record commits to, oldest first. */
export const priorsOf = ({ commitments }: Members): readonly string[] =>
  Array.from({ length: mostPrior }, (_, position) => priorName(position)).filter(
    (name) => isObject(commitments) && Object.hasOwn(commitments, name),
  )

function approvalFacts(
  { approval, control, hidden }: Pick<GivenApproval, 'approval' | 'control' | 'hidden'>,
  passkey: PasskeyFacts | null,
): ApprovalFacts {
  const { approver, identity, result, onBehalfOf } = approval
  const { id, name } = isObject(approver) ? approver : {}
  const { level, by } = isObject(identity) ? identity : {}
  const known = (['session', 'passkey', 'system'] as const).find((each) => each === level)
  return {
    level: known ?? 'claim',
    result: result === 'approved' ? 'approved' : 'refused',
    approver: typeof name === 'string' && typeof id === 'string' ? `${name} (${id})` : text(name ?? id),
    by: text(by),
    onBehalfOf: text(onBehalfOf),
    passkey,
    via: text(control.via),
    shown: isObject(control.shown) ? (control.shown as unknown as Shown) : null,
    void: control.void === undefined ? null : String(control.void),
    hidden,
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
export type Limit = 'right' | 'unrecorded' | 'later' | 'who' | 'passkey' | 'synced' | 'removal' | 'action' | 'screen'

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
    ...(reviews.some(({ shown }) => shown !== null) ? (['screen'] as const) : []),
  ]
}
