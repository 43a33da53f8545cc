/** The agents of a center, as its decisions name them. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { adminOnly, consoleOperation } from './console-inbox.ts'
import { EventActorType } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Count = Type.Integer({ minimum: 0 })

const LastDecision = named(
  'AgentLastDecision',
  {
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    actionType: Type.String({ description: "The first 255 characters of the action's type." }),
    createdAt: described(DateTime, 'When the decision was recorded.'),
  },
  { description: "An agent's last decision." },
)

const SeenAgent = named(
  'SeenAgent',
  {
    id: Type.String({
      description: "The first 255 characters of the agent's ID, as its decisions name it.",
      examples: ['agent-7'],
    }),
    name: nullable(
      Type.String({ description: 'The first 200 characters of the name that it last gave. Null if it gave none.' }),
    ),
    type: EventActorType,
    lastDecision: nullable(
      described(LastDecision, "Null if none of the center's newest 1,000 decisions is this agent's."),
    ),
    waiting: described(Count, 'The number of its decisions that are waiting for approval.'),
  },
  { description: 'An agent that decisions of the center name.' },
)

export const listAgents = operation({
  ...consoleOperation,
  id: 'console.listAgents',
  method: 'GET',
  path: '/console/agents',
  access: adminOnly,
  store: 'cell',
  summary: 'List agents',
  description:
    "Returns the agents, services and systems that ask for decisions in the center, the one with the newest decision first: those of its newest 1,000 decisions, those whose decisions are waiting, and those whose decisions needed an approval in the last 52 weeks. An agent that only has an API key is in the list of API keys. People aren't listed, and neither is an agent whose ID has been redacted.",
  replies: {
    200: named(
      'SeenAgents',
      {
        agents: Type.Array(SeenAgent, { description: 'The agents, at most 500.' }),
        leftOut: described(Count, 'The number of agents beyond the first 500.'),
      },
      { description: 'The agents of a center.' },
    ),
  },
})
