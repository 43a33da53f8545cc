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

/** The roots that a condition can read; another pointer would name nothing and therefore match every decision. */
const pointerPattern = '^/(action/input|tags|aiContext/confidence|riskScore)(/([^~/]|~[01])*)*$'

export const PolicyCondition = named(
  'PolicyCondition',
  {
    pointer: Type.String({
      maxLength: 500,
      pattern: pointerPattern,
      description:
        'JSON Pointer (RFC 6901) to a value of the decision: under `/action/input`, `/tags`, `/aiContext/confidence` or `/riskScore`',
      examples: ['/action/input/amount'],
    }),
    op: ConditionOperator,
    value: Type.Optional(
      Type.Union([Scalar, list(Scalar, 'For `in`')], {
        description:
          'A value for `eq`, a list for `in`, a number for `gt` and `lt`, a boolean for `exists` (default true)',
      }),
    ),
  },
  {
    description:
      'A value that is absent or has another type satisfies every operator except `exists`, so that leaving out a value does not evade a policy. For `/tags`, `eq` and `in` mean any tag, and spelling makes no difference, as in `actionTypes`',
  },
)
export type PolicyCondition = Static<typeof PolicyCondition>

export const PolicyMatch = named(
  'PolicyMatch',
  {
    eventTypes: some(DecisionEventType, 'Any of these event types'),
    actionTypes: some(
      Type.String({ minLength: 1, maxLength: 200 }),
      'Any of these action types. `*` matches any characters, as in `loan.*`. Case, full width, blanks and invisible characters make no difference; an action type of more than 255 characters matches every pattern',
    ),
    verticals: some(VerticalSchema, 'Centers of any of these verticals'),
    actorTypes: some(EventActorType, 'Decisions of any of these actor types'),
    when: Type.Optional(
      Type.Array(PolicyCondition, {
        minItems: 1,
        maxItems: 20,
        description: 'All of these conditions on values of the decision; requires `actionTypes` or `eventTypes`',
      }),
    ),
  },
  { description: 'All given conditions must hold; an empty object matches every decision' },
)

export const PolicyGuards = named(
  'PolicyGuards',
  {
    policyRequired: Type.Optional(Type.Boolean({ description: 'Refuse a decision that no other policy matches' })),
    minimumEvidenceLevel: Type.Optional(EvidenceLevelSchema),
    humanReview: Type.Optional(Type.Boolean({ description: 'A person other than the one who decided must approve' })),
    riskThreshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'A higher risk score, or none, requires the approval of a person',
      }),
    ),
    dualApproval: Type.Optional(Type.Boolean({ description: 'Two different people must approve' })),
  },
  { minProperties: 1, description: 'If several policies match, the strictest value of each guard applies' },
)
export type PolicyGuards = Static<typeof PolicyGuards>

const Seconds = (description: string) => Type.Integer({ minimum: 1, maximum: 31_536_000, description })
const approvers = {
  roles: some(ApproverRole, 'Members with any of these roles'),
  actorIds: some(ActorId, 'These members'),
}

export const PolicyApproval = named(
  'PolicyApproval',
  {
    identity: Type.Optional(RequiredIdentity),
    ...approvers,
    expiresAfterSeconds: Type.Optional(Seconds('A decision that waits longer is refused')),
    usableForSeconds: Type.Optional(
      Seconds(
        'How long after the approval the decision can be consumed. A policy that asks and does not say it counts as 604,800 (seven days)',
      ),
    ),
    escalateTo: Type.Optional(
      named(
        'PolicyEscalation',
        { ...approvers, afterSeconds: Seconds('How long the decision has waited') },
        { description: 'Further members who may approve after that time; `roles`, `actorIds` or both' },
      ),
    ),
  },
  {
    minProperties: 1,
    description:
      'Who may approve what this policy asks for: members with one of `roles`, members of `actorIds`, or, without both, every ADMIN and INSTRUCTOR. If several policies ask, an approver must be allowed by each, the highest `identity` counts, and the shortest `expiresAfterSeconds` and `usableForSeconds`',
  },
)
export type PolicyApproval = Static<typeof PolicyApproval>

export const policyFields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  match: PolicyMatch,
  guards: PolicyGuards,
  approval: Type.Optional(PolicyApproval),
  active: Type.Optional(Type.Boolean({ description: 'True by default; an inactive policy matches nothing' })),
}

/** The part of a policy that has versions and a digest; a seal names both. */
export const PolicyBody = named('PolicyBody', {
  ...policyFields,
  scope: PolicyScope,
  country: Type.Optional(CountryCode),
  region: Type.Optional(RegionCode),
})
export type PolicyBody = Static<typeof PolicyBody>
