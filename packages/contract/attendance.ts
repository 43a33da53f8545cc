/** Who came and who did not, for the staff of a center. These operations are ours. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { ActorId, CursorQuery, closed, DateTime, named, nullable, PageQuery } from './common.ts'
import { AttendanceKindSchema, AttendanceSourceSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const shared = {
  surface: 'platform',
  tag: 'Centers',
  store: 'cell',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN', 'INSTRUCTOR'] },
  params: CenterParam,
} as const

const name = nullable(Type.String({ description: 'Null for a person who is not or no longer a member' }))

const Attendance = named('Attendance', {
  id: TypedId('attendance', 'Attendance id'),
  kind: AttendanceKindSchema,
  source: AttendanceSourceSchema,
  at: Type.String({ ...DateTime, description: 'When the appointment began, or when the application verified it' }),
  recordedAt: Type.String({ ...DateTime, description: 'When it was recorded or corrected last' }),
  bookingId: nullable(TypedId('booking', 'Booking id')),
  clientId: nullable(ActorId),
  clientName: name,
  reference: nullable(
    Type.String({
      description: 'Of a client whom a companion application knows by an id of its own: `data.learnerId`',
    }),
  ),
  instructorId: nullable(ActorId),
  instructorName: name,
})

const filters = {
  from: Type.Optional(Type.String({ ...DateTime, description: 'At this time or later' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Before this time' })),
  clientId: Type.Optional(ActorId),
  instructorId: Type.Optional(ActorId),
  kind: Type.Optional(AttendanceKindSchema),
}

export const listAttendance = operation({
  ...shared,
  id: 'attendance.list',
  method: 'GET',
  path: '/centers/{center}/attendance',
  envelope: 'page',
  summary: 'List who came to a center and who did not, newest first',
  description:
    'Rows of appointments that staff marked, and of events `attendance.verified` of companion applications. The numbers by kind follow the other filters.',
  query: Type.Object({ ...PageQuery.properties, ...filters, ...CursorQuery }, closed),
  replies: { 200: Attendance },
  counts: named('AttendanceTotals', {
    byKind: named('AttendanceByKind', { attended: Type.Integer(), no_show: Type.Integer() }),
  }),
})

export const exportAttendance = operation({
  ...shared,
  id: 'attendance.exportCsv',
  method: 'GET',
  path: '/centers/{center}/attendance.csv',
  envelope: 'bare',
  contentType: 'text/csv',
  summary: 'Get the attendance of a center as CSV, with the filters of the list',
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'RFC 4180, UTF-8, with a line of column names' }) },
})
