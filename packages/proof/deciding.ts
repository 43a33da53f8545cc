/**
 * What a browser decides for itself before and after a person does: whether the decision is still open, whether its
 * digest is that of the content on the screen, and whether a passkey would sign exactly that. Pure: a page shows the result.
 */
import { type AnsweredAction, actionDigest, digestedOf } from './action-digest.ts'
import { toBase64Url } from './base64.ts'
import { canonical, type Json } from './canonical.ts'
import type { Shown } from './control.ts'
import {
  type ApprovalStatement,
  type ConfirmationStatement,
  challengeOf,
  type PasskeyStatement,
  reasonDigest,
} from './passkey-statement.ts'

/** The members of an approval that say who closed a decision. */
export interface ShownApproval {
  readonly approver: { readonly id?: string }
  readonly result: 'approved' | 'rejected'
  readonly reason?: string
  readonly identity: { readonly level: string }
  readonly createdAt: string
  /** The same person may approve again. */
  readonly takenBackAt?: string
}

/** The members of a decision, as the API answers with it. */
export interface ShownDecision<Given extends ShownApproval> {
  readonly status: string
  readonly updatedAt: string
  readonly waiting: { readonly expiresAt: string | null } | null
  readonly approvals: readonly Given[]
  readonly lines?: readonly {
    readonly steps: readonly { readonly current: boolean; readonly people: readonly { readonly actorId: string }[] }[]
  }[]
}

export type Deciding<Given> =
  /** Nobody has closed it. */
  | { readonly kind: 'open'; readonly mine: Given | null }
  | { readonly kind: 'expired'; readonly at: string }
  | { readonly kind: 'replaced'; readonly at: string }
  | { readonly kind: 'withdrawn'; readonly at: string }
  /** A policy or the service refused it. */
  | { readonly kind: 'refusedByRule'; readonly at: string }
  | { readonly kind: 'approved' | 'refused'; readonly by: Given; readonly mine: boolean }
  /** Sealed without an approval. */
  | { readonly kind: 'sealed'; readonly at: string }

/** Why the service itself refuses a decision that waited. */
const ownReasons = ['expired', 'replaced', 'withdrawn'] as const

export function decidingOf<Given extends ShownApproval>(
  { status, waiting, approvals, updatedAt, lines = [] }: ShownDecision<Given>,
  actorId: string,
  now: number,
): Deciding<Given> {
  if (status === 'sealed' || status === 'rejected') {
    const last = approvals.at(-1)
    if (!last) return { kind: 'sealed', at: updatedAt }
    if (last.identity.level !== 'system') {
      const kind = last.result === 'approved' ? 'approved' : 'refused'
      return { kind, by: last, mine: last.approver.id === actorId }
    }
    const kind = ownReasons.find((each) => each === last.reason) ?? 'refusedByRule'
    return { kind, at: last.createdAt }
  }
  const expiresAt = waiting?.expiresAt ?? null
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { kind: 'expired', at: expiresAt }
  const own = approvals.find(({ approver, takenBackAt }) => approver.id === actorId && takenBackAt === undefined)
  // Whoever has a place in one line may have a turn in another.
  const isTheirTurn = lines.some(({ steps }) =>
    steps.some(({ current, people }) => current && people.some((person) => person.actorId === actorId)),
  )
  return { kind: 'open', mine: isTheirTurn ? null : (own ?? null) }
}

export type Compared = 'same' | 'other' | 'unknown'

type DigestedDecision = AnsweredAction & { readonly actionSalt: string | null; readonly actionDigest: string }

/** The digest of the action that is shown, computed here; unknown after a redaction of a part of it. */
export function compareDigest(decision: DigestedDecision): Compared {
  if (decision.actionSalt === null) return 'unknown'
  try {
    return actionDigest(decision.actionSalt, digestedOf(decision)) === decision.actionDigest ? 'same' : 'other'
  } catch {
    return 'other'
  }
}

/** Whether a challenge is that of the statement, for this host, and of nothing else. */
export const isChallengeOf = (
  statement: PasskeyStatement,
  { challenge, rpId }: { readonly challenge: string; readonly rpId?: string | undefined },
  host: string,
): boolean => toBase64Url(challengeOf(statement)) === challenge && statement.rpId === rpId && rpId === host

interface Policy {
  readonly id: string
  readonly version: number
  readonly digest: string
}

export interface AskedDecision {
  readonly id: string
  readonly decisionId: string
  readonly actionDigest: string
  /** `priorDigest` of the approvals that are shown. */
  readonly prior: string
  readonly waiting: { readonly policies: readonly Policy[] } | null
}

export interface GivenHere {
  readonly result: 'approved' | 'rejected'
  readonly reason?: string
  /** In place of the whole line, which confirms it afterwards. */
  readonly emergency?: true
  /** What this page states to have shown. */
  readonly shown?: Shown
}

/** What an approval states to have been shown, for the server to compare. */
export const statedOf = (
  { actionDigest, prior, waiting }: AskedDecision,
  {
    name: view,
    language,
    template,
  }: { readonly name: string; readonly language: string; readonly template: Shown['template'] },
) => ({
  actionDigest,
  policies: (waiting?.policies ?? []).map(({ id, version }) => ({ id, version })),
  prior,
  shown: { view, language, template },
})

const digestOf = (reason: string | undefined, salt: string | null): string | null =>
  reason && salt !== null ? reasonDigest(salt, reason) : null

/** What is to be signed names exactly what is shown: this action, this result, these policies, this person. */
export function isShown(
  { statement, reasonSalt }: { readonly statement: ApprovalStatement; readonly reasonSalt: string | null },
  decision: AskedDecision,
  approverId: string,
  given: GivenHere,
): boolean {
  const rules = decision.waiting?.policies ?? []
  return (
    statement.type === 'countersign-approval-v2' &&
    statement.approvedActionDigest === null &&
    statement.emergency === (given.emergency ?? null) &&
    statement.prior === decision.prior &&
    canonical(statement.shown as unknown as Json) === canonical((given.shown ?? null) as unknown as Json) &&
    statement.eventId === decision.id &&
    statement.decisionId === decision.decisionId &&
    statement.actionDigest === decision.actionDigest &&
    statement.result === given.result &&
    statement.approverId === approverId &&
    statement.reasonDigest === digestOf(given.reason, reasonSalt) &&
    rules.every(({ id, version, digest }) =>
      statement.policies.some((each) => each.id === id && each.version === version && each.digest === digest),
    )
  )
}

export interface ConfirmedHere {
  readonly result: 'confirmed' | 'objected'
  readonly reason?: string
}

/** What is to be signed confirms this seal, or objects to it, in the name of this person. */
export const isConfirmed = (
  { statement, reasonSalt }: { readonly statement: ConfirmationStatement; readonly reasonSalt: string | null },
  decision: { readonly id: string; readonly evidence: { readonly chainHash: string | null } },
  approverId: string,
  given: ConfirmedHere,
): boolean =>
  statement.type === 'countersign-confirm-v1' &&
  statement.eventId === decision.id &&
  statement.chainHash === decision.evidence.chainHash &&
  statement.result === given.result &&
  statement.approverId === approverId &&
  statement.reasonDigest === digestOf(given.reason, reasonSalt)
