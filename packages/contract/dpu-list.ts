/** The list of decision proof units. The specification reads one at a time. */
import { Type } from 'typebox'
import { CursorQuery, closed, DateTime, named, nullable, PageQuery } from './common.ts'
import { Tag } from './decision-events.ts'
import { dpuOperation } from './dpu.ts'
import { ChainDomain, EvidenceLevelSchema, EvidenceStatus, ShownDpuReferenceType } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const DpuSummary = named('DpuSummary', {
  id: TypedId('dpu', 'DPU id'),
  content: Type.String({ description: 'What was decided, the first 300 characters; empty after it was redacted' }),
  evidenceLevel: EvidenceLevelSchema,
  status: EvidenceStatus,
  domain: ChainDomain,
  chainIndex: Type.Integer({ minimum: 0 }),
  referenceType: nullable(ShownDpuReferenceType),
  referenceId: nullable(Type.String()),
  workflowId: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  createdBy: nullable(
    named(
      'DpuCreator',
      { id: Type.String(), name: nullable(Type.String()) },
      { description: 'Null after a redaction' },
    ),
  ),
  createdAt: DateTime,
  updatedAt: DateTime,
  sealedAt: nullable(DateTime),
})

const Label = Type.String({ minLength: 1, maxLength: 255 })

export const listDpus = operation({
  ...dpuOperation,
  id: 'dpus.list',
  method: 'GET',
  path: '/dpu',
  store: 'cell',
  envelope: 'page',
  summary: 'List the decision proof units of the center, newest first',
  description:
    'All given filters must match. `tag`, `referenceId` and `workflowId` find every unit that carries them, also decisions, whose tags are those of their event. The numbers by level are those of the whole center. To read a long list, follow `pagination.nextCursor`.',
  query: Type.Object(
    {
      ...PageQuery.properties,
      evidenceLevel: Type.Optional(EvidenceLevelSchema),
      tag: Type.Optional(Tag),
      referenceId: Type.Optional(Label),
      workflowId: Type.Optional(Label),
      from: Type.Optional(Type.String({ ...DateTime, description: 'Recorded at this time or later' })),
      to: Type.Optional(Type.String({ ...DateTime, description: 'Recorded before this time' })),
      ...CursorQuery,
    },
    closed,
  ),
  replies: { 200: DpuSummary },
  counts: named('DpuListCounts', {
    byEvidenceLevel: named('DpusByLevel', {
      DRAFT: Type.Integer(),
      DOCUMENTED: Type.Integer(),
      AUDIT_READY: Type.Integer(),
    }),
  }),
})
