/** Policies and the five guards: who may decide what, and what a decision needs before it is sealed. */
import { type Static, type TSchema, Type } from 'typebox'
import { closed, DateTime, nullable } from './common.ts'
import { DecisionEventType, EventActorType, EvidenceLevelSchema, PolicyScope, VerticalSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const some = <T extends TSchema>(items: T, description: string) =>
  Type.Optional(Type.Array(items, { minItems: 1, maxItems: 50, uniqueItems: true, description }))

const PolicyMatch = Type.Object(
  {
    eventTypes: some(DecisionEventType, 'Any of these event types'),
    actionTypes: some(
      Type.String({ minLength: 1, maxLength: 200 }),
      'Any of these action types; `*` stands for any characters, as in `loan.*`, and a type of more than 255 characters fits all',
    ),
    verticals: some(VerticalSchema, 'Centers of any of these verticals'),
    actorTypes: some(EventActorType, 'Decisions by any of these'),
  },
  { ...closed, description: 'All that is given must hold; an empty object matches every decision' },
)

const PolicyGuards = Type.Object(
  {
    policyRequired: Type.Optional(Type.Boolean({ description: 'A decision that no other policy matches is refused' })),
    minimumEvidenceLevel: Type.Optional(EvidenceLevelSchema),
    humanReview: Type.Optional(Type.Boolean({ description: 'A person other than the one who decided must approve' })),
    riskThreshold: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'A risk above it needs an approval' }),
    ),
    dualApproval: Type.Optional(Type.Boolean({ description: 'Two different approvers must approve' })),
  },
  {
    ...closed,
    minProperties: 1,
    description: 'Of several policies that match, the strictest value of each guard wins',
  },
)
export type PolicyGuards = Static<typeof PolicyGuards>

const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166, for the scopes country and region' })
const Region = Type.String({ minLength: 1, maxLength: 100, description: 'For the scope region' })

const policyFields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  match: PolicyMatch,
  guards: PolicyGuards,
  active: Type.Optional(Type.Boolean({ description: 'True unless said otherwise; an inactive policy never matches' })),
}

/** What is versioned, digested and named in a seal. */
export const PolicyBody = Type.Object(
  {
    ...policyFields,
    scope: PolicyScope,
    country: Type.Optional(Country),
    region: Type.Optional(Region),
  },
  closed,
)
export type PolicyBody = Static<typeof PolicyBody>

const Policy = Type.Object(
  {
    id: TypedId('policy', 'Policy id'),
    version: Type.Integer({ minimum: 1 }),
    digest: Type.String({ description: '`sha256:` and the SHA-256 of the policy in canonical form; seals name it' }),
    name: Type.String(),
    description: nullable(Type.String()),
    scope: PolicyScope,
    country: nullable(Country),
    region: nullable(Region),
    match: PolicyMatch,
    guards: PolicyGuards,
    active: Type.Boolean(),
    createdAt: nullable(DateTime),
  },
  closed,
)

const adminOnly = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Policies', access: adminOnly } as const

export const listPolicies = operation({
  ...shared,
  id: 'policies.list',
  method: 'GET',
  path: '/policies',
  store: 'cell',
  summary: 'The policies that stand for this center, those above it included',
  replies: { 200: Type.Array(Policy) },
})

export const createPolicy = operation({
  ...shared,
  id: 'policies.create',
  method: 'POST',
  path: '/policies',
  store: 'sequenced',
  summary: 'Make a policy of this center',
  description: 'The change is itself an entry of the chain `history`. Only the operator makes policies above a center.',
  body: Type.Object(
    { ...policyFields, scope: Type.Optional(PolicyScope) },
    {
      ...closed,
      examples: [
        {
          name: 'Large orders need a person',
          match: { actionTypes: ['stock.*'], actorTypes: ['ai_agent'] },
          guards: { humanReview: true, riskThreshold: 0.4 },
        },
      ],
    },
  ),
  replies: { 201: Policy },
  errors: ['FORBIDDEN', 'CHAIN_BROKEN'],
})

export const updatePolicy = operation({
  ...shared,
  id: 'policies.update',
  method: 'PATCH',
  path: '/policies/{id}',
  store: 'sequenced',
  summary: 'Make a new version of a policy; what was sealed under the old one keeps naming the old one',
  params: IdParam,
  body: Type.Partial(Type.Object(policyFields), { ...closed, minProperties: 1, examples: [{ active: false }] }),
  replies: { 200: Policy },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

export const deletePolicy = operation({
  ...shared,
  id: 'policies.delete',
  method: 'DELETE',
  path: '/policies/{id}',
  store: 'sequenced',
  summary: 'Withdraw a policy; its versions stay readable',
  params: IdParam,
  replies: { 204: null },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

export const listPolicyVersions = operation({
  ...shared,
  id: 'policies.listVersions',
  method: 'GET',
  path: '/policies/{id}/versions',
  store: 'cell',
  summary: 'Every version a policy has had, newest first',
  params: IdParam,
  replies: { 200: Type.Array(Policy) },
  errors: ['NOT_FOUND'],
})
