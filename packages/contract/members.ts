/** Members of a center and their moves. Ours: the specification draws the lifecycle and leaves the operations open. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterParam } from './centers.ts'
import { ActorId, closed, Email } from './common.ts'
import { ActorRoleSchema } from './enums.ts'
import { IdParam } from './ids.ts'
import { type MembershipMove, membershipMoves } from './moves.ts'
import { operation } from './operation.ts'

export const Member = Type.Object(
  { ...Membership.properties, actorId: ActorId, name: Type.String(), email: Type.String() },
  closed,
)

export const inviteMember = operation({
  id: 'members.invite',
  surface: 'platform',
  method: 'POST',
  path: '/centers/{center}/members',
  tag: 'Members',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
  store: 'directory',
  summary: 'Invite a person by email',
  description:
    'They receive a link that is good for seven days. With `approved` they are ACTIVE as soon as they accept, if a seat is free.',
  params: CenterParam,
  body: Type.Object(
    {
      email: Email,
      role: ActorRoleSchema,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      approved: Type.Optional(Type.Boolean()),
    },
    { ...closed, examples: [{ email: 'ian@haneul.example', role: 'INSTRUCTOR' }] },
  ),
  replies: { 201: Member },
})

const move = <const Name extends MembershipMove>(name: Name) =>
  operation({
    id: `memberships.${name}`,
    surface: 'platform',
    method: 'POST',
    path: `/memberships/{id}/${name}`,
    tag: 'Members',
    access:
      membershipMoves[name].by === 'the member'
        ? { kind: 'actor', center: 'optional' }
        : { kind: 'actor', center: 'required', roles: ['ADMIN'] },
    store: 'directory',
    summary: `${membershipMoves[name].from.join(' or ')} to ${membershipMoves[name].to}: ${membershipMoves[name].meaning}`,
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
