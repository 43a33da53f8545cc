/** A member asks for an approval. Not in the specification. */
import { Type } from 'typebox'
import { described, named } from './common.ts'
import { EventAction, submittedFields } from './decision-events.ts'
import { decisionOperation } from './decisions.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const askDecision = operation({
  ...decisionOperation,
  id: 'decisions.ask',
  method: 'POST',
  path: '/decisions',
  store: 'sequenced',
  summary: 'Ask for an approval',
  description:
    "Records an action that you want to take and asks the people your center's policies name to approve it. You're its requester: you can't approve it yourself, and you can withdraw it while it waits. If no policy asks for an approval of this action type, the response is 409 with the reason `noPolicy`, because nobody would be asked.",
  body: named(
    'NewRequest',
    {
      action: described(EventAction, 'The action that you want to take.'),
      reason: submittedFields.reason,
      tags: submittedFields.tags,
    },
    {
      description: 'The request.',
      examples: [
        {
          action: { type: 'tuition.refund', input: { learner: 'Lee Haneul', amount: 200_000 } },
          reason: 'Moves to another city.',
        },
      ],
    },
  ),
  replies: {
    201: named(
      'AskedDecision',
      {
        eventId: TypedId('decisionEvent', "The decision event's ID."),
        approvalUrl: Type.String({ description: 'The page on which the approvers decide.' }),
      },
      { description: 'The decision, which waits for its approvals.' },
    ),
  },
  errors: ['CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})
