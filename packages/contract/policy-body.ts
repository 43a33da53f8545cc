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
import { TypedId } from './ids.ts'
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

const people = {
  ...approvers,
  groupIds: some(TypedId('group', "A group's ID."), "The center's groups whose members may approve."),
}

const PolicyEscalation = named(
  'PolicyEscalation',
  {
    ...approvers,
    afterSeconds: Seconds('How many seconds must pass before these members may approve too.'),
  },
  {
    description:
      'Additional members who may approve after `afterSeconds`, counted from the start of the wait, or from when the step became the current one. Send `roles`, `actorIds` or both.',
  },
)

/** Nine people in a line: the approvals of a decision are bounded, and each is part of its seal. */
export const largestLine = 9

export const PolicyStep = named(
  'PolicyStep',
  {
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'What the box of seals calls this step.',
        examples: ['Director'],
      }),
    ),
    ...people,
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestLine,
        description: 'How many different people must approve at this step. 1 by default.',
        examples: [2],
      }),
    ),
    identity: Type.Optional(RequiredIdentity),
    escalateTo: Type.Optional(PolicyEscalation),
    delegated: Type.Optional(
      Type.Boolean({
        description:
          'Whether the box of seals marks this step as deciding with delegated authority (전결). It changes nothing about who may approve.',
      }),
    ),
  },
  {
    description:
      'One step of an approval line. If it names nobody, every ADMIN and INSTRUCTOR may approve at this step. An empty object is a step that anyone of them can fill.',
  },
)
export type PolicyStep = Static<typeof PolicyStep>

export const PolicyEmergency = named(
  'PolicyEmergency',
  {
    ...people,
    confirmWithinSeconds: Seconds('How many seconds the approval line has to confirm an emergency approval.'),
  },
  {
    description:
      'Members who may approve in an emergency (후결), in place of the whole line. The line confirms the approval afterwards, within `confirmWithinSeconds`, without the member who gave it. Send `roles`, `actorIds`, `groupIds` or several of them.',
  },
)
export type PolicyEmergency = Static<typeof PolicyEmergency>

export const PolicyApproval = named(
  'PolicyApproval',
  {
    identity: Type.Optional(RequiredIdentity),
    ...approvers,
    steps: Type.Optional(
      Type.Array(PolicyStep, {
        minItems: 1,
        maxItems: largestLine,
        description:
          "The approval line: who approves, one step after another. A person fills one place of a line. A line has at most 9 places. Can't be combined with `roles`, `actorIds`, `escalateTo` or the `dualApproval` guard.",
      }),
    ),
    inform: Type.Optional(
      named('PolicyInform', people, {
        minProperties: 1,
        description: 'Members who are told when the decision is approved or refused. They approve nothing.',
      }),
    ),
    expiresAfterSeconds: Type.Optional(Seconds('How many seconds a decision may wait before it is refused.')),
    usableForSeconds: Type.Optional(
      Seconds(
        'How many seconds after the approval the decision can be consumed. If a policy requires an approval and leaves this out, it counts as 604,800 (seven days).',
      ),
    ),
    escalateTo: Type.Optional(PolicyEscalation),
    emergency: Type.Optional(PolicyEmergency),
  },
  {
    minProperties: 1,
    description:
      "Who may approve if this policy requires an approval: the people in `steps`, one step after another, or members with one of `roles`, the members in `actorIds` or, if none of these is given, every ADMIN and INSTRUCTOR. If several policies require an approval, each has a line of its own, and one approval counts in every line where it is that person's turn. The highest `identity` and the shortest `expiresAfterSeconds` and `usableForSeconds` apply to all of them.",
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
