/** A center's members. The specification defines a membership's lifecycle and leaves the operations open. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterParam } from './centers.ts'
import {
  ActorId,
  CursorQuery,
  closed,
  DateTime,
  described,
  Email,
  named,
  nullable,
  PageQuery,
  PlainName,
} from './common.ts'
import { ActorRoleSchema, ActorRoles, actorRoles, MembershipStatusSchema, membershipStatuses } from './enums.ts'
import { IdParam } from './ids.ts'
import { type MembershipMove, membershipMoves } from './moves.ts'
import { operation } from './operation.ts'

export const Member = named(
  'Member',
  {
    ...Membership.properties,
    actorId: nullable(
      Type.String({ ...ActorId, description: "The person's actor ID. Null until they accept an emailed invitation." }),
    ),
    name: Type.String({
      description:
        "The person's name. Until they accept, it's the name in the invitation or, without one, the part of the email address before the @.",
    }),
    email: Type.String({ description: "The person's email address. Empty if they have none." }),
  },
  { description: "A person's membership in a center." },
)

const admin = { kind: 'actor', center: 'addressed', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Members', store: 'directory' } as const

const filters = {
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Part of the name, or the beginning of the email address.',
      examples: ['kim'],
    }),
  ),
  role: Type.Optional(described(ActorRoleSchema, 'Only members who have this role, alone or among others.')),
  status: Type.Optional(MembershipStatusSchema),
}

const countsBy = <const Names extends readonly string[]>(
  title: string,
  what: 'role' | 'status',
  names: Names,
  description: string,
) =>
  named(
    title,
    Object.fromEntries(
      names.map((name) => [
        name,
        Type.Integer({ description: `The number of memberships with the \`${name}\` ${what}.` }),
      ]),
    ) as Record<Names[number], ReturnType<typeof Type.Integer>>,
    {
      description,
    },
  )

const MemberCounts = named(
  'MemberCounts',
  {
    byRole: countsBy(
      'MembersByRole',
      'role',
      actorRoles,
      'The number of memberships with each role, among those with the requested status. A member with several roles counts for each of them.',
    ),
    byStatus: countsBy(
      'MembersByStatus',
      'status',
      membershipStatuses,
      'The number of memberships with each status, among those with the requested role.',
    ),
    activeAdmins: Type.Integer({
      description: "How many ADMINs are ACTIVE. The last one can't be suspended, ended or lose the role.",
    }),
    seats: nullable(
      named(
        'MemberSeats',
        {
          used: Type.Integer({ description: 'The number of seats taken.' }),
          limit: Type.Integer({ description: 'The number of seats that the plan includes.' }),
        },
        { description: "The subscription's seats. Null if there's no subscription, or if the plan counts only staff." },
      ),
    ),
  },
  { description: "Figures about all of the center's members." },
)

const ListedMember = named(
  'ListedMember',
  {
    ...Member.properties,
    invitationExpiresAt: nullable(
      Type.String({
        ...DateTime,
        description: 'When the link in the email stops working. Null unless the membership is INVITED.',
      }),
    ),
  },
  { description: 'A member, with the time at which their invitation expires.' },
)

export const listMembers = operation({
  ...shared,
  id: 'members.list',
  method: 'GET',
  path: '/centers/{center}/members',
  access: admin,
  envelope: 'page',
  summary: 'List members',
  description: "Returns the center's members with any status, ordered by name, with counts by role and status.",
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
  summary: 'Export members as CSV',
  description: "Returns the center's members as CSV, with the same filters as the list.",
  params: CenterParam,
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'A CSV file (RFC 4180, UTF-8) with column names in the first line.' }) },
})

export const inviteMember = operation({
  ...shared,
  id: 'members.invite',
  stepUp: { within: 'keys', when: { members: ['role', 'roles'], among: ['ADMIN'] } },
  method: 'POST',
  path: '/centers/{center}/members',
  access: admin,
  summary: 'Invite a member',
  description:
    'Emails the person a link that is valid for seven days. With `approved`, the membership is ACTIVE as soon as they accept, if a seat is free; without it, an ADMIN has to approve the membership afterwards. The response repeats what you sent, and is the same whether or not the person has an account. A person whose membership is INVITED, REJECTED or ENDED is invited again, and earlier links stop working; in any other state, the response is 409. The number of invitations that a center can send per day is limited. Send either `role` or `roles`.',
  params: CenterParam,
  body: named(
    'NewMember',
    {
      email: described(Email, 'The address to invite.'),
      role: Type.Optional(described(ActorRoleSchema, "The person's only role. Send this or `roles`.")),
      roles: Type.Optional(
        described(
          ActorRoles,
          "All of the person's roles, such as ADMIN and INSTRUCTOR for a director who also teaches.",
        ),
      ),
      name: Type.Optional(described(PlainName, "The person's name, for the invitation.", 'Ian Han')),
      approved: Type.Optional(
        Type.Boolean({ description: 'Whether the membership becomes ACTIVE without another approval.' }),
      ),
    },
    { description: 'The person to invite.', examples: [{ email: 'ian@haneul.example', role: 'INSTRUCTOR' }] },
  ),
  replies: { 201: Member },
  errors: ['CONFLICT'],
})

export const changeMemberRole = operation({
  ...shared,
  id: 'memberships.update',
  stepUp: { within: 'keys', when: { members: ['role', 'roles'], among: ['ADMIN'] } },
  method: 'PATCH',
  path: '/memberships/{id}',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  summary: "Change a member's roles or name",
  description:
    "Replaces the member's roles, corrects the name by which this center knows them, or both. With `roles`, the member has exactly these; with `role`, only that one. Send at most one of the two. The member can do what any of their roles permits, and can be booked while INSTRUCTOR is one of them. A role that you add applies from the member's next request; for approvals, it counts a day later or as soon as another ADMIN confirms it. Roles that the member keeps go on counting, and a role that you remove stops counting at once. If the membership is REJECTED or ENDED, or you take the ADMIN role from the center's last ACTIVE ADMIN, the response is 409. What is already sealed keeps the name that it was sealed with. A person who hasn't accepted the invitation yet can't be renamed (409): they confirm their name when they accept.",
  params: IdParam('membership'),
  body: named(
    'MembershipPatch',
    {
      role: Type.Optional(described(ActorRoleSchema, "The member's only role from now on. Send this or `roles`.")),
      roles: Type.Optional(described(ActorRoles, 'All roles of the member from now on.')),
      name: Type.Optional(described(PlainName, "The member's name in this center.", 'Ian Han')),
    },
    {
      minProperties: 1,
      description: 'What to change about a membership.',
      examples: [{ roles: ['ADMIN', 'INSTRUCTOR'] }],
    },
  ),
  replies: { 200: Member },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const reinviteMember = operation({
  ...shared,
  id: 'memberships.reinvite',
  method: 'POST',
  path: '/memberships/{id}/reinvite',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  summary: membershipMoves.reinvite.summary,
  description:
    'Sends a new invitation with the same roles to a member who is INVITED, REJECTED or ENDED. Earlier links stop working, and an ended membership starts again. In any other state, or if the member has no email address, the response is 409. To change the roles too, invite the address again.',
  params: IdParam('membership'),
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
    summary: membershipMoves[name].summary,
    description: `${membershipMoves[name].effect} The membership changes from ${membershipMoves[name].from.join(' or ')} to ${membershipMoves[name].to}; in any other state, the response is 409.`,
    params: IdParam('membership'),
    replies: { 200: Member },
    errors: ['NOT_FOUND', 'CONFLICT'],
  })

export const acceptMembership = move('accept')
export const leaveCenter = move('leave')
export const declineMembership = move('decline')
export const approveMembership = move('approve')
export const suspendMembership = move('suspend')
export const reinstateMembership = move('reinstate')
export const endMembership = move('end')
export const rejectMembership = move('reject')
