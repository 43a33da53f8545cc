/** When a member's role starts to count for approvals, and its confirmation by another ADMIN. These operations aren't in the specification. */
import { Type } from 'typebox'
import { ActorId, CenterId, DateTime, described, named, nullable } from './common.ts'
import { ActorRoleSchema, ApproverRole } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Eligibility = named(
  'Eligibility',
  {
    membershipId: TypedId('membership', 'The membership that has the role.'),
    actorId: described(ActorId, "The member's actor ID."),
    role: ActorRoleSchema,
    countsFrom: Type.String({ ...DateTime, description: "When the member's approvals in this role start to count." }),
    confirmedBy: nullable(
      Type.String({ description: 'The actor ID of whoever confirmed the role, or `operator`. Null if nobody did.' }),
    ),
  },
  { description: "Whether a member's role counts for approvals." },
)

const shared = { surface: 'platform', tag: 'Members' } as const
const admins = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const

export const listWaitingMembers = operation({
  ...shared,
  id: 'memberships.listWaiting',
  method: 'GET',
  path: '/memberships/waiting',
  access: admins,
  store: 'none',
  summary: 'List roles waiting for confirmation',
  description:
    "Returns the members whose role doesn't count for approvals yet, at most 100, the next one first. Confirm one with `POST /api/memberships/{id}/confirm`.",
  replies: {
    200: Type.Array(
      named(
        'WaitingMember',
        {
          ...Eligibility.properties,
          mayConfirm: Type.Boolean({ description: 'Whether you may confirm this role.' }),
        },
        { description: "A member whose role doesn't count for approvals yet." },
      ),
    ),
  },
})

export const confirmMembership = operation({
  ...shared,
  id: 'memberships.confirm',
  method: 'POST',
  path: '/memberships/{id}/confirm',
  access: admins,
  store: 'sequenced',
  summary: "Confirm a member's role",
  description:
    "Makes the role count for approvals at once. Otherwise a member who becomes an ADMIN or INSTRUCTOR, or changes between the two, counts a day later. You need to be an ADMIN whose own role counts; you can't confirm yourself, a change that you made, or anyone who shares a verified address with either. The confirmation is sealed with your name. A role that already counts stays as it is.",
  params: IdParam('membership'),
  body: named(
    'MembershipConfirmation',
    {
      role: Type.Optional(
        described(ApproverRole, 'The role that you confirm. If it has changed since, the reply is 409.'),
      ),
    },
    { description: 'What is confirmed.', examples: [{ role: 'INSTRUCTOR' }] },
  ),
  replies: { 200: Eligibility },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})

export const confirmMembershipAsPartner = operation({
  ...shared,
  id: 'partner.confirmMembership',
  method: 'POST',
  path: '/partner/centers/{centerId}/memberships/{id}/confirm',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN'] },
  store: 'partner',
  summary: "Confirm a member's role as a partner",
  description:
    'Makes the role of a member in one of your centers count for approvals at once. For a center that has no other ADMIN who may confirm it. The confirmation is sealed with your name.',
  params: Type.Object({
    centerId: described(CenterId, "The center's ID, as in the list of centers."),
    ...IdParam('membership').properties,
  }),
  replies: { 200: Eligibility },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})
