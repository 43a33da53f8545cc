/** A member asks for an approval: the decision is theirs, and no place of its lines is. */
import { askDecision } from '@countersign/contract/decision-asks.ts'
import type { Config } from '../../../config/config.ts'
import { refuseOwn } from '../../../governance/policies.ts'
import { type Route, route } from '../../../http/route.ts'
import type { Jobs } from '../../../jobs/boss.ts'
import { nowMs } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { decisionItem } from '../agents/api.ts'
import { approvalAddress, newEvent } from '../decision-events/api.ts'

interface AskingNeeds {
  readonly config: Pick<Config, 'authUrl'>
  readonly jobs: Jobs
}

export const askingRoutes = ({ config, jobs }: AskingNeeds, approvalUrl = approvalAddress(config)): Route[] => [
  route(askDecision, ({ body, center, caller, principal, traceparent, sequence }, reply) => {
    refuseOwn(body.action.type)
    const actor = { id: principal.actorId, type: 'human' as const, name: principal.name }
    const event = newEvent(
      { ...body, type: 'human_approval', actor },
      { centerId: center.centerId, at: nowMs(), recordedBy: null, traceparent, key: null },
    )
    return sequence(decisionItem(event, center, caller, approvalUrl, null, { deadline: null }), ({ refused }) => {
      if (refused) throw refused
      jobs.wake(center.cell, 'waiting-decisions', { centerId: center.centerId })
      const eventId = typedId('decisionEvent', event.id)
      return reply(201, { eventId, approvalUrl: approvalUrl(eventId) })
    })
  }),
]
