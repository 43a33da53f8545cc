/** Webhook events about stops. The specification doesn't have them. */
import { Type } from 'typebox'
import { DateTime, described } from './common.ts'

/** Later versions may add fields but never remove any, so receivers must ignore unknown fields. */
const open = { additionalProperties: true } as const

const at = '2026-11-15T09:30:00.000Z'

const Id = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })

const freeze = {
  freezeId: Id("The stop's ID."),
  actorId: Type.Optional(Id('The agent or person whose requests are stopped.')),
  keyId: Type.Optional(Id('The API key that is stopped.')),
  actionTypes: Type.Optional(Type.Array(Type.String(), { description: 'The action types that are stopped.' })),
  center: Type.Optional(Type.Literal(true, { description: 'Present if the whole center is stopped.' })),
  reason: Type.String({ description: 'The reason given for stopping or lifting.' }),
  rank: Type.Unsafe<'center' | 'partner' | 'operator'>({
    type: 'string',
    enum: ['center', 'partner', 'operator'],
    description: 'Who made the stop. Only the same rank or a higher one can lift it.',
  }),
}

const AgentFrozen = Type.Object(
  {
    ...freeze,
    madeBy: Id('The actor ID of the person who made the stop, or `operator`.'),
    madeAt: described(DateTime, 'When the stop took effect.'),
  },
  open,
)

const AgentResumed = Type.Object(
  {
    ...freeze,
    liftedBy: Id('The actor ID of the person who lifted the stop, or `operator`.'),
    liftedAt: described(DateTime, 'When the stop was lifted.'),
  },
  open,
)

const example = { freezeId: 'frz_01kz9x4q8hfx5r3v7t2b6n0m1c', actorId: 'agent-care', rank: 'center' } as const
const memberId = '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'

export const freezeEvents = {
  'agent.frozen': {
    description: 'An agent, an API key, action types or the whole center were stopped.',
    schema: AgentFrozen,
    example: {
      ...example,
      reason: 'The agent requested the same refund three times.',
      madeBy: memberId,
      madeAt: at,
    },
    fromApps: false,
  },
  'agent.resumed': {
    description: 'A stop was lifted. Everything it covered can continue.',
    schema: AgentResumed,
    example: { ...example, reason: 'We found the cause and fixed it.', liftedBy: memberId, liftedAt: at },
    fromApps: false,
  },
} as const
