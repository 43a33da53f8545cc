/** Sending one approval or refusal: signed by a passkey where the policy asks for one, over exactly what is shown. */
import {
  compareDigest,
  decidingOf,
  type GivenHere,
  isChallengeOf,
  isShown,
  statedOf,
} from '@countersign/proof/deciding.ts'
import type { DecisionView } from '@countersign/proof/decision-view.ts'
import { ApiError, type Decision } from '@countersign/sdk'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { assertWith, hasPasskeys, PasskeyCanceled } from '../../app/passkeys.ts'
import { queries } from '../../app/queries.ts'
import { asksForPasskey } from './read.ts'

export const decisionQuery = (id: string) =>
  queryOptions({ queryKey: ['decisions', id], queryFn: ({ signal }) => api.decisions.get(id, { signal }) })

/** Why nothing was sealed; the decision is still open. */
export type Obstacle =
  | 'changed'
  | 'notAllowed'
  | 'newRole'
  | 'needsPasskey'
  | 'noPasskeys'
  | 'canceled'
  | 'otherChallenge'
  | 'otherDigest'
  | 'later'
  | 'notSent'
  | 'failed'

export type Outcome =
  | { readonly kind: 'sealed'; readonly decision: Decision }
  /** The first of two approvals. */
  | { readonly kind: 'first'; readonly decision: Decision }
  /** Another approver closed it before. */
  | { readonly kind: 'faster'; readonly decision: Decision }
  | { readonly kind: 'obstacle'; readonly obstacle: Obstacle }

const stopped = (obstacle: Obstacle): Outcome => ({ kind: 'obstacle', obstacle })

async function signed(decision: Decision, actorId: string, given: GivenHere) {
  if (!hasPasskeys()) return 'noPasskeys' as const
  const challenge = await api.decisions.challengeApproval(decision.id, given)
  const { statement, publicKey } = challenge
  const holds = isShown(challenge, decision, actorId, given) && isChallengeOf(statement, publicKey, location.hostname)
  return holds ? assertWith(publicKey) : ('otherChallenge' as const)
}

/** `view` is how the decision was shown, and `decision` what was shown: neither is read again before it is sent. */
export async function decide(
  decision: Decision,
  view: DecisionView,
  actorId: string,
  { result, reason }: GivenHere,
): Promise<Outcome> {
  const given = { result, ...(reason && { reason }), ...(result === 'approved' && statedOf(decision, view)) }
  if (given.result === 'approved' && compareDigest(decision) === 'other') return stopped('otherDigest')
  const reread = () => queries.fetchQuery({ ...decisionQuery(decision.id), staleTime: 0 })
  try {
    let assertion: Awaited<ReturnType<typeof assertWith>> | undefined
    if (given.result === 'approved' && asksForPasskey(decision)) {
      const answer = await signed(decision, actorId, given)
      if (typeof answer === 'string') return stopped(answer)
      assertion = answer
    }
    const { sealedHash } = await api.decisions.approve(decision.id, {
      ...given,
      channel: 'console',
      ...(assertion && { assertion }),
    })
    return { kind: sealedHash === null ? 'first' : 'sealed', decision: await reread() }
  } catch (error) {
    if (error instanceof PasskeyCanceled) return stopped('canceled')
    if (!(error instanceof ApiError)) return stopped('notSent')
    if (error.status === 422) return stopped(asksForPasskey(decision) ? 'needsPasskey' : 'notAllowed')
    if (error.status !== 409) return stopped('failed')
    if (error.details.reason === 'eligibility') return stopped('newRole')
    if (error.retryAfterMs !== null) return stopped('later')
    const fresh = await reread().catch(() => null)
    if (fresh === null) return stopped('notSent')
    if (decidingOf(fresh, actorId, Date.now()).kind !== 'open') return { kind: 'faster', decision: fresh }
    return stopped(asksForPasskey(fresh) && given.result === 'approved' ? 'needsPasskey' : 'changed')
  }
}
