/** Asks what a center's policies would say about a decision. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { NewAgentDecision } from './agents.ts'
import { ActorId, closed, described, named, nullable } from './common.ts'
import { LinePerson } from './decision-lines.ts'
import { ApproverRole, ApprovingGuard, oneOf, RequiredIdentity } from './enums.ts'
import { definition } from './operation.ts'
import { PolicyApproval, policyFields } from './policy-body.ts'

export const CheckOutcome = oneOf(
  'CheckOutcome',
  ['completed', 'approval_required', 'refused'],
  'The outcome that `POST /api/v1/agents/decide` would return. `refused` stands for its 422 `POLICY_VIOLATION` response.',
)

const CheckedChange = named(
  'CheckedChange',
  {
    by: oneOf(
      'RuleChanger',
      ['line', 'administrator', 'asker', 'partner', 'operator'],
      "Who decides about a change that makes the policy less strict: the people of its own approval line, another ADMIN (if the policy doesn't require an approval), the ADMIN who makes the change (in a sandbox), the partner or the operator.",
    ),
    approvals: Type.Integer({
      minimum: 0,
      description: 'How many people must approve such a change. 0 if the center has nobody to ask.',
    }),
    people: Type.Array(LinePerson, {
      maxItems: 10,
      description: 'Up to ten ACTIVE members who could approve such a change if you requested it.',
    }),
    peopleCount: Type.Integer({
      minimum: 0,
      description: 'How many ACTIVE members could approve it. Accounts of one person count once.',
    }),
    aloneAfterWait: Type.Boolean({
      description:
        'Whether you could give the missing approvals yourself once the change has waited for `RULES_WAIT_SECONDS`, because too few other members could, counting everyone who could in the last 30 days.',
    }),
  },
  { description: 'Who could make a policy less strict, once it is a day old or a decision has waited for it.' },
)

const CheckedPolicy = named(
  'CheckedPolicy',
  {
    id: Type.String({ description: "The policy's ID." }),
    version: Type.Integer({ description: 'The version in force.' }),
    digest: Type.String({ description: "The policy version's digest." }),
    name: Type.String({ description: "The policy's name." }),
    asks: Type.Array(ApprovingGuard, { description: "This policy's guards that require an approval." }),
    approval: nullable(
      described(PolicyApproval, "Who may approve under this policy. Null if the policy doesn't name approvers."),
    ),
    change: CheckedChange,
  },
  { description: 'A policy that matches the decision, and what it requires.' },
)

const CheckedStep = named(
  'CheckedStep',
  {
    title: nullable(
      Type.String({ description: "The step's title. Null if the policy gives it none.", examples: ['Director'] }),
    ),
    count: Type.Integer({ minimum: 1, description: 'How many different people must approve at this step.' }),
    identity: RequiredIdentity,
    people: Type.Array(LinePerson, {
      maxItems: 10,
      description:
        'Up to ten ACTIVE members who could approve at this step, now or after an escalation. If it requires a passkey, only members with one that is confirmed in this center.',
    }),
    peopleCount: Type.Integer({
      minimum: 0,
      description: 'How many ACTIVE members could approve at this step. Accounts of one person count once.',
    }),
  },
  { description: 'A step of an approval line, and who could fill it.' },
)

const CheckedLine = named(
  'CheckedLine',
  {
    policyId: Type.String({ description: 'The policy that the line belongs to.' }),
    version: Type.Integer({ description: "The policy's version." }),
    name: Type.String({ description: "The policy's name." }),
    steps: Type.Array(CheckedStep, { description: 'The steps, in order.' }),
    emergency: nullable(
      named(
        'CheckedEmergency',
        {
          confirmWithinSeconds: Type.Integer({
            minimum: 1,
            description: 'How many seconds the line would have to confirm it.',
          }),
          people: Type.Array(LinePerson, {
            maxItems: 10,
            description: 'Up to ten ACTIVE members who could approve in an emergency.',
          }),
          peopleCount: Type.Integer({
            minimum: 0,
            description: 'How many ACTIVE members could approve in an emergency. Accounts of one person count once.',
          }),
          confirmers: Type.Array(LinePerson, {
            maxItems: 10,
            description: 'Up to ten ACTIVE members who could confirm it, if somebody else used it.',
          }),
          confirmerCount: Type.Integer({
            minimum: 0,
            description: 'How many ACTIVE members could confirm it. Accounts of one person count once.',
          }),
          problem: nullable(
            Type.String({
              description:
                'Who could use it without enough other people to confirm it, or why nobody could use it. Null if whoever uses it can be confirmed.',
            }),
          ),
        },
        { description: 'Who could approve in an emergency, and who could confirm it. Null if the policy has none.' },
      ),
    ),
  },
  { description: 'An approval line that the decision would have. The lines of several policies run side by side.' },
)

const CheckedApproval = named(
  'CheckedApproval',
  {
    identity: RequiredIdentity,
    approvals: Type.Integer({
      minimum: 1,
      description: 'How many people must approve at least: the number of places in the longest line.',
    }),
    roles: nullable(
      Type.Array(ApproverRole, {
        description: 'The roles that may approve at some step. Null if no step admits members by their role.',
      }),
    ),
    actorIds: Type.Array(ActorId, {
      description: 'The ACTIVE members who may approve at some step, now or after an escalation.',
    }),
    expiresAfterSeconds: nullable(
      Type.Integer({
        description: 'How many seconds the decision could wait before it expires. Null if it would never expire.',
      }),
    ),
    usableForSeconds: Type.Integer({
      description: 'How many seconds after the approval the decision could be consumed.',
    }),
    lines: Type.Array(CheckedLine, { description: 'The approval lines, one per policy that requires an approval.' }),
    problem: nullable(
      Type.String({
        description:
          'Why nobody can approve, or too few people can, one for each place of a line. Null if enough people can.',
      }),
    ),
  },
  { description: 'The approval that the policies would require.' },
)

export const checkPolicies = definition({
  id: 'policies.check',
  tag: 'Policies',
  mounts: [{ access: key('policies:write') }, { access: member('ADMIN') }],
  method: 'POST',
  path: '/policies/check',
  store: 'none',
  summary: 'Check a decision against the policies',
  description:
    'Returns which policies match a decision and what they would require, without recording anything. The body is the same as for `POST /api/v1/agents/decide`; with `draft`, the decision is checked as if that policy had been saved. The response also tells you if nobody could approve the decision, for example because a line has a step that no member could fill, and who could make each policy less strict.',
  body: named(
    'PolicyCheckRequest',
    {
      ...NewAgentDecision.properties,
      draft: Type.Optional(
        named(
          'PolicyDraft',
          {
            policyId: Type.Optional(
              Type.String({
                maxLength: 255,
                description: "The center's policy that the draft would replace. Omit this for a new policy.",
                examples: ['pol_01kz9x4q8hfx5r3v7t2b6n0m1c'],
              }),
            ),
            policy: Type.Object(policyFields, {
              ...closed,
              title: 'DraftPolicy',
              description: 'The policy, as if it had been saved.',
            }),
          },
          { description: "A policy that hasn't been saved, to check the decision as if it had been." },
        ),
      ),
    },
    {
      description: 'The decision to check, and optionally an unsaved policy.',
      examples: [
        { agent: { id: 'agent-7' }, action: { type: 'refund.pay', description: 'Refund', input: { amount: 1200 } } },
      ],
    },
  ),
  replies: {
    200: named(
      'PolicyCheck',
      {
        outcome: CheckOutcome,
        refusal: nullable(
          named(
            'CheckedRefusal',
            {
              policyId: Type.String({ description: 'The policy that refuses the decision.' }),
              rule: Type.String({ description: 'The part of the policy that refuses the decision.' }),
              guard: Type.String({ description: 'The guard that refuses the decision.' }),
              message: Type.String({ description: 'The reason in a sentence.' }),
            },
            { description: "Why the decision would be refused. Null if it wouldn't be." },
          ),
        ),
        policies: Type.Array(CheckedPolicy, { description: 'The policies that match.' }),
        approval: nullable(described(CheckedApproval, 'The approval that would be required. Null if none would be.')),
      },
      { description: 'What the policies say about a decision.' },
    ),
  },
  errors: ['NOT_FOUND'],
})
