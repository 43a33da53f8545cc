/** What a policy would have changed, before it is saved. */
import { Type } from 'typebox'
import { closed, DateTime, named } from './common.ts'
import { adminOnly, consoleOperation } from './console-inbox.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { policyFields } from './policy-body.ts'
import { CheckOutcome } from './policy-check.ts'

const Outcomes = named('OutcomeCounts', {
  completed: Type.Integer({ minimum: 0 }),
  approval_required: Type.Integer({ minimum: 0 }),
  refused: Type.Integer({ minimum: 0 }),
})

const ChangedOutcome = named('ChangedOutcome', {
  eventId: TypedId('decisionEvent', 'Decision event id'),
  actionType: Type.String(),
  createdAt: DateTime,
  before: CheckOutcome,
  after: CheckOutcome,
})

export const dryRunPolicy = operation({
  ...consoleOperation,
  id: 'console.dryRunPolicy',
  method: 'POST',
  path: '/console/policies/dry-run',
  access: adminOnly,
  store: 'none',
  summary: 'Judge the last thousand decisions under a policy that is not saved',
  description:
    'With `policyId` the policy takes the place of that one; with `withdraw` and `policyId` it is judged without it. Nothing is recorded. Decisions are read up to 16 MB.',
  body: named(
    'PolicyDryRun',
    {
      policyId: Type.Optional(Type.String({ maxLength: 255 })),
      policy: Type.Optional(Type.Object(policyFields, { ...closed, title: 'DryRunPolicy' })),
      withdraw: Type.Optional(Type.Boolean()),
    },
    {
      examples: [
        {
          policy: {
            name: 'Refunds over 100,000',
            match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 100000 }] },
            guards: { humanReview: true },
          },
        },
      ],
    },
  ),
  replies: {
    200: named('DryRun', {
      decisions: Type.Integer({ minimum: 0, description: 'Decisions that were judged, the newest' }),
      matched: Type.Integer({ minimum: 0, description: 'Those that the policy matches' }),
      before: Outcomes,
      after: Outcomes,
      changed: Type.Array(ChangedOutcome, { description: 'The newest 100 whose outcome differs' }),
    }),
  },
  errors: ['NOT_FOUND'],
})
