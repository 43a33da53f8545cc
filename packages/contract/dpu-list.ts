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
    content: Type.String({
      description: 'The first 300 characters of what was decided. Empty if the content has been redacted.',
    }),
    evidenceLevel: EvidenceLevelSchema,
    status: EvidenceStatus,
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0, description: "The entry's index in the chain, counted from 0." }),
    referenceType: nullable(
      described(ShownDpuReferenceType, 'The kind of object that the record is about. Null if there is none.'),
    ),
    referenceId: nullable(
      Type.String({ description: 'The ID of the object that the record is about. Null if there is none.' }),
    ),
    workflowId: nullable(
      Type.String({ description: 'The workflow that produced the record. Null if no workflow did.' }),
    ),
    tags: Type.Array(Type.String(), { description: "The record's tags." }),
    createdBy: nullable(
      named(
        'DpuCreator',
        {
          id: Type.String({ description: "The creator's ID." }),
          name: nullable(Type.String({ description: "The creator's name. Null if unknown." })),
        },
        { description: 'Who or what created the record. Null if this has been redacted.' },
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
    "Returns the center's decision proof units, newest first. DPUs must match all filters. `tag`, `referenceId` and `workflowId` find every matching DPU, including the DPUs of decisions, which have the tags of their decision event. The counts by level are for the whole center. To read a long list, follow `pagination.nextCursor`.",
  query: Type.Object(
    {
      ...PageQuery.properties,
      evidenceLevel: Type.Optional(EvidenceLevelSchema),
      tag: Type.Optional(described(Tag, 'Only DPUs with this tag.', 'care-plan')),
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
          DRAFT: Type.Integer({ description: 'The number of DPUs that nobody has reviewed yet.' }),
          DOCUMENTED: Type.Integer({ description: 'The number of DPUs that have been reviewed.' }),
          AUDIT_READY: Type.Integer({
            description: "The number of DPUs that are ready for an audit and can't be changed.",
          }),
        },
        { description: "The number of the center's DPUs at each evidence level." },
      ),
    },
    { description: "Counts of all of the center's DPUs." },
  ),
})
