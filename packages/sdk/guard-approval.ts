/** For a gateway that asks `POST /api/v1/approval-requests`: whether the answer is a person's approval of exactly its request. */
import {
  type ApprovalRequest,
  canonical,
  contradictionIn,
  type Json,
  parseExactly,
  requestedDecision,
  verifyProof,
} from '@countersign/proof'
import { type Clock, systemClock } from './clock.ts'
import { wholeTrust } from './guard-terms.ts'
import { distrusted } from './guard-trust.ts'
import type { GuardOptions, Trust } from './guard-types.ts'
import { GuardError } from './guard-values.ts'

export type VerifyApprovalOptions = Partial<Omit<Trust, 'trust'>> &
  Pick<GuardOptions, 'trust'> & { readonly clock?: Clock }

export interface VerifiedApproval {
  readonly eventId: string
  /** Who gave the last approval: their actor ID. */
  readonly approver: string
  /** Everybody whose approval counts, oldest first. */
  readonly approvers: readonly string[]
  /** The lowest identity level among them; `claim` only with `requires: null`. */
  readonly level: 'claim' | 'session' | 'passkey'
}

/** From the lowest. */
const levels = ['claim', 'session', 'passkey'] as const

interface Sealed {
  readonly evidence?: {
    readonly decisionId?: unknown
    readonly event?: {
      readonly type?: unknown
      readonly actor?: { id?: unknown; type?: unknown }
      readonly action?: Json
    }
    readonly history?: readonly { readonly type?: unknown; readonly action?: unknown; readonly executor?: unknown }[]
  }
}

/**
 * Returns who approved, or throws `GuardError`. It makes no request: the proof in the response is verified under your trust policy.
 * Unless `requires` says otherwise, every approval must be one of a signed-in person. `request` must be the one that you sent, made
 * from the action that you're about to run, and never one that you've received. Run the action once for each request.
 */
export function verifyApproval(
  request: ApprovalRequest,
  response: string | object,
  { clock = systemClock, requires = 'session', ...options }: VerifyApprovalOptions = {},
): VerifiedApproval {
  const trust = { ...wholeTrust(options), requires }
  const answer = (typeof response === 'string' ? parseExactly(response) : response) as Readonly<Record<string, unknown>>
  const eventId = typeof answer.event_id === 'string' ? answer.event_id : null
  const fail = (reason: GuardError['reason'], message: string) => new GuardError(reason, message, eventId)
  if (contradictionIn(request)) throw fail('changed', "The request's digests aren't those of its action.")
  if (answer.status === 'pending') throw fail('waiting', 'Nobody has decided yet. Send the same request again.')
  if (answer.approved !== true) throw fail('refused', 'The request was not approved.')
  const { approval_request_id: id, action_digest, expires_at, agent_id } = request
  if (answer.approval_request_id !== id || answer.action_digest !== action_digest) {
    throw fail('changed', 'The response is to another request.')
  }
  if (!(clock.now() < Date.parse(expires_at)))
    throw fail('expired', `The request could be answered until ${expires_at}.`)

  const verdict = verifyProof(answer.proof, trust.trust, { sandbox: trust.sandbox === true })
  const { ok, facts, problems, newer, standing } = verdict
  if (!ok) {
    const why = (problems[0] ?? newer[0])?.message ?? standing
    throw fail('unverified', `The proof couldn't be verified under the trust policy: ${why}.`)
  }
  const { event, history = [] } = (answer.proof as Sealed).evidence ?? {}
  const { action } = requestedDecision(request)
  const isSame =
    facts.decisionId === id &&
    event?.type === 'agent_execution' &&
    event.actor?.type === 'ai_agent' &&
    event.actor.id === agent_id &&
    event.action !== undefined &&
    canonical(event.action) === canonical(action as Json)
  if (!isSame) throw fail('changed', 'The proof is about another request.')
  if (facts.decision?.result !== 'approved') throw fail('refused', 'The proof shows no approval.')
  const why = distrusted(verdict, trust)
  if (why !== null) throw fail('unverified', why)
  const consumed = history.find((step) => step.type === 'execution' && step.action === 'consumed')
  if (consumed?.executor !== id || facts.execution?.late !== false || facts.execution.unconfirmed) {
    throw fail('unverified', "The proof doesn't show that the approval was consumed for this request in time.")
  }
  const until = facts.decision.usableUntil
  if (until !== null && !(clock.now() <= Date.parse(until))) {
    throw fail('stale', `The approval could be used until ${until}.`)
  }
  const counting = facts.decision.approvals.filter((each) => each.void === null)
  const approvers = counting.map(({ approverId }) => approverId)
  const last = counting.at(-1)
  if (last === undefined || !approvers.every((each) => each !== null) || answer.approver !== last.approverId) {
    throw fail('unverified', 'The response names another approver than the proof.')
  }
  return {
    eventId: eventId ?? '',
    approver: last.approverId as string,
    approvers: approvers as string[],
    level: levels.find((each) => counting.some(({ level }) => level === each)) ?? 'claim',
  }
}
