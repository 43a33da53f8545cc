/** A center's policies: which decisions are refused, and what the others need before they are sealed. */
import { Type } from 'typebox'
import { member } from './access.ts'
import { closed, DateTime, described, named, nullable } from './common.ts'
import { PolicyScope } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { CountryCode, RegionCode } from './places.ts'
import { PolicyApproval, PolicyGuards, PolicyMatch, policyFields } from './policy-body.ts'

export const Policy = named(
  'Policy',
  {
    id: TypedId('policy', "The policy's ID."),
    version: Type.Integer({ minimum: 1, description: 'The version, counted from 1.' }),
    digest: Type.String({
      description: "`sha256:` followed by the SHA-256 of the policy's canonical form. Seals contain this digest.",
    }),
    name: Type.String({ description: "The policy's name." }),
    description: nullable(Type.String({ description: 'What the policy is for. Null if it has no description.' })),
    scope: PolicyScope,
    country: nullable(
      described(
        CountryCode,
        'The country that the policy applies to if `scope` is `country` or `region`; otherwise, null.',
      ),
    ),
    region: nullable(
      described(RegionCode, 'The region that the policy applies to if `scope` is `region`; otherwise, null.'),
    ),
    match: PolicyMatch,
    guards: PolicyGuards,
    approval: nullable(described(PolicyApproval, "Who may approve. Null if the policy doesn't name approvers.")),
    active: Type.Boolean({ description: 'Whether the policy applies.' }),
    inherited: Type.Boolean({
      description: 'Whether the center inherited the policy from its partner when the center was created.',
    }),
    createdAt: nullable(described(DateTime, "When this version was created. Null if the time wasn't recorded.")),
  },
  { description: "One of the center's own policies, or another policy that applies to it." },
)

export const PolicyPatch = Type.Partial(Type.Object({ ...policyFields, approval: nullable(PolicyApproval) }), {
  ...closed,
  title: 'PolicyPatch',
  description: 'What to change about the policy. Anything you leave out stays as it is.',
  minProperties: 1,
  examples: [{ active: false }],
})

export const PendingDecision = named(
  'PendingDecision',
  {
    eventId: TypedId('decisionEvent', "The decision event's ID."),
    approvalUrl: Type.String({ description: 'The page where a member can approve or refuse the change.' }),
  },
  { description: 'The decision that the change is waiting for.' },
)

const PendingChange = named(
  'PendingPolicyChange',
  {
    pending: PendingDecision,
    policy: nullable(
      described(Policy, 'The policy as it is until the change is approved. Null if the change would create a policy.'),
    ),
  },
  {
    description:
      'A change that would loosen what the policies require, so people must approve it first. Until then, the policy stays as it was.',
  },
)

const waits =
  'If the change would let through decisions that now wait for approval or are refused, the response is 202: the change waits for approval by the people named in the current policies, and takes effect with their last approval.'

const adminOnly = member('ADMIN')
const shared = { surface: 'platform', tag: 'Policies', access: adminOnly } as const

export const listPolicies = operation({
  ...shared,
  id: 'policies.list',
  method: 'GET',
  path: '/policies',
  store: 'none',
  summary: 'List policies',
  description:
    "Returns the policies in force for this center: its own, its region's and country's, and the global ones.",
  replies: { 200: Type.Array(Policy) },
})

export const createPolicy = operation({
  ...shared,
  id: 'policies.create',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/policies',
  store: 'sequenced',
  summary: 'Create a policy',
  description: `Creates a policy for this center, and adds an entry to the \`history\` chain. Only the platform operator can create policies for a region, a country or all centers. ${waits} To see what the policies in force require for a decision, call \`POST /api/policies/check\`.`,
  body: named(
    'NewPolicy',
    {
      ...policyFields,
      scope: Type.Optional(
        described(
          PolicyScope,
          'Which centers the policy applies to. Only `center` is accepted here; only the operator can create policies with another scope.',
        ),
      ),
    },
    {
      description: 'The policy to create.',
      examples: [
        {
          name: 'Large orders need a person',
          match: { actionTypes: ['stock.*'], actorTypes: ['ai_agent'] },
          guards: { humanReview: true, riskThreshold: 0.4 },
        },
        {
          name: 'Refunds over $1,000 need an administrator within a day',
          match: {
            actionTypes: ['refund.*'],
            when: [{ pointer: '/action/input/amount', op: 'gt', value: 1000 }],
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
  summary: 'Update a policy',
  description: `Creates a new version of the policy. Decisions sealed under an earlier version still refer to that version. A franchise center can't change an inherited policy (403), but its partner can, with \`PATCH /api/partner/centers/{centerId}/policies/{id}\`. ${waits}`,
  params: IdParam('policy'),
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
  summary: 'Delete a policy',
  description: `Deletes the policy. It no longer applies, but its versions stay readable. A franchise center can't delete an inherited policy: the response is 403. ${waits}`,
  params: IdParam('policy'),
  replies: { 202: PendingChange, 204: null },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

export const listPolicyVersions = operation({
  ...shared,
  id: 'policies.listVersions',
  method: 'GET',
  path: '/policies/{id}/versions',
  store: 'none',
  summary: 'List policy versions',
  description: 'Returns all versions of a policy, newest first. Each seal names the version that applied.',
  params: IdParam('policy'),
  replies: { 200: Type.Array(Policy) },
  errors: ['NOT_FOUND'],
})
