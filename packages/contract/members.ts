/** Members of a center. The specification defines the lifecycle of a membership and leaves the operations open. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterParam } from './centers.ts'
import { ActorId, CursorQuery, closed, DateTime, Email, named, nullable, PageQuery, PlainName } from './common.ts'
import { ActorRoleSchema, actorRoles, MembershipStatusSchema, membershipStatuses } from './enums.ts'
import { IdParam } from './ids.ts'
import { type MembershipMove, membershipMoves } from './moves.ts'
import { operation } from './operation.ts'

export const Member = named('Member', {
  ...Membership.properties,
  actorId: nullable(
    Type.String({ ...ActorId, description: 'Actor id; null until the person accepts an invitation by mail' }),
  ),
  name: Type.String({
    description: 'Until the person accepts: as in the invitation, or the part of the address before @',
  }),
  email: Type.String({ description: 'Empty for a person without an address' }),
})

const admin = { kind: 'actor', center: 'addressed', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Members', store: 'directory' } as const

const filters = {
  search: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, or the beginning of the address' }),
  ),
  role: Type.Optional(ActorRoleSchema),
  status: Type.Optional(MembershipStatusSchema),
}

const countsBy = <const Names extends readonly string[]>(title: string, names: Names, description: string) =>
  named(
    title,
    Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Record<
      Names[number],
      ReturnType<typeof Type.Integer>
    >,
    {
      description,
    },
  )

const MemberCounts = named('MemberCounts', {
  byRole: countsBy('MembersByRole', actorRoles, 'Memberships of each role, with the requested status'),
  byStatus: countsBy('MembersByStatus', membershipStatuses, 'Memberships of each status, with the requested role'),
  activeAdmins: Type.Integer({ description: 'The last one cannot be suspended, ended or given another role' }),
  seats: nullable(
    named('MemberSeats', { used: Type.Integer(), limit: Type.Integer() }, { description: 'Seats of the subscription' }),
  ),
})

const ListedMember = named('ListedMember', {
  ...Member.properties,
  invitationExpiresAt: nullable(
    Type.String({ ...DateTime, description: 'When the link in the mail stops working; null unless INVITED' }),
  ),
})

export const listMembers = operation({
  ...shared,
  id: 'members.list',
  method: 'GET',
  path: '/centers/{center}/members',
  access: admin,
  envelope: 'page',
  summary: 'List the members of a center by name, in every status',
  params: CenterParam,
  query: Type.Object({ ...PageQuery.properties, ...filters, ...CursorQuery }, closed),
  replies: { 200: ListedMember },
  counts: MemberCounts,
})

export const exportMembers = operation({
  ...shared,
  id: 'members.exportCsv',
  method: 'GET',
  path: '/centers/{center}/members.csv',
  access: admin,
  envelope: 'bare',
  contentType: 'text/csv',
  summary: 'Get the members of a center as CSV, with the filters of the list',
  params: CenterParam,
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'RFC 4180, UTF-8, with a line of column names' }) },
})

export const inviteMember = operation({
  ...shared,
  id: 'members.invite',
  stepUp: { within: 'keys', when: { member: 'role', among: ['ADMIN'] } },
  method: 'POST',
  path: '/centers/{center}/members',
  access: admin,
  summary: 'Invite a person by email',
  description:
    'The person receives a link that is valid for seven days. With `approved` the membership is ACTIVE as soon as they accept, if a seat is free; without it an ADMIN has to approve it afterwards. The reply repeats what was sent, and is the same whether or not the person has an account. A person whose membership is INVITED, REJECTED or ENDED is invited again: earlier links stop working. Otherwise a second invitation is refused with 409. A center sends a limited number of invitations a day.',
  params: CenterParam,
  body: named(
    'NewMember',
    {
      email: Email,
      role: ActorRoleSchema,
      name: Type.Optional(PlainName),
      approved: Type.Optional(Type.Boolean()),
    },
    { examples: [{ email: 'ian@haneul.example', role: 'INSTRUCTOR' }] },
  ),
  replies: { 201: Member },
  errors: ['CONFLICT'],
})

export const changeMemberRole = operation({
  ...shared,
  id: 'memberships.update',
  stepUp: { within: 'keys', when: { member: 'role', among: ['ADMIN'] } },
  method: 'PATCH',
  path: '/memberships/{id}',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  summary: 'Change the role of a member',
  description:
    'It counts from the next request on, and for approvals a day later or when another ADMIN confirms it. A membership that is REJECTED or ENDED, and the last ACTIVE ADMIN of the center, are refused with 409.',
  params: IdParam,
  body: named('MembershipPatch', { role: ActorRoleSchema }, { examples: [{ role: 'INSTRUCTOR' }] }),
  replies: { 200: Member },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const reinviteMember = operation({
  ...shared,
  id: 'memberships.reinvite',
  method: 'POST',
  path: '/memberships/{id}/reinvite',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  summary: membershipMoves.reinvite.meaning,
  description:
    'From INVITED, REJECTED or ENDED, in the same role; in any other state, and for a member without an address, it is refused with 409. To change the role too, invite the address again.',
  params: IdParam,
  replies: { 200: Member },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const move = <const Name extends Exclude<MembershipMove, 'reinvite'>>(name: Name) =>
  operation({
    ...shared,
    id: `memberships.${name}`,
    method: 'POST',
    path: `/memberships/{id}/${name}`,
    access:
      membershipMoves[name].by === 'the member'
        ? { kind: 'actor', center: 'optional' }
        : { kind: 'actor', center: 'required', roles: ['ADMIN'] },
    summary: membershipMoves[name].meaning,
    description: `${name === 'accept' ? 'An invitation with approval in advance makes it ACTIVE. ' : ''}Changes the membership from ${membershipMoves[name].from.join(' or ')} to ${membershipMoves[name].to}. In any other state it is refused with 409.${
      ['suspend', 'end'].includes(name) ? ' So is the last ACTIVE ADMIN of the center.' : ''
    }`,
    params: IdParam,
    replies: { 200: Member },
    errors: ['NOT_FOUND', 'CONFLICT'],
  })

export const acceptMembership = move('accept')
export const approveMembership = move('approve')
export const suspendMembership = move('suspend')
export const reinstateMembership = move('reinstate')
export const endMembership = move('end')
export const rejectMembership = move('reject')
