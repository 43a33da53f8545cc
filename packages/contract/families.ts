/** Children who have no email address, their guardians, and what a guardian sees in all centers. These operations aren't in the specification. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterParam } from './centers.ts'
import {
  ActorId,
  CenterDomain,
  CenterId,
  closed,
  DateTime,
  described,
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

const Guardianship = named(
  'Guardianship',
  {
    id: TypedId('guardianship', "The guardianship's ID."),
    childId: described(ActorId, "The child's actor ID."),
    parentId: nullable(
      Type.String({
        ...ActorId,
        description: "The guardian's actor ID. Null until they accept an emailed invitation.",
      }),
    ),
    name: Type.String({ description: "The guardian's name. Until they accept, it's the name in the invitation." }),
    email: Type.String({ description: "The guardian's email address. Empty if they have none." }),
    status: GuardianshipStatusSchema,
    invitedAt: nullable(described(DateTime, 'When the guardian was invited. Null if they added the child themselves.')),
    acceptedAt: nullable(described(DateTime, 'When the guardian accepted. Null until then.')),
    endedAt: nullable(described(DateTime, "When the guardianship ended. Null if it hasn't ended.")),
  },
  { description: "A guardian's relation to a child in one center." },
)

const CenterChild = named(
  'CenterChild',
  {
    actorId: described(ActorId, "The child's actor ID."),
    name: Type.String({ description: "The child's name." }),
    membership: Membership,
    guardians: Type.Array(Guardianship, {
      description: "The child's guardians, including those whose guardianship has ended.",
    }),
  },
  { description: 'A client of the center, with their guardians.' },
)

export const listCenterChildren = operation({
  ...shared,
  id: 'children.list',
  method: 'GET',
  path: '/centers/{center}/children',
  access: admin,
  store: 'directory',
  envelope: 'page',
  summary: "List a center's clients",
  description:
    "Returns the center's clients (members with the CHILD role), ordered by name, each with their guardians.",
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
  summary: 'Add a child to a center',
  description:
    "Adds a child who has no email address. Send `name` for a new child or `childId` for an existing one: a PARENT can enroll a child from another center here, and a REJECTED or ENDED membership starts again, as a child only: other roles it had don't come back. A child added by an ADMIN is ACTIVE if a seat is free. A child added by a PARENT is PENDING until an ADMIN approves the membership, and the PARENT becomes the child's guardian. A PARENT can add up to 20 children.",
  params: CenterParam,
  body: named(
    'NewChild',
    {
      name: Type.Optional(described(PlainName, "The child's name. Send this for a new child.", 'Lee Mina')),
      childId: Type.Optional(described(ActorId, "An existing child's actor ID. Send this instead of `name`.")),
    },
    { description: 'The child to add.', examples: [{ name: 'Lee Mina' }] },
  ),
  replies: { 201: CenterChild },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const ChildParam = Type.Object({
  ...CenterParam.properties,
  childId: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The child's actor ID.",
    examples: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'],
  }),
})

export const inviteGuardian = operation({
  ...shared,
  id: 'guardianships.invite',
  method: 'POST',
  path: '/centers/{center}/children/{childId}/guardians',
  access: admin,
  store: 'directory',
  summary: guardianshipMoves.invite.summary,
  description:
    "Emails a link that is valid for seven days. If the person isn't a member of the center yet and a seat is free, they become a PARENT when they accept. The email doesn't name the child, and the response is the same whether or not the person has an account. An INVITED or ENDED guardianship is offered again; if it's ACTIVE, the response is 409.",
  params: ChildParam,
  body: named(
    'NewGuardian',
    {
      email: described(Email, 'The address to invite.'),
      name: Type.Optional(described(PlainName, "The guardian's name, for the invitation.", 'Lee Jisoo')),
    },
    { description: 'The guardian to invite.', examples: [{ email: 'parent@haneul.example' }] },
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
  summary: guardianshipMoves.end.summary,
  description:
    "Ends the guardianship or revokes its invitation. The guardian loses access to the child's appointments and attendance at once.",
  params: Type.Object({ ...CenterParam.properties, ...IdParam('guardianship').properties }),
  replies: { 200: Guardianship },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const ownMove = {
  ...shared,
  method: 'POST',
  access: person,
  store: 'identity',
  params: IdParam('guardianship'),
} as const
const MovedGuardianship = named(
  'MovedGuardianship',
  {
    id: TypedId('guardianship', "The guardianship's ID."),
    centerId: described(CenterId, 'The center that the guardianship belongs to.'),
    status: GuardianshipStatusSchema,
  },
  { description: 'The guardianship after the change.' },
)

export const acceptGuardianship = operation({
  ...ownMove,
  id: 'guardianships.accept',
  path: '/auth/guardianships/{id}/accept',
  summary: guardianshipMoves.accept.summary,
  description:
    "Accepts a guardianship that you were offered. You can see the child's appointments and attendance for as long as you're an ACTIVE member of the center.",
  replies: { 200: MovedGuardianship },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

export const endGuardianship = operation({
  ...ownMove,
  id: 'guardianships.end',
  path: '/auth/guardianships/{id}/end',
  summary: 'End your guardianship',
  description: 'Ends one of your guardianships, or declines one that you were offered.',
  replies: { 200: MovedGuardianship },
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const place = {
  centerId: described(CenterId, "The center's numeric ID."),
  centerName: Type.String({ description: "The center's name, as people see it." }),
  centerDomain: described(CenterDomain, "The center's subdomain."),
}

export const getFamily = operation({
  ...shared,
  id: 'family.get',
  method: 'GET',
  path: '/family',
  access: person,
  store: 'identity',
  summary: 'Retrieve your family',
  description:
    "Returns your children with their centers, and the guardianship invitations that you haven't answered yet.",
  replies: {
    200: named(
      'Family',
      {
        children: Type.Array(
          named(
            'FamilyChild',
            {
              actorId: described(ActorId, "The child's actor ID."),
              name: Type.String({ description: "The child's name." }),
              centers: Type.Array(
                named(
                  'ChildsCenter',
                  {
                    ...place,
                    guardianshipId: TypedId(
                      'guardianship',
                      'The guardianship that links you to the child in this center.',
                    ),
                    membership: Membership,
                    canBook: Type.Boolean({
                      description:
                        "Whether you can book appointments here: true if you, the child and the center are all ACTIVE, and the center's `booking` feature is available.",
                    }),
                  },
                  { description: 'A center that a child is a client of.' },
                ),
                { description: "The centers where you're the child's guardian." },
              ),
            },
            { description: 'One of your children.' },
          ),
          { description: 'Your children.' },
        ),
        invitations: Type.Array(
          named(
            'GuardianInvitation',
            {
              ...place,
              id: TypedId('guardianship', "The guardianship's ID."),
              invitedAt: nullable(described(DateTime, "When you were invited. Null if it isn't known.")),
            },
            { description: 'A guardianship that you were offered.' },
          ),
          { description: "Guardianships that you were offered. They don't name the child until you accept." },
        ),
      },
      { description: "A guardian's children and open invitations." },
    ),
  },
})

const span = {
  from: Type.Optional(Type.String({ ...DateTime, description: 'Only records from this time or later.' })),
  to: Type.Optional(
    Type.String({
      ...DateTime,
      description: 'Only records from before this time, which can be at most 366 days after `from`.',
    }),
  ),
  childId: Type.Optional(
    described(
      ActorId,
      "Only this child's records. With your own ID: your own, in all centers where you're an ACTIVE member.",
    ),
  ),
}
const rest = {
  more: Type.Boolean({
    description: 'Whether the period has more records than were returned. If so, request a shorter period.',
  }),
  unavailable: Type.Array(
    named('UnavailableCenter', place, { description: "A center whose records couldn't be read." }),
    {
      description: "Centers whose records couldn't be read right now.",
    },
  ),
}
const child = {
  childId: described(ActorId, "The child's actor ID."),
  childName: Type.String({ description: "The child's name, as the center recorded it." }),
}
const booking = TypedId('booking', "The booking's ID.")
const instructorName = nullable(
  Type.String({ description: "The instructor's name. Null if they are no longer a member." }),
)

export const listFamilyAppointments = operation({
  ...shared,
  id: 'family.listAppointments',
  method: 'GET',
  path: '/family/appointments',
  access: person,
  store: 'identity',
  summary: "List your children's appointments",
  description:
    "Returns your children's appointments in all centers, or your own, in chronological order. By default, the period is the next 31 days; if you send only `from` or only `to`, it's the 31 days after or before that time.",
  query: Type.Object(span, closed),
  replies: {
    200: named(
      'FamilyAppointments',
      {
        appointments: Type.Array(
          named(
            'FamilyAppointment',
            {
              ...place,
              id: booking,
              ...child,
              instructorId: described(ActorId, "The instructor's actor ID."),
              instructorName,
              startsAt: described(DateTime, 'When the appointment starts.'),
              endsAt: described(DateTime, 'When the appointment ends.'),
              status: BookingStatusSchema,
              reason: nullable(
                Type.String({ description: 'Why the appointment was canceled. Null if nobody gave a reason.' }),
              ),
            },
            { description: "One of your children's appointments." },
          ),
          { description: 'The appointments, in chronological order.' },
        ),
        ...rest,
      },
      { description: "Your children's appointments in all centers." },
    ),
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
  summary: "List your children's attendance",
  description:
    "Returns your children's attendance in all centers, newest first. By default, the period is the last 92 days; if you send only `from` or only `to`, it's the 92 days after or before that time.",
  query: Type.Object(span, closed),
  replies: {
    200: named(
      'FamilyAttendance',
      {
        attendance: Type.Array(
          named(
            'AttendanceOfChild',
            {
              ...place,
              ...child,
              kind: AttendanceKindSchema,
              at: described(DateTime, 'When the appointment began.'),
              bookingId: nullable(described(booking, "The booking's ID. Null if there was none.")),
              instructorName,
            },
            { description: 'Whether a child came to an appointment.' },
          ),
          { description: 'The attendance records, newest first.' },
        ),
        counts: Type.Array(
          named(
            'AttendanceCounts',
            {
              childId: described(ActorId, "The child's actor ID."),
              attended: Type.Integer({ description: 'How often the child came.' }),
              noShow: Type.Integer({ description: "How often the child didn't come." }),
            },
            { description: "A child's attendance counts." },
          ),
          { description: "Each child's counts, for the records that were returned." },
        ),
        ...rest,
      },
      { description: "Your children's attendance in all centers." },
    ),
  },
  errors: ['NOT_FOUND'],
})
