/**
 * Sending one approval or refusal, for the inbox and for the approval page: signed by a passkey where the policy asks for
 * one, over exactly what is shown; and what a refusal of the server means for the person.
 */
import {
  compareDigest,
  decidingOf,
  type GivenHere,
  isChallengeOf,
  isShown,
  statedOf,
} from '@countersign/proof/deciding.ts'
import type { DecisionView } from '@countersign/proof/decision-view.ts'
import type { Decision } from '@countersign/sdk'
import type { Say } from '../app/i18n.ts'
import { assertWith, hasPasskeys, PasskeyCanceled } from '../app/passkeys.ts'
import { asksForPasskey, visible } from './read.ts'

/** Status 0: no answer came. `reason` is that of the details, `retryAfter` in seconds. */
export interface Refused {
  readonly ok: false
  readonly status: number
  readonly code: string
  readonly retryAfter: number
  readonly reason?: unknown
  readonly turn?: unknown
}

/** The step of a line at which it will be this person's turn, counted from 0. */
export interface TurnAhead {
  readonly step: number
  readonly title?: string
}
export type Answer<T> = { readonly ok: true; readonly data: T } | Refused

type Challenge = Parameters<typeof isShown>[0] & { readonly publicKey: Parameters<typeof assertWith>[0] }

/** How an entry speaks with the server, and the name that it has in a sealed approval. */
export interface Wire {
  readonly channel: 'page' | 'console'
  challenge(id: string, given: GivenHere): Promise<Answer<Challenge>>
  approve(id: string, body: GivenHere & { readonly channel: string }): Promise<Answer<{ sealedHash: string | null }>>
  read(id: string): Promise<Answer<Decision>>
}

/** Why nothing was sealed; the decision is still open. */
export type Obstacle =
  | 'changed'
  | 'notAllowed'
  | 'turn'
  | 'newRole'
  | 'frozen'
  | 'needsPasskey'
  | 'noPasskeys'
  | 'canceled'
  | 'otherChallenge'
  | 'otherDigest'
  | 'later'
  | 'busy'
  | 'ended'
  | 'notSent'
  | 'failed'

/** With the decision as it is now, where it was read again. */
export interface Stopped {
  readonly kind: 'obstacle'
  readonly obstacle: Obstacle
  readonly decision?: Decision
  readonly turn?: TurnAhead
}

export type Outcome =
  | { readonly kind: 'sealed'; readonly decision: Decision }
  /** The first of two approvals. */
  | { readonly kind: 'first'; readonly decision: Decision }
  /** Another approver closed it before. */
  | { readonly kind: 'faster'; readonly decision: Decision }
  | Stopped

export type StopWord = `stop${Obstacle}` | 'stepNumber'

/** What stands in the way, in a sentence or two. */
export function stopText({ obstacle, turn }: Pick<Stopped, 'obstacle' | 'turn'>, say: Say<StopWord>): string {
  const { step = 0, title } = turn ?? {}
  return say(`stop${obstacle}`, { step: title ? visible(title) : say('stepNumber', { number: step + 1 }) })
}

const stopped = (obstacle: Obstacle): Outcome => ({ kind: 'obstacle', obstacle })

/** `view` is how the decision was shown, and `decision` what was shown: neither is read again before it is sent. */
export async function decide(
  wire: Wire,
  decision: Decision,
  view: DecisionView,
  actorId: string,
  { result, reason }: GivenHere,
): Promise<Outcome> {
  const approves = result === 'approved'
  const given = { result, ...(reason && { reason }), ...(approves && statedOf(decision, view)) }
  if (approves && compareDigest(decision) === 'other') return stopped('otherDigest')
  let assertion: Awaited<ReturnType<typeof assertWith>> | undefined
  if (approves && asksForPasskey(decision)) {
    if (!hasPasskeys()) return stopped('noPasskeys')
    const begun = await wire.challenge(decision.id, given)
    if (!begun.ok) return refused(wire, decision, actorId, begun, 'needsPasskey')
    const { statement, publicKey } = begun.data
    if (!isShown(begun.data, decision, actorId, given) || !isChallengeOf(statement, publicKey, location.hostname)) {
      return stopped('otherChallenge')
    }
    try {
      assertion = await assertWith(publicKey)
    } catch (error) {
      if (error instanceof PasskeyCanceled) return stopped('canceled')
      throw error
    }
  }
  const body = { ...given, channel: wire.channel, ...(assertion && { assertion }) }
  const answer = await wire.approve(decision.id, body)
  if (!answer.ok) return refused(wire, decision, actorId, answer, 'changed')
  const fresh = await wire.read(decision.id)
  if (!fresh.ok) return stopped('notSent')
  return { kind: answer.data.sealedHash === null ? 'first' : 'sealed', decision: fresh.data }
}

/** `otherwise` is said after a conflict about a decision that is still open. */
async function refused(
  wire: Wire,
  decision: Decision,
  actorId: string,
  { status, reason, retryAfter, turn }: Refused,
  otherwise: Obstacle,
): Promise<Outcome> {
  if (status === 0) return stopped('notSent')
  if (status === 401) return stopped('ended')
  if (status === 429) return stopped('busy')
  if (status === 422) return stopped(asksForPasskey(decision) ? 'needsPasskey' : 'notAllowed')
  if (status !== 409) return stopped('failed')
  if (reason === 'eligibility') return stopped('newRole')
  if (reason === 'frozen') return stopped('frozen')
  if (retryAfter > 0) return stopped('later')
  const fresh = await wire.read(decision.id)
  if (!fresh.ok) return stopped('notSent')
  if (decidingOf(fresh.data, actorId, Date.now()).kind !== 'open') return { kind: 'faster', decision: fresh.data }
  const shown = { kind: 'obstacle', decision: fresh.data } as const
  return turn ? { ...shown, obstacle: 'turn', turn: turn as TurnAhead } : { ...shown, obstacle: otherwise }
}
