/** Decision proof units on the platform: part 4.4 of the specification. */
import { Type } from 'typebox'
import { CenterId, closed, DateTime, FreeObject, nullable } from './common.ts'
import { Tag, Text } from './decision-events.ts'
import {
  actorRoles,
  ChainDomain,
  DpuReferenceType,
  EvidenceLevelSchema,
  EvidenceStatus,
  ShownDpuReferenceType,
  VerificationMode,
  VerticalSchema,
  verticals,
} from './enums.ts'
import { ProofDocument, Redacted } from './evidence.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'

const PlainHash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, 64 hex digits' })

const Dpu = Type.Object(
  {
    id: TypedId('dpu', 'DPU id'),
    content: Type.String({ description: 'What was decided; empty when it was redacted' }),
    evidenceLevel: EvidenceLevelSchema,
    chainHash: PlainHash,
    metadata: FreeObject,
    status: EvidenceStatus,
    centerId: CenterId,
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0 }),
    previousHash: nullable(PlainHash),
    referenceType: nullable(ShownDpuReferenceType),
    referenceId: nullable(Type.String()),
    tags: Type.Array(Type.String()),
    vertical: VerticalSchema,
    createdBy: nullable(Type.String()),
    createdAt: DateTime,
    updatedAt: DateTime,
    sealedAt: nullable(DateTime),
    timestamp: DateTime,
    redacted: Redacted,
  },
  closed,
)

const readers = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
const shared = { surface: 'platform', tag: 'DPU', access: readers } as const

export const createDemoDpu = operation({
  ...shared,
  id: 'dpus.createDemo',
  method: 'POST',
  path: '/dpu/demo',
  store: 'sequenced',
  summary: 'Make a decision proof unit to try things out; it stands in the chain like any other',
  body: Type.Object(
    {
      content: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
      referenceType: Type.Optional(DpuReferenceType),
      referenceId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      tags: Type.Optional(Type.Array(Tag, { maxItems: 50 })),
    },
    { ...closed, examples: [{ content: 'Two sessions a week from December', tags: ['care-plan'] }] },
  ),
  replies: { 201: Dpu },
  errors: ['CHAIN_BROKEN'],
})

export const getDpu = operation({
  ...shared,
  id: 'dpus.get',
  method: 'GET',
  path: '/dpu/{id}',
  store: 'cell',
  summary: 'A decision proof unit',
  params: IdParam,
  replies: { 200: Dpu },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})

export const updateDpu = operation({
  ...shared,
  id: 'dpus.update',
  method: 'PUT',
  path: '/dpu/{id}',
  store: 'sequenced',
  summary: 'Raise the evidence level or replace the metadata; every change becomes an entry of the chain `history`',
  description:
    'Raising to AUDIT_READY takes the role ADMIN and seals the record: it cannot change afterwards. Policies of the center may refuse it.',
  params: IdParam,
  body: Type.Object(
    { evidenceLevel: Type.Optional(EvidenceLevelSchema), metadata: Type.Optional(FreeObject) },
    { ...closed, examples: [{ evidenceLevel: 'DOCUMENTED', metadata: { reason: 'Discussed with the family.' } }] },
  ),
  replies: { 200: Dpu },
  errors: [
    'DPU_NOT_FOUND',
    'DPU_SEALED',
    'INVALID_EVIDENCE_LEVEL',
    'INSUFFICIENT_ROLE',
    'POLICY_VIOLATION',
    'CONFLICT',
    'CHAIN_BROKEN',
  ],
})

export const exportDpu = operation({
  ...shared,
  id: 'dpus.export',
  method: 'GET',
  path: '/dpu/{id}/export',
  store: 'cell',
  envelope: 'bare',
  contentType: 'application/ld+json',
  summary: 'The unit as a portable JSON-LD document that anybody can verify offline',
  params: IdParam,
  replies: { 200: ProofDocument },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})

export const redactDpu = operation({
  ...shared,
  id: 'dpus.redact',
  method: 'POST',
  path: '/dpu/{id}/redactions',
  access: { ...readers, roles: ['ADMIN'] },
  store: 'sequenced',
  summary: 'Delete committed values of a record for good; its hash, and every proof ever given of it, go on holding',
  description:
    'Deletes each value together with its salt, so that nobody can find it by trying, and leaves an entry of the chain `history` that says which paths, when, by whom and why. The reason is shown in every later proof: do not repeat in it what is to be forgotten. A record that is AUDIT_READY can be redacted too: what was decided stays sealed, only less of it is shown. What is hashed in clear (ids, types, times, results, levels) stays. It cannot be undone.',
  params: IdParam,
  body: Type.Object(
    {
      paths: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'Exactly as `commitments` of an export names them',
      }),
      reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Why; everybody who sees a proof reads it' }),
    },
    {
      ...closed,
      examples: [{ paths: ['approval.approver.name'], reason: 'The person asked to be forgotten (request 2026-118).' }],
    },
  ),
  replies: {
    201: Type.Object(
      {
        dpuId: TypedId('dpu', 'DPU id'),
        redacted: Type.Array(Type.Object({ path: Type.String() }, closed)),
        history: Type.Object({ index: Type.Integer({ minimum: 0 }), hash: PlainHash }, closed),
        redactedAt: DateTime,
        by: Type.Object({ id: Type.String(), name: Type.String(), role: Type.String() }, closed),
      },
      closed,
    ),
  },
  errors: ['DPU_NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

const verdictFields = {
  valid: Type.Boolean(),
  chainLength: Type.Integer({ minimum: 0 }),
  genesisHash: Type.String({ pattern: '^([0-9a-f]{64})?$', description: 'Empty while the chain has no entry' }),
  brokenAt: nullable(Type.Integer({ description: 'The lowest index at which it does not hold' })),
  reason: nullable(Type.String({ description: 'What does not hold there, in words' })),
}
const Verdict = Type.Object(verdictFields, closed)

export const verifyDpu = operation({
  ...shared,
  id: 'dpus.verify',
  method: 'GET',
  path: '/dpu/{id}/verify',
  store: 'none',
  summary: 'Verify the chain from this unit back to the genesis, and the unit against what was committed',
  params: IdParam,
  replies: { 200: Type.Object({ ...verdictFields, redacted: Redacted }, closed) },
  errors: ['DPU_NOT_FOUND'],
})

export const verifyChain = operation({
  ...shared,
  id: 'dpus.verifyChain',
  method: 'GET',
  path: '/dpu/verify-chain',
  store: 'none',
  summary: "Verify the center's chains from genesis to the latest entry",
  description:
    'Reads every entry, now, and says so: `mode` tells what was checked and `verifiedAt` when. `chain` recomputes hashes and links; `records` also holds every record that we show against what was committed. `valid` and `allValid` are false when any of the three chains is broken; `chainLength`, `genesisHash`, `brokenAt` and `reason` are those of the chain `dpu`.',
  query: Type.Object({ mode: VerificationMode }),
  replies: {
    200: Type.Object(
      {
        ...verdictFields,
        mode: VerificationMode,
        verifiedAt: DateTime,
        allValid: Type.Boolean(),
        recordsVerifiedAt: nullable(DateTime),
        domains: Type.Object({ dpu: Verdict, proof: Verdict, history: Verdict }, closed),
      },
      closed,
    ),
  },
})

const Count = Type.Integer({ minimum: 0 })
const Counts = Type.Object(
  {
    total: Count,
    byEvidenceLevel: Type.Object({ DRAFT: Count, DOCUMENTED: Count, AUDIT_READY: Count }, closed),
    byVertical: Type.Object(Object.fromEntries(verticals.map((name) => [name, Count])), closed),
  },
  closed,
)

export const getDpuStats = operation({
  ...shared,
  id: 'dpus.getStats',
  method: 'GET',
  path: '/dpu/stats',
  store: 'cell',
  summary: 'How many units there are on the whole platform, and in this center',
  description: 'The figures of the platform are at most two seconds old; those of the center are exact.',
  replies: { 200: Type.Object({ ...Counts.properties, center: Counts }, closed) },
})

const words = nullable(Text)

export const Responsibility = Type.Object(
  {
    who: Type.Object(
      { id: words, name: words, role: nullable(Type.String({ examples: [actorRoles[0]] })), type: words },
      closed,
    ),
    what: Type.Object({ summary: words, action: words, output: nullable(FreeObject) }, closed),
    when: Type.Object({ decidedAt: nullable(DateTime), sealedAt: nullable(DateTime) }, closed),
    where: Type.Object(
      { centerId: CenterId, centerName: Type.String(), vertical: VerticalSchema, domain: ChainDomain },
      closed,
    ),
    why: Type.Object(
      {
        reason: nullable(Type.String()),
        policies: Type.Array(
          Type.Object({ id: Type.String(), version: Type.Integer(), digest: Type.String() }, closed),
        ),
      },
      closed,
    ),
    how: Type.Object(
      {
        method: words,
        workflowId: words,
        model: words,
        confidence: nullable(Type.Number()),
        evidenceLevel: EvidenceLevelSchema,
        provider: words,
        promptHash: words,
      },
      closed,
    ),
  },
  closed,
)

export const getResponsibility = operation({
  ...shared,
  id: 'dpus.getResponsibility',
  method: 'GET',
  path: '/dpu/{id}/responsibility',
  store: 'cell',
  summary: 'Who decided what, when, where, why and how',
  params: IdParam,
  replies: { 200: Responsibility },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})
