/** From when the role of a member counts for approvals, and its confirmation by another ADMIN. Not in the specification. */
import { Type } from 'typebox'
import { ActorId, CenterId, DateTime, named, nullable } from './common.ts'
import { ActorRoleSchema, ApproverRole } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Eligibility = named('Eligibility', {
  membershipId: TypedId('membership', 'Membership id'),
  actorId: ActorId,
  role: ActorRoleSchema,
  countsFrom: Type.String({ ...DateTime, description: 'From when approvals in this role count' }),
  confirmedBy: nullable(Type.String({ description: 'Actor id of whoever confirmed it, or `operator`' })),
})

const shared = { surface: 'platform', tag: 'Members' } as const
const admins = { kind: 'actor', center: 'required', roles: ['ADMIN'] } as const

export const listWaitingMembers = operation({
  ...shared,
  id: 'memberships.listWaiting',
  method: 'GET',
  path: '/memberships/waiting',
  access: admins,
  store: 'none',
  summary: 'List the members whose role does not count for approvals yet, the next one first, at most 100',
  replies: {
    200: Type.Array(
      named('WaitingMember', {
        ...Eligibility.properties,
        mayConfirm: Type.Boolean({ description: 'Whether you may confirm it' }),
      }),
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
  summary: 'Confirm the role of a member, so that it counts for approvals at once',
  description:
    'A member who becomes ADMIN or INSTRUCTOR, or changes between the two, counts for approvals a day later. An ADMIN whose own role counts confirms it before: not the member, not whoever made the change, and nobody with the same verified address as one of them. The confirmation is sealed with your name. A role that counts already stays as it is.',
  params: IdParam,
  body: named(
    'MembershipConfirmation',
    { role: Type.Optional(ApproverRole) },
    { description: 'The role that you confirm; if it has changed since, 409', examples: [{ role: 'INSTRUCTOR' }] },
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
  summary: 'Confirm the role of a member of one of your centers, so that it counts for approvals at once',
  description: 'For a center that has no other ADMIN who may confirm it. The confirmation is sealed with your name.',
  params: Type.Object({ centerId: CenterId, ...IdParam.properties }),
  replies: { 200: Eligibility },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})
