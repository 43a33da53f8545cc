/** A center's audit log for its staff. The specification has it for partners only. */
import { Type } from 'typebox'
import { CursorQuery, closed, DateTime, described, FreeObject, named, nullable, PageQuery } from './common.ts'
import { AuditTypeSchema, auditTypes } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })

/** Of every list of audit entries. */
export const whoAndKind = {
  type: Type.Optional(AuditTypeSchema),
  actorId: Type.Optional(
    Type.String({
      ...Id,
      description: 'Only entries by this person, API key or job.',
      examples: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'],
    }),
  ),
}

const filters = {
  ...whoAndKind,
  targetId: Type.Optional(
    Type.String({
      ...Id,
      description: 'Only entries about this object. For a decision, any of its IDs finds all the entries about it.',
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
    action: Type.String({ description: 'The specific change within the type.' }),
    occurredAt: described(DateTime, 'When the change was made.'),
    actorId: nullable(
      Type.String({ description: 'The person, API key or job that made the change. Null if unknown.' }),
    ),
    actorName: nullable(
      Type.String({ description: 'The name of the member or API key that made the change. Null if neither did.' }),
    ),
    targetType: Type.String({ description: 'The kind of object that was changed.' }),
    targetId: Type.String({ description: 'The ID of the object that was changed.' }),
    targetName: nullable(
      Type.String({ description: "The member's name, if the change was to a member. Null otherwise." }),
    ),
    names: described(FreeObject, 'The names of the members whose IDs are in `details`, by ID.'),
    details: described(FreeObject, 'Additional information about the change.'),
  },
  { description: 'A change that was made in the center.' },
)

const AuditCounts = named(
  'AuditCounts',
  {
    byType: named(
      'AuditEntriesByType',
      Object.fromEntries(
        auditTypes.map((type) => [type, Type.Integer({ description: `The number of \`${type}\` entries.` })]),
      ) as Record<(typeof auditTypes)[number], ReturnType<typeof Type.Integer>>,
      { description: 'How many entries of each type match the other filters.' },
    ),
  },
  { description: 'Counts of all matching entries.' },
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
    "Returns the center's audit entries, newest first. Entries must match all filters. An entry about settings has the old and new values in `details.changes`. To go back further than the first 10,000 entries, follow `pagination.nextCursor`; page numbers beyond that are refused.",
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
  description: "Returns the center's audit entries as CSV, newest first. The filters are the same as for the list.",
  query: Type.Object(filters, closed),
  replies: { 200: Type.String({ description: 'A CSV file (RFC 4180, UTF-8) with column names in the first line.' }) },
})
