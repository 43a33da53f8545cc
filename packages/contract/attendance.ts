/** Who came and who didn't, for a center's staff and for each client. These operations aren't in the specification. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { ActorId, CursorQuery, closed, DateTime, described, named, nullable, PageQuery } from './common.ts'
import { AttendanceKindSchema, AttendanceSourceSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Centers', store: 'cell', params: CenterParam } as const
const anyMember = { kind: 'actor', center: 'addressed' } as const
const staff = { ...anyMember, roles: ['ADMIN', 'INSTRUCTOR'] } as const

const name = nullable(Type.String({ description: "The person's name. Null if they aren't currently a member." }))

const Attendance = named(
  'Attendance',
  {
    id: TypedId('attendance', "The attendance record's ID."),
    kind: AttendanceKindSchema,
    source: AttendanceSourceSchema,
    at: Type.String({
      ...DateTime,
      description: 'When the appointment began, or when the companion application verified attendance.',
    }),
    recordedAt: Type.String({ ...DateTime, description: 'When attendance was recorded or last corrected.' }),
    bookingId: nullable(TypedId('booking', "The booking's ID. Null if there was no booking.")),
    clientId: nullable(
      described(ActorId, "The client's actor ID. Null if the client is known only to a companion application."),
    ),
    clientName: name,
    reference: nullable(
      Type.String({
        description: "The companion application's own ID for the client (`data.learnerId`). Null if there is none.",
      }),
    ),
    instructorId: nullable(described(ActorId, "The instructor's actor ID. Null if there was no instructor.")),
    instructorName: name,
  },
  { description: 'Whether a client came to one appointment or session.' },
)

const filters = {
  from: Type.Optional(Type.String({ ...DateTime, description: 'Only attendance at this time or later.' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Only attendance before this time.' })),
  clientId: Type.Optional(described(ActorId, "Only this client's attendance.")),
  instructorId: Type.Optional(described(ActorId, "Only attendance at this instructor's appointments.")),
  kind: Type.Optional(AttendanceKindSchema),
}

export const listAttendance = operation({
  ...shared,
  id: 'attendance.list',
  method: 'GET',
  path: '/centers/{center}/attendance',
  access: anyMember,
  envelope: 'page',
  summary: 'List attendance',
  description:
    "Returns who came and who didn't, newest first, from appointments that staff marked and from companion applications' `attendance.verified` events. An ADMIN or INSTRUCTOR sees all of it; other members see their own and, with `clientId`, that of a child they're a guardian of. The counts by kind apply every filter except `kind`.",
  query: Type.Object({ ...PageQuery.properties, ...filters, ...CursorQuery }, closed),
  replies: { 200: Attendance },
  counts: named(
    'AttendanceTotals',
    {
      byKind: named(
        'AttendanceByKind',
        {
          attended: Type.Integer({ description: 'The number of times that a client came.' }),
          no_show: Type.Integer({ description: "The number of times that a client didn't come." }),
        },
        { description: 'The number of records of each kind.' },
      ),
    },
    { description: 'Counts of all matching attendance records.' },
  ),
  errors: ['INSUFFICIENT_ROLE'],
})

export const exportAttendance = operation({
  ...shared,
  id: 'attendance.exportCsv',
  method: 'GET',
  path: '/centers/{center}/attendance.csv',
  access: staff,
  envelope: 'bare',
  contentType: 'text/csv',
  summary: 'Export attendance as CSV',
  description: "Returns the center's attendance as CSV. The filters are the same as for the list.",
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'A CSV file (RFC 4180, UTF-8) with column names in the first line.' }) },
})
