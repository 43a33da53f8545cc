/** What an unsaved policy would have changed. */
import { Type } from 'typebox'
import { closed, DateTime, described, named } from './common.ts'
import { adminOnly, consoleOperation } from './console-inbox.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { policyFields } from './policy-body.ts'
import { CheckOutcome } from './policy-check.ts'

const Outcomes = named(
  'OutcomeCounts',
  {
    completed: Type.Integer({ minimum: 0, description: 'Decisions that would be sealed at once.' }),
    approval_required: Type.Integer({ minimum: 0, description: 'Decisions that would wait for an approval.' }),
    refused: Type.Integer({ minimum: 0, description: 'Decisions that would be refused.' }),
  },
  { description: 'How many decisions have each outcome.' },
)

const ChangedOutcome = named(
  'ChangedOutcome',
  {
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    actionType: Type.String({ description: 'The kind of action.' }),
    createdAt: described(DateTime, 'When the decision was recorded.'),
    before: described(CheckOutcome, 'The outcome without the change.'),
    after: described(CheckOutcome, 'The outcome with the change.'),
  },
  { description: 'A decision whose outcome would change.' },
)

export const dryRunPolicy = operation({
  ...consoleOperation,
  id: 'console.dryRunPolicy',
  method: 'POST',
  path: '/console/policies/dry-run',
  access: adminOnly,
  store: 'none',
  summary: 'Dry-run an unsaved policy',
  description:
    "Evaluates the last 1,000 decisions under a policy that isn't saved, reading at most 16 MB. With `policyId`, the policy replaces that one; with `withdraw` and `policyId`, decisions are evaluated without it. Nothing is recorded.",
  body: named(
    'PolicyDryRun',
    {
      policyId: Type.Optional(
        Type.String({
          maxLength: 255,
          description: 'The policy to replace or leave out.',
          examples: ['pol_01kz9x4q8hfx5r3v7t2b6n0m1c'],
        }),
      ),
      policy: Type.Optional(
        Type.Object(policyFields, {
          ...closed,
          title: 'DryRunPolicy',
          description: 'The policy to try. Leave out with `withdraw`.',
        }),
      ),
      withdraw: Type.Optional(Type.Boolean({ description: 'Whether to leave the policy in `policyId` out.' })),
    },
    {
      description: 'The policy to try, or to leave out.',
      examples: [
        {
          policy: {
            name: 'Refunds over $1,000',
            match: { actionTypes: ['refund.*'], when: [{ pointer: '/action/input/amount', op: 'gt', value: 1000 }] },
            guards: { humanReview: true },
          },
        },
      ],
    },
  ),
  replies: {
    200: named(
      'DryRun',
      {
        decisions: Type.Integer({ minimum: 0, description: 'How many decisions were evaluated, the newest ones.' }),
        matched: Type.Integer({ minimum: 0, description: 'How many of them the policy matches.' }),
        before: described(Outcomes, 'The outcomes without the change.'),
        after: described(Outcomes, 'The outcomes with the change.'),
        changed: Type.Array(ChangedOutcome, { description: 'The newest 100 decisions whose outcome would change.' }),
      },
      { description: 'What a policy would have changed.' },
    ),
  },
  errors: ['NOT_FOUND'],
})
