/** What a record says about who decided, and what no record proves. Only as trustworthy as the verdicts on the file. */
import { actionDigest, actionSaltPattern, type DigestedAction } from './action-digest.ts'
import { mostPrior, priorName, type Rules, type Shown } from './control.ts'
import { isDigested } from './decision-fields.ts'
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
  /** With the level `passkey` only. */
  readonly passkey: PasskeyFacts | null
  /** How the session of the approver began, as the service stated it. */
  readonly via: string | null
  /** What the page stated to have shown; null where no page of ours did, the file does not show it, or the record is older. */
  readonly shown: Shown | null
  /** The record says that no page of ours showed the decision to this person. */
  readonly noPage: boolean
  /** Why it did not count when the decision was sealed. Null: it counted. */
  readonly void: string | null
  /** Why the service itself refused, as far as the file shows it: `expired`, `replaced`, `withdrawn`; null otherwise. */
  readonly refusal: 'expired' | 'replaced' | 'withdrawn' | null
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
  /**
   * Of `unknown`: values are not shown; the policy has no line for this host; nobody of the policy vouches; only a newer version
   * can judge it; the approval did not count, and its signature was not checked.
   */
  readonly why: 'redacted' | 'no-host' | 'unvouched' | 'newer' | 'void' | null
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

/** Why a signature is not known, for a sentence about an approval that counts, of a file that this version can judge. */
export const reasonToSay = ({ why }: PasskeyFacts): 'redacted' | 'no-host' | 'unvouched' | null =>
  why === 'newer' || why === 'void' ? 'redacted' : why

/**
 * Whether the approvals fit the approval lines of the policies that asked. Roles and groups are as the service stated them, and a
 * claim shows no person.
 */
export interface LineFacts {
  /** `fits`: number, order and difference of people. What does not fit is a problem of the file. */
  readonly status: 'fits' | 'unknown'
  /**
   * Of `unknown`: the file lacks the text of a policy; a value is not shown; the record states no places, as older ones; nobody of
   * the policy vouches.
   */
  readonly why: 'texts' | 'redacted' | 'unstated' | 'unvouched' | null
  /** Claims fill the places: who the people are is the word of an API key. */
  readonly claims: boolean
  /** Of a change of rules: the member who asked for it filled places that nobody else could. */
  readonly alone: boolean
}

/** What is said of it: a claim never sounds like a proof. */
export const lineToSay = ({ why, claims, alone }: LineFacts) => why ?? (claims ? 'claims' : alone ? 'alone' : 'fits')

/** Somebody approved in place of a whole line, which confirms it afterwards: as far as the file shows its history. */
export interface EmergencyFacts {
  /** The last time at which the line can confirm it. */
  readonly confirmBy: string
  /** `open`: nothing more is shown; a file without its last changes is an older, true statement. `hidden`: it leaves out what was said. */
  readonly state: 'open' | 'confirmed' | 'objected' | 'unconfirmed' | 'hidden'
  readonly confirmations: readonly ConfirmationFacts[]
  /** It was closed after an objection, or because nobody confirmed it. */
  readonly closed: boolean
}

export interface ConfirmationFacts {
  readonly result: 'confirmed' | 'objected'
  /** The id; null where the file does not show it. */
  readonly by: string | null
  readonly onBehalfOf: string | null
  readonly at: string
  /** With the level `passkey` only. */
  readonly passkey: PasskeyFacts | null
}

export interface DecisionFacts {
  /** `unapproved`: an agent completed it, and nobody approved. */
  readonly result: 'approved' | 'refused' | 'unapproved'
  /** Oldest first; the last one sealed the decision. */
  readonly approvals: readonly ApprovalFacts[]
  /** The rules that the seal names; null in a record of 0.1.0, and where the file does not show them. */
  readonly rules: Rules | null
  /** The last time at which the approval could be used; null where no policy asked for one, and in a record of 0.1.0. */
  readonly usableUntil: string | null
  /** Null where nobody approved, no policy asked, or the record is of 0.1.0. */
  readonly line: LineFacts | null
  /** Null where nobody approved in an emergency. */
  readonly emergency: EmergencyFacts | null
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
    const given = { approval: { approver: by, identity, result: 'approved' }, control: null, hidden: false }
    return { ...approvalFacts(given, passkey), to: text(evidenceLevel) }
  })

export const raisesOf = (history: readonly Members[]): readonly Members[] =>
  history.filter(({ type }) => type === changeable.evidenceLevel)

/** Null for a unit that is not a decision. `passkeys`: one for each approval. */
export function decisionIn(
  evidence: Members,
  passkeys: readonly (PasskeyFacts | null)[] = [],
  line: LineFacts | null = null,
  emergency: EmergencyFacts | null = null,
): DecisionFacts | null {
  if (!isObject(evidence.event)) return null
  const approvals = approvalsIn(evidence).map((given, at) => approvalFacts(given, passkeys[at] ?? null))
  return {
    result: approvals.at(-1)?.result ?? 'unapproved',
    approvals,
    rules: rulesIn(evidence),
    usableUntil: untilIn(evidence),
    line,
    emergency,
  }
}

const untilIn = ({ control }: Members): string | null => (isObject(control) ? text(control.usableUntil) : null)

/** What an executor reported. A log shows that it was reported, never that it happened. */
export interface ExecutionFacts {
  /** When the decision was taken for execution. */
  readonly consumedAt: string
  /** The outcome that was reported last; null without one, and where the file does not show it. */
  readonly outcome: string | null
  /** It was taken later than the approval could be used. */
  readonly late: boolean
  /** It was taken after an objection, or after nobody had confirmed the emergency approval in time. */
  readonly unconfirmed: boolean
}

/** Null where the file shows no consumption. `history`: oldest first. */
export function executionIn(evidence: Members, history: readonly Members[]): ExecutionFacts | null {
  const steps = history.filter(({ type }) => type === 'execution')
  const consumedAt = text(steps.find(({ action }) => action === 'consumed')?.sealedAt)
  if (consumedAt === null) return null
  const until = untilIn(evidence)
  return {
    consumedAt,
    outcome: text(steps.findLast(({ action }) => action === 'outcome')?.status),
    late: until !== null && consumedAt > until,
    unconfirmed: isUnconfirmed(evidence, history, consumedAt),
  }
}

function isUnconfirmed({ control }: Members, history: readonly Members[], consumedAt: string): boolean {
  const { confirmBy } = isObject(control) && isObject(control.emergency) ? control.emergency : {}
  if (typeof confirmBy !== 'string') return false
  const before = history.slice(
    0,
    history.findIndex(({ type, action }) => type === 'execution' && action === 'consumed'),
  )
  const steps = before.filter(({ type }) => type === 'confirmation')
  if (steps.some(({ action }) => action === 'objected' || action === 'unconfirmed')) return true
  return consumedAt > confirmBy && !steps.some(({ complete }) => complete === true)
}

/** What does not contradict a record, and what its reader has to know before relying on it. */
export type Warning = 'late' | 'unconfirmed'

function rulesIn({ control }: Members): Rules | null {
  const { rules } = isObject(control) ? control : {}
  const { index, digest } = isObject(rules) ? rules : {}
  return typeof digest === 'string' && (index === null || typeof index === 'number') ? { index, digest } : null
}

/** An approval as a file shows it. */
export interface GivenApproval {
  readonly approval: Members
  /** Null where the file does not show it, and in a record of 0.1.0. */
  readonly control: Members | null
  /** What a passkey signed. */
  readonly statement: unknown
  /** Of an earlier approval; null where the file does not show it, and in a record of 0.1.0. */
  readonly salt: string | null
  /** The paths of the approval and of its statement in the file. */
  readonly at: string
  readonly statementAt: string
  readonly isLast: boolean
  readonly hidden: boolean
}

/** Oldest first; the last one sealed the decision. */
export function approvalsIn(evidence: Members): readonly GivenApproval[] {
  const { approval, control, priorApprovals, statement } = evidence
  if (!isObject(approval)) return []
  const listed = Array.isArray(priorApprovals) ? priorApprovals : []
  return [
    ...listed.flatMap((each, at) =>
      isObject(each) ? [given(each, `evidence.priorApprovals.${at}`, { isLast: false })] : [],
    ),
    ...priorsOf(evidence).map((name) => {
      const prior = evidence[name]
      const value = isObject(prior) ? prior : {}
      const inside = { ...value, isLast: false, hidden: prior === undefined }
      return given(
        isObject(value.approval) ? value.approval : {},
        `evidence.${name}.approval`,
        inside,
        `evidence.${name}`,
      )
    }),
    given(approval, 'evidence.approval', { control, statement, isLast: true }),
  ]
}

/** `beside`: where the statement is, unless it is among the members of the approval as in records of 0.1.0. */
function given(approval: Members, at: string, more: Members, beside = 'evidence'): GivenApproval {
  const { control, statement, salt, isLast, hidden } = more
  const { passkey } = approval
  const inside = isObject(passkey) && Object.hasOwn(passkey, 'statement')
  return {
    approval,
    control: isObject(control) ? control : null,
    statement: inside ? passkey.statement : statement,
    salt: typeof salt === 'string' ? salt : null,
    at,
    statementAt: inside ? `${at}.passkey.statement` : `${beside}.statement`,
    isLast: isLast === true,
    hidden: hidden === true,
  }
}

/** The names of the earlier approvals that the record commits to, oldest first. */
export const priorsOf = ({ commitments }: Members): readonly string[] =>
  Array.from({ length: mostPrior }, (_, position) => priorName(position)).filter(
    (name) => isObject(commitments) && Object.hasOwn(commitments, name),
  )

const ownRefusals = ['expired', 'replaced', 'withdrawn'] as const

function approvalFacts(
  { approval, control, hidden }: Pick<GivenApproval, 'approval' | 'control' | 'hidden'>,
  passkey: PasskeyFacts | null,
): ApprovalFacts {
  const { approver, identity, result, onBehalfOf, reason } = approval
  const { id, name } = isObject(approver) ? approver : {}
  const { level, by } = isObject(identity) ? identity : {}
  const known = (['session', 'passkey', 'system'] as const).find((each) => each === level)
  return {
    level: known ?? 'claim',
    result: result === 'approved' || hidden ? 'approved' : 'refused',
    approver: typeof name === 'string' && typeof id === 'string' ? `${name} (${id})` : text(name ?? id),
    approverId: text(id),
    by: text(by),
    onBehalfOf: text(onBehalfOf),
    passkey,
    via: text(control?.via),
    shown: shownIn(control),
    noPage: control !== null && control.shown === undefined && known !== 'system',
    refusal: (level === 'system' && ownRefusals.find((each) => each === reason)) || null,
    void: control?.void === undefined ? null : String(control.void),
    hidden,
  }
}

function shownIn(control: Members | null): Shown | null {
  const { view, language, template } = isObject(control?.shown) ? control.shown : {}
  if (typeof view !== 'string' || typeof language !== 'string') return null
  const { version, digest } = isObject(template) ? template : {}
  return {
    view,
    language,
    template: typeof version === 'number' && typeof digest === 'string' ? { version, digest } : null,
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
  if (undisclosed.some((path) => path === 'actionSalt' || isDigested(path))) return null
  const shown = event as unknown as DigestedAction
  // An export cannot show an object without members; the digest may cover one.
  const ways = shown.aiContext === undefined ? [shown, { ...shown, aiContext: {} }] : [shown]
  try {
    return ways.some((way) => actionDigest(actionSalt, way) === evidence.actionDigest)
  } catch {
    // A member that every action has is missing, or a value has no canonical form.
    return false
  }
}

/** What no proof shows; a result names them all. */
export type Limit =
  | 'right'
  | 'unrecorded'
  | 'later'
  | 'who'
  | 'passkey'
  | 'synced'
  | 'removal'
  | 'action'
  | 'screen'
  | 'executed'

export function limitsOf(
  decision: DecisionFacts | null,
  raises: readonly RaiseFacts[],
  compared: boolean | null,
  execution: ExecutionFacts | null,
): readonly Limit[] {
  const counting = decision?.approvals.filter((each) => !each.hidden && each.void === null) ?? []
  const reviews = [...counting, ...raises]
  const levels = reviews.map(({ level }) => level)
  return [
    'right',
    'unrecorded',
    'later',
    ...(levels.includes('claim') ? (['who'] as const) : []),
    ...(levels.includes('passkey') ? (['passkey', 'removal'] as const) : []),
    ...(reviews.some(({ passkey }) => passkey?.backupEligible) ? (['synced'] as const) : []),
    ...(decision !== null && compared === null ? (['action'] as const) : []),
    ...(levels.includes('passkey') || reviews.some(({ shown }) => shown !== null) ? (['screen'] as const) : []),
    ...(execution === null ? [] : (['executed'] as const)),
  ]
}
