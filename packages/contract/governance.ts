/** Policies and their five guards: which decisions are refused, and what a decision needs before it is sealed. */
import { type Static, type TSchema, Type } from 'typebox'
import { closed, DateTime, named, nullable } from './common.ts'
import { DecisionEventType, EventActorType, EvidenceLevelSchema, PolicyScope, VerticalSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const some = <T extends TSchema>(items: T, description: string) =>
  Type.Optional(Type.Array(items, { minItems: 1, maxItems: 50, uniqueItems: true, description }))

const PolicyMatch = named(
  'PolicyMatch',
  {
    eventTypes: some(DecisionEventType, 'Any of these event types'),
    actionTypes: some(
      Type.String({ minLength: 1, maxLength: 200 }),
      'Any of these action types. `*` matches any characters, as in `loan.*`; an action type of more than 255 characters matches every pattern',
    ),
    verticals: some(VerticalSchema, 'Centers of any of these verticals'),
    actorTypes: some(EventActorType, 'Decisions of any of these actor types'),
  },
  { description: 'All given conditions must hold; an empty object matches every decision' },
)

const PolicyGuards = named(
  'PolicyGuards',
  {
    policyRequired: Type.Optional(Type.Boolean({ description: 'Refuse a decision that no other policy matches' })),
    minimumEvidenceLevel: Type.Optional(EvidenceLevelSchema),
    humanReview: Type.Optional(Type.Boolean({ description: 'A person other than the one who decided must approve' })),
    riskThreshold: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'A higher risk score requires an approval' }),
    ),
    dualApproval: Type.Optional(Type.Boolean({ description: 'Two different approvers must approve' })),
  },
  { minProperties: 1, description: 'If several policies match, the strictest value of each guard applies' },
)
export type PolicyGuards = Static<typeof PolicyGuards>

const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166, for the scopes country and region' })
const Region = Type.String({ minLength: 1, maxLength: 100, description: 'For the scope region' })

const policyFields = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  match: PolicyMatch,
  guards: PolicyGuards,
  active: Type.Optional(Type.Boolean({ description: 'True by default; an inactive policy matches nothing' })),
}

/** The part of a policy that has versions and a digest; a seal names both. */
export const PolicyBody = named('PolicyBody', {
  ...policyFields,
  scope: PolicyScope,
  country: Type.Optional(Country),
  region: Type.Optional(Region),
})
export type PolicyBody = Static<typeof PolicyBody>

const Policy = named('Policy', {
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
})

const adminOnly = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Policies', access: adminOnly } as const

export const listPolicies = operation({
  ...shared,
  id: 'policies.list',
  method: 'GET',
  path: '/policies',
  store: 'cell',
  summary: 'List the policies in force for this center, including those of its region and country and the global ones',
  replies: { 200: Type.Array(Policy) },
})

export const createPolicy = operation({
  ...shared,
  id: 'policies.create',
  method: 'POST',
  path: '/policies',
  store: 'sequenced',
  summary: 'Create a policy of this center',
  description:
    'The change becomes an entry of the chain `history`. Only the platform operator creates policies for a region, a country or all centers.',
  body: named(
    'NewPolicy',
    { ...policyFields, scope: Type.Optional(PolicyScope) },
    {
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
  summary: 'Create a new version of a policy',
  description: 'Decisions sealed under an earlier version keep naming that version.',
  params: IdParam,
  body: Type.Partial(Type.Object(policyFields), {
    ...closed,
    title: 'PolicyPatch',
    minProperties: 1,
    examples: [{ active: false }],
  }),
  replies: { 200: Policy },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

export const deletePolicy = operation({
  ...shared,
  id: 'policies.delete',
  method: 'DELETE',
  path: '/policies/{id}',
  store: 'sequenced',
  summary: 'Withdraw a policy; its versions remain readable',
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
  summary: 'List all versions of a policy, newest first',
  params: IdParam,
  replies: { 200: Type.Array(Policy) },
  errors: ['NOT_FOUND'],
})
