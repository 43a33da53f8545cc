/** Webhook events about emergency approvals. The specification doesn't have them. */
import { Type } from 'typebox'
import { DateTime, described } from './common.ts'

/** Later versions may add fields but never remove any, so receivers must ignore unknown fields. */
const open = { additionalProperties: true } as const

const Id = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })

const decision = {
  decisionId: Id("The decision's own ID, as returned when it was recorded."),
  eventId: Id('The ID of the decision event.'),
  agentId: Id("The requester's ID in your own system. `redacted` if it was redacted."),
  actionType: Id('The kind of action.'),
  usedBy: Type.Array(Id('An actor ID.'), { description: 'Who approved in an emergency.' }),
  confirmBy: described(DateTime, 'The last time at which it could be confirmed.'),
}

const Confirmed = Type.Object(
  {
    ...decision,
    confirmedBy: Type.Array(Id('An actor ID.'), { description: 'Who confirmed it.' }),
    confirmedAt: described(DateTime, 'When the last of them confirmed it.'),
  },
  open,
)

const Objected = Type.Object(
  {
    ...decision,
    objectedBy: Id('Who objected.'),
    reason: Type.String({ description: 'The reason given for the objection.' }),
    objectedAt: described(DateTime, 'When the objection was sealed.'),
  },
  open,
)

const Unconfirmed = Type.Object(
  { ...decision, unconfirmedAt: described(DateTime, 'When the service sealed that nobody confirmed it in time.') },
  open,
)

const memberId = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'
const otherId = '0198c5f2-8a2b-7f10-8c51-6b7d2e3f4a51'
const at = '2026-11-16T08:10:00.000Z'
const example = {
  ...{ decisionId: 'plan-102-2026-11-15', eventId: 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c' },
  ...{ agentId: 'agent-7', actionType: 'plan.adjust', usedBy: [memberId], confirmBy: '2026-11-16T09:30:00.000Z' },
}

export const confirmationEvents = {
  'agent.approval.confirmed': {
    description: 'An emergency approval was confirmed by its approval line.',
    schema: Confirmed,
    example: { ...example, confirmedBy: [otherId], confirmedAt: at },
    fromApps: false,
  },
  'agent.approval.objected': {
    description: "Someone objected to an emergency approval. The decision can't be consumed anymore.",
    schema: Objected,
    example: { ...example, objectedBy: otherId, reason: 'This could have waited until Monday.', objectedAt: at },
    fromApps: false,
  },
  'agent.approval.unconfirmed': {
    description: "Nobody confirmed an emergency approval in time. The decision can't be consumed anymore.",
    schema: Unconfirmed,
    example: { ...example, unconfirmedAt: '2026-11-16T09:30:20.000Z' },
    fromApps: false,
  },
} as const
