/** What opening the page leads to, from the answers of the API. Pure. */
import type { CurrentActor, Decision } from '@countersign/sdk'
import type { Answer, Refused } from '../decision/decide.ts'

export type Center = CurrentActor['memberships'][number]
type Me = Pick<CurrentActor, 'memberships' | 'authorizedDomains'>

/** The centers in which this person may decide and that they may enter now. */
export const centersOf = ({ memberships, authorizedDomains }: Me): readonly Center[] =>
  memberships.filter(
    ({ role, centerDomain }) => (role === 'ADMIN' || role === 'INSTRUCTOR') && authorizedDomains.includes(centerDomain),
  )

export type Trouble =
  | { readonly kind: 'offline' | 'notFound' | 'noRight' }
  | { readonly kind: 'busy'; readonly seconds: number }
  | { readonly kind: 'failed'; readonly code: string }

export type Opening =
  | Trouble
  | { readonly kind: 'signIn' }
  /** The address does not name the center: the person says where to look. */
  | { readonly kind: 'choose'; readonly centers: readonly Center[] }

/** Whether another center may have it: the answer about this one is no answer about them. */
export const isElsewhere = (answer: Answer<Decision>): boolean =>
  !answer.ok && (answer.status === 404 || answer.status === 403)

/** `tried`: the centers in which the decision was looked for. */
export function openingOf(answer: Refused, me: Me, tried: ReadonlySet<number>): Opening {
  if (!isElsewhere(answer)) return troubleOf(answer)
  const centers = centersOf(me).filter(({ centerId }) => !tried.has(centerId))
  if (centers.length > 0) return { kind: 'choose', centers }
  return { kind: centersOf(me).length > 0 ? 'notFound' : 'noRight' }
}

/** An answer that says nothing about the decision. */
export function troubleOf({ status, code, retryAfter }: Omit<Refused, 'ok'>): Trouble | { readonly kind: 'signIn' } {
  if (status === 401) return { kind: 'signIn' }
  if (status === 0) return { kind: 'offline' }
  if (status === 429 || status === 503) return { kind: 'busy', seconds: Math.max(1, retryAfter) }
  return { kind: 'failed', code }
}
