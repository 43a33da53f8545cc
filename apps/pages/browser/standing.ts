/** What can be done with a decision, from the answers of the API. Pure. */
import type { Deciding } from '@countersign/proof/deciding.ts'
import type { Answer } from './api.ts'
import type { Center, Decision, Given, Me } from './types.ts'

export type Standing = Deciding<Given>

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
