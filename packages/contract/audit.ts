/** A center's audit log for its staff. The specification has it for partners only. */
import { Type } from 'typebox'
import { CursorQuery, closed, DateTime, described, FreeObject, named, nullable, PageQuery } from './common.ts'
import { AuditTypeSchema, auditTypes } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })
const filters = {
  type: Type.Optional(AuditTypeSchema),
  actorId: Type.Optional(
    Type.String({
      ...Id,
      description: 'Only entries by this person, API key or job.',
      examples: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'],
    }),
  ),
  targetId: Type.Optional(
    Type.String({
      ...Id,
      description: 'Only entries about this object. Any ID of a decision finds the entries about its whole record.',
      examples: ['evt_01kz9x4q8hfx5r3v7t2b6n0m1c'],
    }),
  ),
  from: Type.Optional(Type.String({ ...DateTime, description: 'Only entries at this time or later.' })),
  to: Type.Optional(Type.String({ ...DateTime, description: 'Only entries before this time.' })),
}

const CenterAuditEntry = named(
  'CenterAuditEntry',
  {
    id: TypedId('audit', "The audit entry's ID."),
    type: AuditTypeSchema,
    action: Type.String({ description: 'Which change it was, within the type.' }),
    occurredAt: described(DateTime, 'When it happened.'),
    actorId: nullable(Type.String({ description: "The person, API key or job that acted. Null if it isn't known." })),
    actorName: nullable(Type.String({ description: "The member's or API key's name. Null for others." })),
    targetType: Type.String({ description: 'What kind of object was changed.' }),
    targetId: Type.String({ description: 'The ID of what was changed.' }),
    targetName: nullable(
      Type.String({ description: 'The name of the member who was changed. Null for other targets.' }),
    ),
    details: described(FreeObject, 'Further facts about the change.'),
  },
  { description: 'One change in the center.' },
)

const AuditCounts = named(
  'AuditCounts',
  {
    byType: named(
      'AuditEntriesByType',
      Object.fromEntries(
        auditTypes.map((type) => [
          type,
          Type.Integer({ description: `The number of entries of the type \`${type}\`.` }),
        ]),
      ) as Record<(typeof auditTypes)[number], ReturnType<typeof Type.Integer>>,
      { description: 'How many entries of each type match the other filters.' },
    ),
  },
  { description: 'Figures about all entries that match.' },
)

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
  summary: 'List audit entries',
  description:
    "Returns the center's audit entries, newest first. All given filters must match. An entry about settings has the old and the new values in `details.changes`. To read far back, follow `pagination.nextCursor`: a page beyond the first 10,000 entries is refused.",
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
  summary: 'Export audit entries as CSV',
  description: "Returns the center's audit entries as CSV, newest first, with the same filters as the list.",
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'A CSV file (RFC 4180, UTF-8) with column names in the first line.' }) },
})
