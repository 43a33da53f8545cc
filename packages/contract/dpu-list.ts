/** The list of decision proof units. The specification only reads one at a time. */
import { Type } from 'typebox'
import { CursorQuery, closed, DateTime, described, named, nullable, PageQuery } from './common.ts'
import { Tag } from './decision-events.ts'
import { dpuOperation } from './dpu.ts'
import { ChainDomain, EvidenceLevelSchema, EvidenceStatus, ShownDpuReferenceType } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

const DpuSummary = named(
  'DpuSummary',
  {
    id: TypedId('dpu', "The DPU's ID."),
    content: Type.String({ description: 'What was decided, the first 300 characters. Empty after it was redacted.' }),
    evidenceLevel: EvidenceLevelSchema,
    status: EvidenceStatus,
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0, description: "The entry's index in the chain, counted from 0." }),
    referenceType: nullable(
      described(ShownDpuReferenceType, 'The kind of object that the record is about. Null if it names none.'),
    ),
    referenceId: nullable(
      Type.String({ description: 'The ID of the object that the record is about. Null if it names none.' }),
    ),
    workflowId: nullable(
      Type.String({ description: 'The workflow that produced the record. Null if there was none.' }),
    ),
    tags: Type.Array(Type.String(), { description: "The record's tags." }),
    createdBy: nullable(
      named(
        'DpuCreator',
        {
          id: Type.String({ description: "The creator's ID." }),
          name: nullable(Type.String({ description: "The creator's name. Null if it isn't known." })),
        },
        { description: 'Who created the record. Null after it was redacted.' },
      ),
    ),
    createdAt: described(DateTime, 'When the record was created.'),
    updatedAt: described(DateTime, 'When the record last changed.'),
    sealedAt: nullable(described(DateTime, 'When the record was sealed. Null until then.')),
  },
  { description: 'A DPU with the beginning of its content.' },
)

const Label = Type.String({ minLength: 1, maxLength: 255 })

export const listDpus = operation({
  ...dpuOperation,
  id: 'dpus.list',
  method: 'GET',
  path: '/dpu',
  store: 'cell',
  envelope: 'page',
  summary: 'List DPUs',
  description:
    "Returns the center's decision proof units, newest first. All given filters must match. `tag`, `referenceId` and `workflowId` find every DPU that carries them, including decisions, which have their event's tags. The counts by level are for the whole center. To read a long list, follow `pagination.nextCursor`.",
  query: Type.Object(
    {
      ...PageQuery.properties,
      evidenceLevel: Type.Optional(EvidenceLevelSchema),
      tag: Type.Optional(described(Tag, 'Only DPUs that carry this tag.', 'care-plan')),
      referenceId: Type.Optional(described(Label, 'Only DPUs about the object with this ID.', 'lesson-31')),
      workflowId: Type.Optional(
        described(Label, 'Only DPUs that this workflow produced.', 'wfl_01kz9x4q8hfx5r3v7t2b6n0m1c'),
      ),
      from: Type.Optional(Type.String({ ...DateTime, description: 'Only DPUs recorded at this time or later.' })),
      to: Type.Optional(Type.String({ ...DateTime, description: 'Only DPUs recorded before this time.' })),
      ...CursorQuery,
    },
    closed,
  ),
  replies: { 200: DpuSummary },
  counts: named(
    'DpuListCounts',
    {
      byEvidenceLevel: named(
        'DpusByLevel',
        {
          DRAFT: Type.Integer({ description: 'DPUs that nobody has reviewed yet.' }),
          DOCUMENTED: Type.Integer({ description: 'DPUs that were reviewed.' }),
          AUDIT_READY: Type.Integer({ description: "DPUs that are ready for an audit and can't change." }),
        },
        { description: 'How many DPUs of the center have each evidence level.' },
      ),
    },
    { description: 'Figures about all DPUs of the center.' },
  ),
})
