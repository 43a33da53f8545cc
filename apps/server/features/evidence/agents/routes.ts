import * as contract from '@countersign/contract/agents.ts'
import { listAgents } from '@countersign/contract/console-agents.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import type { Logger } from 'pino'
import { requireActor } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import type { CenterProfile } from '../../../data/center-profile.ts'
import { classifyFailure } from '../../../data/transaction.ts'
import { refuseOwn } from '../../../governance/policies.ts'
import type { EventRow } from '../../../governance/rows.ts'
import { type Route, route } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedIds } from '../../../lib/ids.ts'
import { Problem } from '../../../lib/problem.ts'
import {
  type ApprovalAddress,
  approvalAddress,
  decisionNamed,
  hexOf,
  lastApproval,
  type Recorder,
} from '../decision-events/api.ts'
import { findDpuInChain } from '../dpu/api.ts'
import { receiptFor, type Watching } from '../transparency/api.ts'
import { type Decided, decisionItem, draftEvent, KnownOpen, refusalOf, refuseOther } from './decide.ts'
import { agentsOf } from './list.ts'

interface AgentNeeds {
  readonly config: Pick<Config, 'authUrl'>
  readonly cells: Cells
  readonly log: Logger
  readonly recorder: Recorder
  readonly watching: Watching
}

type DecideAnswer = PayloadOf<(typeof contract.decide)['spec'], 200>

export const agentRoutes = (
  { config, cells, log, recorder, watching }: AgentNeeds,
  approvalUrl = approvalAddress(config),
): Route[] => [
  route(listAgents, async ({ tx }, reply) => reply(200, await agentsOf(tx))),

  route(contract.decide, async (context, reply) => {
    const { body, bodyBytes, center, caller, principal, idempotencyKey, traceparent, sequence } = context
    requireActor(principal, { id: body.agent.id, type: 'ai_agent' })
    refuseOwn(body.action.type)
    const recordedBy = caller.actorId as string
    const { centerId } = center
    const facts = { centerId, recordedBy, at: nowMs(), traceparent }
    const draft = await draftEvent(body, idempotencyKey, facts, bodyBytes)
    const asItStands = () =>
      cells.of(center.cell).inTenant(caller, (tx) => knownDecision(tx, watching, draft, approvalUrl), 'read')
    try {
      // Only the answer for a decision that was closed before needs a transaction besides the batch.
      let closedBefore = false
      const seal = (knownId: string | null) =>
        sequence(decisionItem(draft, center, caller, approvalUrl, knownId), (decided) => {
          closedBefore = decided.event.status !== 'recorded' && decided.entry === null
          // The refusal is committed; the answer follows the commit.
          if (decided.refused) throw decided.refused
          return reply(decided.isNew ? 201 : 200, answerOf(decided, approvalUrl))
        })
      const answer = await seal(null).catch((error: unknown) => {
        if (error instanceof KnownOpen) return seal(error.eventId)
        throw error
      })
      return closedBefore ? reply(200, (await asItStands())?.closed as DecideAnswer) : answer
    } catch (error) {
      if (isRefusal(error)) throw error
      log.error({ err: error, decisionId: draft.decision_id }, 'a decision could not be sealed')
      await recordUnsealed(recorder, center, draft, error)
      // An earlier attempt may have recorded it under another id.
      const { closed, event } = (await asItStands()) as Known
      return reply(200, closed ?? unsealed(event, idempotencyKey !== null, approvalUrl))
    }
  }),
]

/** Errors that answer the caller's request. All others, and a chain that stays locked, are failures to seal. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Problem &&
  !['DATABASE_ERROR', 'INTERNAL_ERROR'].includes(error.code) &&
  classifyFailure(error) !== 'locked'

/** Keeps the decision, so that the same key finds it. It does not count as decided until it is sealed. */
async function recordUnsealed(recorder: Recorder, { cell, centerId }: CenterProfile, draft: EventRow, why: unknown) {
  await recorder.record(cell, centerId, { event: draft, row: JSON.stringify(draft) }).catch(() => {
    throw why
  })
}

interface Known {
  readonly event: Decided['event']
  /** The answer for a sealed, refused or half approved decision; null while it is open. */
  readonly closed: DecideAnswer | null
}

async function knownDecision(
  tx: TenantTx,
  watching: Watching,
  draft: EventRow,
  approvalUrl: ApprovalAddress,
): Promise<Known | null> {
  const event = await decisionNamed(tx, draft.decision_id)
  if (!event) return null
  refuseOther(event.fingerprint && hexOf(event.fingerprint), draft)
  if (event.status === 'recorded') return { event, closed: null }
  const last = event.status === 'rejected' ? await lastApproval(tx, event.id) : undefined
  if (last?.identity_level === 'system' && last.approver.id?.startsWith('pol_')) throw refusalOf(event.id, last)
  const sealed = await findDpuInChain(tx, event.id)
  const receipt = sealed ? await receiptFor(tx, watching, 'proof', sealed.dpu.chain_index) : null
  const decided: Decided = {
    event,
    isNew: false,
    outcome: sealed ? closedOutcome(event) : 'approval_required',
    policies: (sealed?.dpu.policies ?? []) as Decided['policies'],
    entry: sealed?.entry ?? null,
  }
  const why = last?.identity_level === 'system' ? `It was refused: ${last.reason}.` : 'A person refused this decision.'
  const refused = { note: `${why} The refusal is sealed.` }
  return { event, closed: { ...answerOf(decided, approvalUrl, receipt), ...(event.status === 'rejected' && refused) } }
}

const closedOutcome = ({ status }: Decided['event']) => (status === 'rejected' ? 'refused' : 'completed')

function answerOf(
  { event, outcome, policies, entry }: Decided,
  approvalUrl: ApprovalAddress,
  receipt = entry?.receipt?.() ?? null,
): DecideAnswer {
  const [eventId, dpuId] = typedIds(event.id, 'decisionEvent', 'dpu')
  return {
    decisionId: event.decision_id,
    eventId,
    outcome,
    policies,
    actionDigest: event.action_digest,
    actionSalt: event.action_salt,
    dpu: { id: dpuId, status: entry ? 'sealed' : 'pending', chainHash: entry?.hash ?? null },
    receipt,
    approvalUrl: outcome === 'approval_required' ? approvalUrl(eventId) : null,
    ...(outcome === 'approval_required' && {
      note: `A person has to approve the decision on the page at approvalUrl. To follow it, call GET /api/v1/decision-events/${eventId}.`,
    }),
  }
}

const unsealed = (event: Decided['event'], hasKey: boolean, approvalUrl: ApprovalAddress): DecideAnswer => ({
  ...answerOf({ event, isNew: true, outcome: 'pending', policies: [], entry: null }, approvalUrl),
  note: hasKey
    ? "The decision couldn't be sealed, so it doesn't count as decided. Send the same request again with the same Idempotency-Key."
    : "The decision couldn't be sealed, so it doesn't count as decided. Ask a person to approve it, or send it again with an Idempotency-Key.",
})
