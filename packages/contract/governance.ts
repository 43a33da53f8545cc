/** The policies of a center: which decisions are refused, and what a decision needs before it is sealed. */
import { Type } from 'typebox'
import { closed, DateTime, named, nullable } from './common.ts'
import { PolicyScope } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { CountryCode, RegionCode } from './places.ts'
import { PolicyApproval, PolicyGuards, PolicyMatch, policyFields } from './policy-body.ts'

export const Policy = named('Policy', {
  id: TypedId('policy', 'Policy id'),
  version: Type.Integer({ minimum: 1 }),
  digest: Type.String({ description: '`sha256:` and the SHA-256 of the policy in canonical form; seals name it' }),
  name: Type.String(),
  description: nullable(Type.String()),
  scope: PolicyScope,
  country: nullable(CountryCode),
  region: nullable(RegionCode),
  match: PolicyMatch,
  guards: PolicyGuards,
  approval: nullable(PolicyApproval),
  active: Type.Boolean(),
  inherited: Type.Boolean({ description: 'Whether the partner gave it to the center when the center was created' }),
  createdAt: nullable(DateTime),
})

export const PolicyPatch = Type.Partial(Type.Object({ ...policyFields, approval: nullable(PolicyApproval) }), {
  ...closed,
  title: 'PolicyPatch',
  minProperties: 1,
  examples: [{ active: false }],
})

const PendingChange = named(
  'PendingPolicyChange',
  {
    pending: named('PendingDecision', {
      eventId: TypedId('decisionEvent', 'The decision that the change waits for'),
      approvalUrl: Type.String({ description: 'The page on which a member approves it' }),
    }),
    policy: nullable(Policy),
  },
  { description: 'The change would loosen what policies ask, so people decide about it; the policy is as it was' },
)

const waits =
  'A change that would let pass what waits or is refused under the policies of now is answered with 202 and waits for the people whom these policies name; it takes effect with their last approval.'

const adminOnly = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Policies', access: adminOnly } as const

export const listPolicies = operation({
  ...shared,
  id: 'policies.list',
  method: 'GET',
  path: '/policies',
  store: 'none',
  summary: 'List the policies in force for this center, including those of its region and country and the global ones',
  replies: { 200: Type.Array(Policy) },
})

export const createPolicy = operation({
  ...shared,
  id: 'policies.create',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/policies',
  store: 'sequenced',
  summary: 'Create a policy of this center',
  description: `The change becomes an entry of the chain \`history\`. Only the platform operator creates policies for a region, a country or all centers. ${waits}`,
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
        {
          name: 'Refunds over 100,000 need an administrator within a day',
          match: {
            actionTypes: ['refund.*'],
            when: [{ pointer: '/action/input/amount', op: 'gt', value: 100000 }],
          },
          guards: { humanReview: true },
          approval: { identity: 'session', roles: ['ADMIN'], expiresAfterSeconds: 86400 },
        },
      ],
    },
  ),
  replies: { 201: Policy, 202: PendingChange },
  errors: ['FORBIDDEN', 'CONFLICT', 'CHAIN_BROKEN'],
})

export const updatePolicy = operation({
  ...shared,
  id: 'policies.update',
  stepUp: { within: 'rules' },
  method: 'PATCH',
  path: '/policies/{id}',
  store: 'sequenced',
  summary: 'Create a new version of a policy',
  description: `Decisions sealed under an earlier version keep naming that version. A center of a franchise cannot change an inherited policy: 403. Its partner can: \`PATCH /api/partner/centers/{centerId}/policies/{id}\`. ${waits}`,
  params: IdParam,
  body: PolicyPatch,
  replies: { 200: Policy, 202: PendingChange },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

export const deletePolicy = operation({
  ...shared,
  id: 'policies.delete',
  stepUp: { within: 'rules' },
  method: 'DELETE',
  path: '/policies/{id}',
  store: 'sequenced',
  summary: 'Withdraw a policy; its versions remain readable',
  description: `A center of a franchise cannot withdraw an inherited policy: 403. ${waits}`,
  params: IdParam,
  replies: { 202: PendingChange, 204: null },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

export const listPolicyVersions = operation({
  ...shared,
  id: 'policies.listVersions',
  method: 'GET',
  path: '/policies/{id}/versions',
  store: 'none',
  summary: 'List all versions of a policy, newest first',
  params: IdParam,
  replies: { 200: Type.Array(Policy) },
  errors: ['NOT_FOUND'],
})
