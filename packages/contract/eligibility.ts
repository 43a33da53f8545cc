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
      Type.String({
        description:
          'The actor ID of the person who confirmed the role, or `operator`. Null if nobody has confirmed it.',
      }),
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
    "Returns the roles that don't count for approvals yet, of up to 100 members. The role that will count soonest comes first. A member with several roles can be in the list once for each. Confirm a role with `POST /api/memberships/{id}/confirm`.",
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
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/memberships/{id}/confirm',
  access: admins,
  store: 'sequenced',
  summary: "Confirm a member's role",
  description:
    "Makes a member's role count for approvals at once. Without a confirmation, the role of a member who becomes an ADMIN or INSTRUCTOR starts to count a day later; a role that they had before and keep goes on counting. Without `role`, all of the member's roles that don't count yet are confirmed. You must be an ADMIN whose own role counts. You can't confirm the role if you're the member, if you made the change, or if you share a verified address with the member or with the person who made the change. The confirmation is sealed with your name. A role that already counts stays as it is.",
  params: IdParam('membership'),
  body: named(
    'MembershipConfirmation',
    {
      role: Type.Optional(
        described(
          ApproverRole,
          "The role that you're confirming. If the member no longer has it, the response is 409.",
        ),
      ),
    },
    { description: 'The role to confirm.', examples: [{ role: 'INSTRUCTOR' }] },
  ),
  replies: { 200: Eligibility },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})

export const confirmMembershipAsPartner = operation({
  ...shared,
  id: 'partner.confirmMembership',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/partner/centers/{centerId}/memberships/{id}/confirm',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN'] },
  store: 'partner',
  summary: "Confirm a member's role as a partner",
  description:
    "Makes a member's role in one of your centers count for approvals at once. Use this for a center that has no other ADMIN who may confirm the role. The confirmation is sealed with your name.",
  params: Type.Object({
    centerId: described(CenterId, "The center's ID, as in the list of centers."),
    ...IdParam('membership').properties,
  }),
  replies: { 200: Eligibility },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})
