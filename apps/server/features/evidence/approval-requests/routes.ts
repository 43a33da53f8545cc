/** A gateway of others asks for an approval, and gets it with its proof, consumed in the name of its request. */
import * as contract from '@countersign/contract/approval-requests.ts'
import type { BodyOf } from '@countersign/contract/operation.ts'
import { actionDigest } from '@countersign/proof/action-digest.ts'
import { contradictionIn, requestedDecision } from '@countersign/proof/approval-request.ts'
import { requireActor } from '../../../access/principal.ts'
import type { Config } from '../../../config/config.ts'
import type { Cells, TenantTx } from '../../../data/cells.ts'
import { refuseOwn } from '../../../governance/policies.ts'
import { type Route, route } from '../../../http/route.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import { type Decided, decisionItem, draftEvent, KnownOpen } from '../agents/api.ts'
import { approvalAddress } from '../decision-events/api.ts'
import type { ExportNeeds } from '../dpu/api.ts'
import { readSealed } from '../executions/api.ts'
import { consumedInTime, requireAnswered } from './consumed.ts'
import { verdictOf } from './verdict.ts'

type ApprovalRequest = BodyOf<(typeof contract.requestApproval)['spec']>

interface ApprovalRequestNeeds extends ExportNeeds {
  readonly config: Pick<Config, 'authUrl' | 'publicUrl' | 'schemaUrl'>
  readonly cells: Cells
}

/** What the gateway names twice has to be the same: the person is shown one, and the gateway runs by the other. */
function deadlineOf(request: ApprovalRequest): string {
  const wrong = contradictionIn(request)
  if (wrong === 'binding') {
    throw refusedField(
      'binding',
      'names another operation, agent or subject than the request. Send the action that you will run',
    )
  }
  if (wrong === 'input_digest') {
    throw refusedField('input_digest', "isn't the digest of the request. Compute it over the canonical form (RFC 8785)")
  }
  if (wrong === 'action_digest') {
    throw refusedField('action_digest', 'isn\'t the digest of "binding". Compute it over the canonical form (RFC 8785)')
  }
  const at = Date.parse(request.expires_at)
  if (!Number.isFinite(at))
    throw refusedField('expires_at', "isn't a time that exists. Send a date and a time as ISO 8601")
  return new Date(at).toISOString()
}

export const approvalRequestRoutes = (
  { config, cells, watching }: ApprovalRequestNeeds,
  approvalUrl = approvalAddress(config),
): Route[] => [
  route(contract.requestApproval, async (context, reply) => {
    const { body, bodyBytes, center, caller, principal, traceparent, sequence } = context
    requireActor(principal, { id: body.agent_id, type: 'ai_agent' })
    refuseOwn(body.operation)
    const deadline = deadlineOf(body)
    const { approval_request_id, action_digest } = body
    const decision = requestedDecision(body)
    const recordedBy = caller.actorId as string
    const { centerId } = center
    const facts = { centerId, recordedBy, at: nowMs(), traceparent }
    const draft = await draftEvent(decision, approval_request_id, facts, bodyBytes)
    const inCenter = <T>(work: (tx: TenantTx) => Promise<T>) => cells.of(center.cell).inTenant(caller, work, 'read')
    const answering = (event: Decided['event']) => ({
      schema_version: '1.0' as const,
      type: 'approval_response' as const,
      approval_request_id,
      action_digest,
      event_id: typedId('decisionEvent', event.id),
    })

    const judged: Decided[] = []
    const judge = (knownId: string | null) =>
      sequence(decisionItem(draft, center, caller, approvalUrl, knownId, { deadline }), (decided) => {
        judged.push(decided)
        const waiting = answering(decided.event)
        return reply(202, { ...waiting, status: 'pending', approval_url: approvalUrl(waiting.event_id) })
      })
    const pending = await judge(null).catch((error: unknown) => {
      if (error instanceof KnownOpen) return judge(error.eventId)
      throw error
    })
    const [{ event, refused }] = judged as [Decided]
    if (!refused && event.status !== 'rejected') {
      if (event.status !== 'sealed') return pending
      const sealed = requireAnswered(await inCenter((tx) => readSealed(tx, event.id, config)), event)
      const digest = actionDigest(event.action_salt as string, digested(decision))
      await sequence(
        consumedInTime(event.id, { actionDigest: digest, executor: approval_request_id }, deadline, {
          acting: { key: principal, caller, center },
          sealed,
        }),
        () => pending,
      )
    }
    return reply(200, {
      ...answering(event),
      ...(await inCenter((tx) => verdictOf(tx, { config, watching }, event.id))),
    })
  }),
]

/** As the gateway sent it, and not as it was stored. */
const digested = ({ agent, action }: ReturnType<typeof requestedDecision>) => ({
  type: 'agent_execution',
  actor: { ...agent, type: 'ai_agent' },
  action,
})
