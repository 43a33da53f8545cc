/** What a policy says: which decisions it matches, its five guards, and who may approve what they ask for. */
import { type Static, type TSchema, Type } from 'typebox'
import { ActorId, named } from './common.ts'
import {
  ApproverRole,
  ConditionOperator,
  DecisionEventType,
  EventActorType,
  EvidenceLevelSchema,
  PolicyScope,
  RequiredIdentity,
  VerticalSchema,
} from './enums.ts'
import { CountryCode, RegionCode } from './places.ts'

const list = <T extends TSchema>(items: T, description: string) =>
  Type.Array(items, { minItems: 1, maxItems: 50, uniqueItems: true, description })
const some = <T extends TSchema>(items: T, description: string) => Type.Optional(list(items, description))

const largest = Number.MAX_SAFE_INTEGER
const Scalar = Type.Union([
  Type.String({ maxLength: 1000 }),
  Type.Number({ minimum: -largest, maximum: largest }),
  Type.Boolean(),
])

/** The values that a condition can read. Any other pointer would find nothing and therefore match every decision. */
const pointerPattern = '^/(action/input|tags|aiContext/confidence|riskScore)(/([^~/]|~[01])*)*$'

export const PolicyCondition = named(
  'PolicyCondition',
  {
    pointer: Type.String({
      maxLength: 500,
      pattern: pointerPattern,
      description:
        "A JSON Pointer (RFC 6901) to one of the decision's values: `/action/input` or a value in it, `/tags`, `/aiContext/confidence` or `/riskScore`.",
      examples: ['/action/input/amount'],
    }),
    op: ConditionOperator,
    value: Type.Optional(
      Type.Union([Scalar, list(Scalar, 'The values for `in`.')], {
        description:
          'What to compare the value with: a value for `eq`, a list for `in`, a number for `gt` and `lt`, a boolean for `exists` (default true).',
        examples: [1000],
      }),
    ),
  },
  {
    description:
      "A condition on one of the decision's values. A value that is absent or of another type satisfies every operator except `exists`, so nobody can evade a policy by leaving a value out. For `/tags`, `eq` and `in` are satisfied if any tag matches; case, character width, spaces and invisible characters make no difference.",
  },
)
export type PolicyCondition = Static<typeof PolicyCondition>

export const PolicyMatch = named(
  'PolicyMatch',
  {
    eventTypes: some(DecisionEventType, 'Decisions with any of these event types.'),
    actionTypes: some(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'An action type or a pattern.',
        examples: ['refund.*'],
      }),
      'Decisions with any of these action types. `*` matches any characters, as in `loan.*`. Case, character width, spaces and invisible characters make no difference. An action type that is longer than 255 characters matches every pattern.',
    ),
    verticals: some(VerticalSchema, 'Centers in any of these verticals.'),
    actorTypes: some(EventActorType, 'Decisions by any of these kinds of actor.'),
    when: Type.Optional(
      Type.Array(PolicyCondition, {
        minItems: 1,
        maxItems: 20,
        description:
          "Conditions on the decision's values, all of which must be satisfied. Requires `actionTypes` or `eventTypes`.",
      }),
    ),
  },
  {
    description:
      'Which decisions the policy applies to. All conditions that are given must be satisfied; an empty object matches every decision.',
  },
)

export const PolicyGuards = named(
  'PolicyGuards',
  {
    policyRequired: Type.Optional(Type.Boolean({ description: 'Refuse any decision that no other policy matches.' })),
    minimumEvidenceLevel: Type.Optional(EvidenceLevelSchema),
    humanReview: Type.Optional(
      Type.Boolean({ description: 'A person other than the one who decided must approve the decision.' }),
    ),
    riskThreshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'A person must approve the decision if its risk score is higher than this value or absent.',
        examples: [0.4],
      }),
    ),
    dualApproval: Type.Optional(Type.Boolean({ description: 'Two different people must approve the decision.' })),
  },
  {
    minProperties: 1,
    description: 'What the policy requires. If several policies match, the strictest value of each guard applies.',
  },
)
export type PolicyGuards = Static<typeof PolicyGuards>

const Seconds = (description: string) =>
  Type.Integer({ minimum: 1, maximum: 31_536_000, description, examples: [86_400] })
const approvers = {
  roles: some(ApproverRole, 'Members with any of these roles may approve.'),
  actorIds: some(ActorId, 'Members who may approve, by actor ID.'),
}

export const PolicyApproval = named(
  'PolicyApproval',
  {
    identity: Type.Optional(RequiredIdentity),
    ...approvers,
    expiresAfterSeconds: Type.Optional(Seconds('How many seconds a decision may wait before it is refused.')),
    usableForSeconds: Type.Optional(
      Seconds(
        'How many seconds after the approval the decision can be consumed. If a policy requires an approval and leaves this out, it counts as 604,800 (seven days).',
      ),
    ),
    escalateTo: Type.Optional(
      named(
        'PolicyEscalation',
        {
          ...approvers,
          afterSeconds: Seconds('How many seconds the decision must have waited before these members may approve it.'),
        },
        {
          description:
            'Additional members who may approve once the decision has waited for `afterSeconds`. Send `roles`, `actorIds` or both.',
        },
      ),
    ),
  },
  {
    minProperties: 1,
    description:
      'Who may approve if this policy requires an approval: members with one of `roles`, the members in `actorIds` or, if neither is given, every ADMIN and INSTRUCTOR. If several policies require an approval, each of them must allow the approver; the highest `identity` and the shortest `expiresAfterSeconds` and `usableForSeconds` apply.',
  },
)
export type PolicyApproval = Static<typeof PolicyApproval>

export const policyFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'A name that people recognize the policy by.',
    examples: ['Refunds over $1,000 need an administrator'],
  }),
  description: Type.Optional(
    Type.String({
      maxLength: 2000,
      description: 'What the policy is for. Approvers see it.',
      examples: ['Finance asked for this in October.'],
    }),
  ),
  match: PolicyMatch,
  guards: PolicyGuards,
  approval: Type.Optional(PolicyApproval),
  active: Type.Optional(
    Type.Boolean({
      description: 'Whether the policy applies. True by default; a policy that is turned off matches nothing.',
    }),
  ),
}

/** The part of a policy that has versions and a digest; a seal names both. */
export const PolicyBody = named(
  'PolicyBody',
  {
    ...policyFields,
    scope: PolicyScope,
    country: Type.Optional(CountryCode),
    region: Type.Optional(RegionCode),
  },
  { description: 'The part of a policy that has versions and a digest. A seal names both.' },
)
export type PolicyBody = Static<typeof PolicyBody>
