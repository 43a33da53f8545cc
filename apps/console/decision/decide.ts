/**
 * Sending one approval or refusal, for the inbox and for the approval page: signed by a passkey where the policy asks for
 * one, over exactly what is shown; and what a refusal of the server means for the person.
 */
import {
  type ConfirmedHere,
  compareDigest,
  decidingOf,
  type GivenHere,
  isChallengeOf,
  isConfirmed,
  isShown,
  statedOf,
} from '@countersign/proof/deciding.ts'
import type { DecisionView } from '@countersign/proof/decision-view.ts'
import type { Decision } from '@countersign/sdk'
import type { Say } from '../app/i18n.ts'
import { assertWith, hasPasskeys, PasskeyCanceled } from '../app/passkeys.ts'
import { causeIn } from './cause-names.ts'
import { asksForPasskey, confirmsWithPasskey, visible } from './read.ts'

/** Status 0: no answer came. `reason` is that of the details, `retryAfter` in seconds. */
export interface Refused {
  readonly ok: false
  readonly status: number
  readonly code: string
  readonly retryAfter: number
  readonly reason?: unknown
  readonly by?: unknown
  readonly turn?: unknown
}

/** What the server named as the cause, in the names of the catalog of causes. */
export interface Named {
  readonly code: string
  readonly cause: string
}

/** The step of a line at which it will be this person's turn, counted from 0. */
export interface TurnAhead {
  readonly step: number
  readonly title?: string | null
}
export type Answer<T> = { readonly ok: true; readonly data: T } | Refused

interface PublicKey {
  readonly publicKey: Parameters<typeof assertWith>[0]
}
type Challenge = Parameters<typeof isShown>[0] & PublicKey
type ConfirmationChallenge = Parameters<typeof isConfirmed>[0] & PublicKey
type Assertion = Awaited<ReturnType<typeof assertWith>>

/** How an entry speaks with the server, and the name that it has in a sealed approval. */
export interface Wire {
  readonly channel: 'page' | 'console'
  challenge(id: string, given: GivenHere): Promise<Answer<Challenge>>
  approve(id: string, body: GivenHere & { readonly channel: string }): Promise<Answer<{ sealedHash: string | null }>>
  challengeConfirmation(id: string, given: ConfirmedHere): Promise<Answer<ConfirmationChallenge>>
  confirm(id: string, body: ConfirmedHere & { readonly assertion?: Assertion }): Promise<Answer<unknown>>
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
  | 'elsewhere'
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
  /** The host that the person's passkeys belong to, where that is not this one. */
  readonly host?: string
  /** Says more than the obstacle, where there are words for it. */
  readonly named?: Named
}

export type Outcome =
  | { readonly kind: 'sealed'; readonly decision: Decision }
  /** The first of two approvals. */
  | { readonly kind: 'first'; readonly decision: Decision }
  /** Another approver closed it before. */
  | { readonly kind: 'faster'; readonly decision: Decision }
  /** A confirmation of an emergency approval, or an objection to it. */
  | { readonly kind: 'confirmed'; readonly decision: Decision }
  | Stopped

/** Why an approval of this person would get no place now; null if it would, or if that is not known. */
export function turnObstacle({ waiting }: Pick<Decision, 'waiting'>): Pick<Stopped, 'obstacle' | 'turn'> | null {
  const turn = waiting?.turn
  if (!turn || turn.now) return null
  return turn.next ? { obstacle: 'turn', turn: turn.next } : { obstacle: 'notAllowed' }
}

export type StopWord = `stop${Obstacle}` | 'stepNumber'

/** What stands in the way, in a sentence or two. */
export function stopText({ obstacle, turn }: Pick<Stopped, 'obstacle' | 'turn'>, say: Say<StopWord>): string {
  const { step = 0, title } = turn ?? {}
  return say(`stop${obstacle}`, { step: title ? visible(title) : say('stepNumber', { number: step + 1 }) })
}

const stopped = (obstacle: Obstacle): Stopped => ({ kind: 'obstacle', obstacle })

/** `view` is how the decision was shown, and `decision` what was shown: neither is read again before it is sent. */
export async function decide(
  wire: Wire,
  decision: Decision,
  view: DecisionView,
  actorId: string,
  { result, reason, emergency }: GivenHere,
): Promise<Outcome> {
  const approves = result === 'approved'
  const given = {
    ...{ result, ...(reason && { reason }) },
    ...(approves && { ...(emergency && { emergency }), ...statedOf(decision, view) }),
  }
  if (approves && compareDigest(decision) === 'other') return stopped('otherDigest')
  let assertion: Assertion | undefined
  if (approves && asksForPasskey(decision, emergency)) {
    if (!hasPasskeys()) return stopped('noPasskeys')
    const begun = await wire.challenge(decision.id, given)
    if (!begun.ok) return refused(wire, decision, actorId, begun, 'needsPasskey')
    const signed = await sign(begun.data, isShown(begun.data, decision, actorId, given))
    if ('kind' in signed) return signed
    assertion = signed
  }
  const body = { ...given, channel: wire.channel, ...(assertion && { assertion }) }
  const answer = await wire.approve(decision.id, body)
  if (!answer.ok) return refused(wire, decision, actorId, answer, 'changed')
  const fresh = await wire.read(decision.id)
  if (!fresh.ok) return stopped('notSent')
  return { kind: answer.data.sealedHash === null ? 'first' : 'sealed', decision: fresh.data }
}

/** `isRight`: what is to be signed says what this person did. */
async function sign(
  { statement, publicKey }: Challenge | ConfirmationChallenge,
  isRight: boolean,
): Promise<Assertion | Outcome> {
  // On the domain of a center, a browser gives no passkey of the service away.
  const { rpId } = publicKey
  if (rpId !== undefined && rpId !== location.hostname && statement.rpId === rpId)
    return { kind: 'obstacle', obstacle: 'elsewhere', host: rpId }
  if (!isRight || !isChallengeOf(statement, publicKey, location.hostname)) return stopped('otherChallenge')
  try {
    return await assertWith(publicKey)
  } catch (error) {
    if (error instanceof PasskeyCanceled) return stopped('canceled')
    throw error
  }
}

/** Confirms an emergency approval, or objects to it. An objection is not signed, as a refusal is not. */
export async function confirm(wire: Wire, decision: Decision, actorId: string, given: ConfirmedHere): Promise<Outcome> {
  let assertion: Assertion | undefined
  const signs = given.result === 'confirmed' && confirmsWithPasskey(decision, actorId)
  if (signs) {
    if (!hasPasskeys()) return stopped('noPasskeys')
    const begun = await wire.challengeConfirmation(decision.id, given)
    if (!begun.ok) return unconfirmed(wire, decision, begun, signs)
    const signed = await sign(begun.data, isConfirmed(begun.data, decision, actorId, given))
    if ('kind' in signed) return signed
    assertion = signed
  }
  const answer = await wire.confirm(decision.id, { ...given, ...(assertion && { assertion }) })
  if (!answer.ok) return unconfirmed(wire, decision, answer, signs)
  const fresh = await wire.read(decision.id)
  return fresh.ok ? { kind: 'confirmed', decision: fresh.data } : stopped('notSent')
}

async function unconfirmed(wire: Wire, { id }: Decision, answer: Refused, signs: boolean): Promise<Outcome> {
  const { status, reason, retryAfter } = answer
  const known = obstacleOf(status, reason, retryAfter, signs)
  if (known) return { ...stopped(known), ...namedIn(answer, known) }
  const fresh = await wire.read(id)
  if (!fresh.ok) return stopped('notSent')
  const shown = { decision: fresh.data } as const
  return fresh.data.emergency?.state === 'open'
    ? { kind: 'obstacle', obstacle: signs ? 'needsPasskey' : 'changed', ...shown, ...namedIn(answer, 'changed') }
    : { kind: 'faster', ...shown }
}

/** Obstacles of which the status says less than the cause. The others have their own words, or a view. */
const vague: readonly Obstacle[] = ['failed', 'changed', 'notAllowed']

function namedIn({ code, ...details }: Refused, obstacle: Obstacle): Pick<Stopped, 'named'> {
  const cause = vague.includes(obstacle) ? causeIn(details) : null
  // What a conflict says by itself, the obstacle says for somebody who was reading.
  return cause === null || cause === 'changed' ? {} : { named: { code, cause } }
}

/** What the answer alone says; nothing after a conflict, where the decision has to be read again. */
function obstacleOf(status: number, reason: unknown, retryAfter: number, signs: boolean): Obstacle | null {
  if (status === 0) return 'notSent'
  if (status === 401) return 'ended'
  if (status === 429) return 'busy'
  if (status === 422) return signs ? 'needsPasskey' : 'notAllowed'
  if (status !== 409) return 'failed'
  if (reason === 'eligibility') return 'newRole'
  if (reason === 'frozen') return 'frozen'
  return retryAfter > 0 ? 'later' : null
}

/** `otherwise` is said after a conflict about a decision that is still open. */
async function refused(
  wire: Wire,
  decision: Decision,
  actorId: string,
  answer: Refused,
  otherwise: Obstacle,
): Promise<Outcome> {
  const { status, reason, retryAfter, turn } = answer
  const known = obstacleOf(status, reason, retryAfter, asksForPasskey(decision))
  if (known) return { ...stopped(known), ...namedIn(answer, known) }
  const fresh = await wire.read(decision.id)
  if (!fresh.ok) return stopped('notSent')
  if (decidingOf(fresh.data, actorId, Date.now()).kind !== 'open') return { kind: 'faster', decision: fresh.data }
  const shown = { kind: 'obstacle', decision: fresh.data } as const
  return turn
    ? { ...shown, obstacle: 'turn', turn: turn as TurnAhead }
    : { ...shown, obstacle: otherwise, ...namedIn(answer, otherwise) }
}
