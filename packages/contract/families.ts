/** Children without a mailbox, their guardians, and what a guardian sees over all centers. These operations are ours. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterParam } from './centers.ts'
import {
  ActorId,
  CenterDomain,
  CenterId,
  closed,
  DateTime,
  Email,
  named,
  nullable,
  PageQuery,
  PlainName,
} from './common.ts'
import { AttendanceKindSchema, BookingStatusSchema, GuardianshipStatusSchema } from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { guardianshipMoves } from './moves.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Families' } as const
const admin = { kind: 'actor', center: 'addressed', roles: ['ADMIN'] } as const
const person = { kind: 'actor', center: 'if-entered' } as const

const Guardianship = named('Guardianship', {
  id: TypedId('guardianship', 'Guardianship id'),
  childId: ActorId,
  parentId: nullable(
    Type.String({ ...ActorId, description: 'Actor id; null until the person accepts an invitation by mail' }),
  ),
  name: Type.String({ description: 'Until the person accepts: as in the invitation' }),
  email: Type.String({ description: 'Empty for a person without an address' }),
  status: GuardianshipStatusSchema,
  invitedAt: nullable(DateTime),
  acceptedAt: nullable(DateTime),
  endedAt: nullable(DateTime),
})

const CenterChild = named('CenterChild', {
  actorId: ActorId,
  name: Type.String(),
  membership: Membership,
  guardians: Type.Array(Guardianship, { description: 'Also those whose guardianship has ended' }),
})

export const listCenterChildren = operation({
  ...shared,
  id: 'children.list',
  method: 'GET',
  path: '/centers/{center}/children',
  access: admin,
  store: 'directory',
  envelope: 'page',
  summary: 'List the members of a center with the role CHILD by name, each with its guardians',
  params: CenterParam,
  query: Type.Object(PageQuery.properties, closed),
  replies: { 200: CenterChild },
})

export const addChild = operation({
  ...shared,
  id: 'children.create',
  method: 'POST',
  path: '/centers/{center}/children',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN', 'PARENT'] },
  store: 'directory',
  summary: 'Add a child without a mailbox to a center, as ADMIN or as its parent',
  description:
    'Send `name` for a new child, or `childId` for one that is known: a PARENT enrolls a child of theirs in this center too, and a membership that was REJECTED or ENDED starts again. A child that an ADMIN adds is ACTIVE if a seat is free. One that a PARENT adds is PENDING until an ADMIN approves its membership, and the PARENT is its guardian; a PARENT adds at most 20.',
  params: CenterParam,
  body: named(
    'NewChild',
    { name: Type.Optional(PlainName), childId: Type.Optional(ActorId) },
    { examples: [{ name: '이미나' }] },
  ),
  replies: { 201: CenterChild },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const ChildParam = Type.Object({ ...CenterParam.properties, childId: Type.String({ minLength: 1, maxLength: 255 }) })

export const inviteGuardian = operation({
  ...shared,
  id: 'guardianships.invite',
  method: 'POST',
  path: '/centers/{center}/children/{childId}/guardians',
  access: admin,
  store: 'directory',
  summary: guardianshipMoves.invite.meaning,
  description:
    'The person receives a link that is valid for seven days. Accepting it makes a person who is no member of the center a PARENT of it, if a seat is free. The mail does not name the child, and the reply is the same whether or not the person has an account. A guardianship that is INVITED or ENDED is offered again; one that is ACTIVE is refused with 409.',
  params: ChildParam,
  body: named(
    'NewGuardian',
    { email: Email, name: Type.Optional(PlainName) },
    { examples: [{ email: 'parent@haneul.example' }] },
  ),
  replies: { 201: Guardianship },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const endGuardianshipAsCenter = operation({
  ...shared,
  id: 'guardianships.endAsCenter',
  method: 'POST',
  path: '/centers/{center}/guardianships/{id}/end',
  access: admin,
  store: 'directory',
  summary: guardianshipMoves.end.meaning,
  params: Type.Object({ ...CenterParam.properties, ...IdParam.properties }),
  replies: { 200: Guardianship },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const ownMove = { ...shared, method: 'POST', access: person, store: 'identity', params: IdParam } as const
const MovedGuardianship = named('MovedGuardianship', {
  id: TypedId('guardianship', 'Guardianship id'),
  centerId: CenterId,
  status: GuardianshipStatusSchema,
})

export const acceptGuardianship = operation({
  ...ownMove,
  id: 'guardianships.accept',
  path: '/auth/guardianships/{id}/accept',
  summary: guardianshipMoves.accept.meaning,
  description: 'For the invited person. It gives access while they are an ACTIVE member of the center.',
  replies: { 200: MovedGuardianship },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const endGuardianship = operation({
  ...ownMove,
  id: 'guardianships.end',
  path: '/auth/guardianships/{id}/end',
  summary: 'Give up a guardianship of the signed-in person, or decline one',
  replies: { 200: MovedGuardianship },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const place = { centerId: CenterId, centerName: Type.String(), centerDomain: CenterDomain }

export const getFamily = operation({
  ...shared,
  id: 'family.get',
  method: 'GET',
  path: '/family',
  access: person,
  store: 'identity',
  summary: 'Get the children of the signed-in person with their centers, and guardianships that wait for an answer',
  replies: {
    200: named('Family', {
      children: Type.Array(
        named('FamilyChild', {
          actorId: ActorId,
          name: Type.String(),
          centers: Type.Array(
            named('ChildsCenter', {
              ...place,
              guardianshipId: TypedId('guardianship', 'Guardianship id'),
              membership: Membership,
              canBook: Type.Boolean({ description: 'Guardian, child and center are ACTIVE' }),
            }),
          ),
        }),
      ),
      invitations: Type.Array(
        named('GuardianInvitation', {
          ...place,
          id: TypedId('guardianship', 'Guardianship id'),
          invitedAt: nullable(DateTime),
        }),
        { description: 'Without the name of the child, until they are accepted' },
      ),
    }),
  },
})

const span = {
  from: Type.Optional(Type.String({ ...DateTime, description: 'At this time or later' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Before this time; at most 366 days after `from`' })),
  childId: Type.Optional(ActorId),
}
const rest = {
  more: Type.Boolean({ description: 'There are more in the span than were read; ask for a shorter one' }),
  unavailable: Type.Array(named('UnavailableCenter', place), {
    description: 'Centers whose rows could not be read at present',
  }),
}
const child = { childId: ActorId, childName: Type.String() }
const booking = TypedId('booking', 'Booking id')
const instructorName = nullable(Type.String({ description: 'Null for a person who is no member any more' }))

export const listFamilyAppointments = operation({
  ...shared,
  id: 'family.listAppointments',
  method: 'GET',
  path: '/family/appointments',
  access: person,
  store: 'identity',
  summary: 'Get the appointments of the children of the signed-in person, over all centers in the order of time',
  description: 'Without `from` from now on, without `to` for 31 days.',
  query: Type.Object(span, closed),
  replies: {
    200: named('FamilyAppointments', {
      appointments: Type.Array(
        named('FamilyAppointment', {
          ...place,
          id: booking,
          ...child,
          instructorId: ActorId,
          instructorName,
          startsAt: DateTime,
          endsAt: DateTime,
          status: BookingStatusSchema,
          reason: nullable(Type.String()),
        }),
      ),
      ...rest,
    }),
  },
  errors: ['NOT_FOUND'],
})

export const listFamilyAttendance = operation({
  ...shared,
  id: 'family.listAttendance',
  method: 'GET',
  path: '/family/attendance',
  access: person,
  store: 'identity',
  summary: 'Get the attendance of the children of the signed-in person, over all centers, newest first',
  description: 'Without `to` until now, without `from` the 92 days before.',
  query: Type.Object(span, closed),
  replies: {
    200: named('FamilyAttendance', {
      attendance: Type.Array(
        named('AttendanceOfChild', {
          ...place,
          ...child,
          kind: AttendanceKindSchema,
          at: DateTime,
          bookingId: nullable(booking),
          instructorName,
        }),
      ),
      counts: Type.Array(
        named('AttendanceCounts', { childId: ActorId, attended: Type.Integer(), noShow: Type.Integer() }),
        { description: 'Of each child, of what was read' },
      ),
      ...rest,
    }),
  },
  errors: ['NOT_FOUND'],
})
