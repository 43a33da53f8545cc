/** The audit of a center for its staff. The specification names the audit log and leaves its reading to partners. */
import { Type } from 'typebox'
import { CursorQuery, closed, DateTime, FreeObject, named, nullable, PageQuery } from './common.ts'
import { AuditTypeSchema, auditTypes } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })
const filters = {
  type: Type.Optional(AuditTypeSchema),
  actorId: Type.Optional(Type.String({ ...Id, description: 'Id of the person, API key or job that acted' })),
  targetId: Type.Optional(
    Type.String({
      ...Id,
      description: 'Id of what was changed; any id of a decision finds the entries about its whole record',
    }),
  ),
  from: Type.Optional(Type.String({ ...DateTime, description: 'At this time or later' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Before this time' })),
}

const CenterAuditEntry = named('CenterAuditEntry', {
  id: TypedId('audit', 'Audit entry id'),
  type: AuditTypeSchema,
  action: Type.String({ description: 'Which change it was' }),
  occurredAt: DateTime,
  actorId: nullable(Type.String({ description: 'A person, an API key or a job' })),
  actorName: nullable(Type.String({ description: 'Name of the member or of the API key; null for others' })),
  targetType: Type.String(),
  targetId: Type.String(),
  targetName: nullable(Type.String({ description: 'Name of the member that was changed; null for other targets' })),
  details: FreeObject,
})

const AuditCounts = named('AuditCounts', {
  byType: named(
    'AuditEntriesByType',
    Object.fromEntries(auditTypes.map((type) => [type, Type.Integer()])) as Record<
      (typeof auditTypes)[number],
      ReturnType<typeof Type.Integer>
    >,
    { description: 'Entries of each type that the other filters match' },
  ),
})

const shared = {
  surface: 'platform',
  tag: 'Audit',
  method: 'GET',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] },
  store: 'cell',
} as const

export const listAuditEntries = operation({
  ...shared,
  id: 'audit.list',
  path: '/audit',
  envelope: 'page',
  summary: 'List the audit entries of the center, newest first',
  description:
    'All given filters must match. A settings entry has the old and the new values in `details.changes`. To read far back, follow `pagination.nextCursor`: a page beyond the first 10,000 entries is refused.',
  query: Type.Object({ ...PageQuery.properties, ...filters, ...CursorQuery }, closed),
  replies: { 200: CenterAuditEntry },
  counts: AuditCounts,
})

export const exportAuditEntries = operation({
  ...shared,
  id: 'audit.exportCsv',
  path: '/audit.csv',
  envelope: 'bare',
  contentType: 'text/csv',
  summary: 'Get the audit entries of the center as CSV, newest first, with the filters of the list',
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'RFC 4180, UTF-8, with a line of column names' }) },
})
