/** Members of a center. The specification defines the lifecycle of a membership and leaves the operations open. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterParam } from './centers.ts'
import { ActorId, Email, named } from './common.ts'
import { ActorRoleSchema } from './enums.ts'
import { IdParam } from './ids.ts'
import { type MembershipMove, membershipMoves } from './moves.ts'
import { operation } from './operation.ts'

export const Member = named('Member', {
  ...Membership.properties,
  actorId: ActorId,
  name: Type.String(),
  email: Type.String(),
})

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
    'The person receives a link that is valid for seven days. With `approved` the membership is ACTIVE as soon as they accept, if a seat is free; without it an ADMIN has to approve it afterwards.',
  params: CenterParam,
  body: named(
    'NewMember',
    {
      email: Email,
      role: ActorRoleSchema,
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      approved: Type.Optional(Type.Boolean()),
    },
    { examples: [{ email: 'ian@haneul.example', role: 'INSTRUCTOR' }] },
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
    summary: membershipMoves[name].meaning,
    description: `Changes the membership from ${membershipMoves[name].from.join(' or ')} to ${membershipMoves[name].to}. In any other state it is refused with 409.`,
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
