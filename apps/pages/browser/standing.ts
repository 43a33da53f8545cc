/** What can be done with a decision, from the answers of the API. Pure. */
import { actionDigest } from '@countersign/proof/action-digest.ts'
import type { Answer } from './api.ts'
import type { Center, Decision, Given, Me } from './types.ts'

export type Standing =
  /** Nobody has closed it. */
  | { readonly kind: 'open'; readonly mine: Given | null }
  | { readonly kind: 'expired'; readonly at: string }
  | { readonly kind: 'replaced'; readonly at: string }
  /** A policy or the service refused it. */
  | { readonly kind: 'refusedByRule'; readonly at: string }
  | { readonly kind: 'approved' | 'refused'; readonly by: Given; readonly mine: boolean }
  /** Sealed without an approval. */
  | { readonly kind: 'sealed'; readonly at: string }

export function standingOf(decision: Decision, actorId: string, now: number): Standing {
  const { status, waiting, approvals, updatedAt } = decision
  if (status === 'sealed' || status === 'rejected') {
    const last = approvals.at(-1)
    if (!last) return { kind: 'sealed', at: updatedAt }
    if (last.identity.level !== 'system') {
      const kind = last.result === 'approved' ? 'approved' : 'refused'
      return { kind, by: last, mine: last.approver.id === actorId }
    }
    const kind = last.reason === 'expired' || last.reason === 'replaced' ? last.reason : 'refusedByRule'
    return { kind, at: last.createdAt }
  }
  const expiresAt = waiting?.expiresAt ?? null
  if (expiresAt !== null && Date.parse(expiresAt) <= now) return { kind: 'expired', at: expiresAt }
  return { kind: 'open', mine: approvals.find(({ approver }) => approver.id === actorId) ?? null }
}

/** The centers in which this person may decide and that they may enter now. */
export const centersOf = ({ memberships, authorizedDomains }: Me): readonly Center[] =>
  memberships.filter(
    ({ role, centerDomain }) => (role === 'ADMIN' || role === 'INSTRUCTOR') && authorizedDomains.includes(centerDomain),
  )

export type Opening =
  | { readonly kind: 'decision'; readonly decision: Decision }
  | { readonly kind: 'signIn' }
  | { readonly kind: 'offline' | 'notFound' | 'noRight' }
  | { readonly kind: 'busy'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly code: string }
  /** The address does not name the center: the person says where to look. */
  | { readonly kind: 'choose'; readonly centers: readonly Center[] }

/** `tried`: the centers in which the decision was looked for. */
export function openingOf(answer: Answer<Decision>, me: Me, tried: ReadonlySet<number>): Opening {
  if (answer.ok) return { kind: 'decision', decision: answer.data }
  if (answer.status === 404 || answer.status === 403) {
    const centers = centersOf(me).filter(({ centerId }) => !tried.has(centerId))
    if (centers.length > 0) return { kind: 'choose', centers }
    return { kind: centersOf(me).length > 0 ? 'notFound' : 'noRight' }
  }
  return troubleOf(answer)
}

/** An answer that says nothing about the decision. */
export function troubleOf({ status, code, retryAfter }: Exclude<Answer<never>, { ok: true }>): Opening {
  if (status === 401) return { kind: 'signIn' }
  if (status === 0) return { kind: 'offline' }
  if (status === 429 || status === 503) return { kind: 'busy', seconds: Math.max(1, retryAfter) }
  return { kind: 'failed', code }
}

export type Compared = 'same' | 'other' | 'unknown'

/** The digest of the action that is shown, computed here; unknown after a redaction of a part of it. */
export function compareDigest(decision: Decision): Compared {
  const { actionSalt, type, actor, action, aiContext, riskScore, reason } = decision
  if (actionSalt === null) return 'unknown'
  try {
    const shown = { type, actor, action, aiContext, riskScore: riskScore ?? undefined, reason: reason ?? undefined }
    return actionDigest(actionSalt, shown) === decision.actionDigest ? 'same' : 'other'
  } catch {
    return 'other'
  }
}
