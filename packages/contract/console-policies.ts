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
    completed: Type.Integer({ minimum: 0, description: 'The number of decisions that would be sealed at once.' }),
    approval_required: Type.Integer({
      minimum: 0,
      description: 'The number of decisions that would wait for approval.',
    }),
    refused: Type.Integer({ minimum: 0, description: 'The number of decisions that would be refused.' }),
  },
  { description: 'The number of decisions with each outcome.' },
)

const ChangedOutcome = named(
  'ChangedOutcome',
  {
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    actionType: Type.String({ description: "The decision's action type." }),
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
    "Evaluates the last 1,000 decisions, up to a total of 16 MB, against a policy that hasn't been saved. With `policyId`, the unsaved policy replaces that policy; with `policyId` and `withdraw`, the decisions are evaluated without that policy. Nothing is recorded.",
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
          description: 'The policy to try. Omit this if you send `withdraw`.',
        }),
      ),
      withdraw: Type.Optional(Type.Boolean({ description: 'Whether to leave out the policy named in `policyId`.' })),
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
        decisions: Type.Integer({
          minimum: 0,
          description: 'The number of decisions that were evaluated, starting from the newest.',
        }),
        matched: Type.Integer({
          minimum: 0,
          description: 'The number of evaluated decisions that the policy matches.',
        }),
        before: described(Outcomes, 'The outcomes without the change.'),
        after: described(Outcomes, 'The outcomes with the change.'),
        changed: Type.Array(ChangedOutcome, { description: 'The 100 newest decisions whose outcome would change.' }),
      },
      { description: 'What a policy would have changed.' },
    ),
  },
  errors: ['NOT_FOUND'],
})
