/** Decision proof units on the platform: part 4.4 of the specification. */
import { Type } from 'typebox'
import { CenterId, DateTime, FreeObject, named, nullable } from './common.ts'
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
import { AppliedPolicy, ProofDocument, Redacted } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Assertion } from './passkeys.ts'

const PlainHash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256, 64 hex digits' })

const Dpu = named('Dpu', {
  id: TypedId('dpu', 'DPU id'),
  content: Type.String({ description: 'What was decided; empty after it was redacted' }),
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
})

const NamedDpu = named('NamedDpu', {
  ...Dpu.properties,
  people: Type.Array(named('LabeledPerson', { label: Type.String(), name: Type.String() }), {
    description:
      'The names of the people whom a draft of a workflow calls by the end of their id, as `…a1b2c3d4`; for an ADMIN, who sees the member list. The draft itself holds no names',
  }),
})

const readers = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
export const dpuOperation = { surface: 'platform', tag: 'Decision proof units', access: readers } as const

export const createDemoDpu = operation({
  ...dpuOperation,
  id: 'dpus.createDemo',
  method: 'POST',
  path: '/dpu/demo',
  store: 'sequenced',
  summary: 'Create a decision proof unit for a test',
  description: 'The server seals it into the hash chain of the center like any other unit, and it cannot be deleted.',
  body: named(
    'NewDemoDpu',
    {
      content: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
      referenceType: Type.Optional(DpuReferenceType),
      referenceId: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      tags: Type.Optional(Type.Array(Tag, { maxItems: 50 })),
    },
    { examples: [{ content: 'Two sessions a week from December', tags: ['care-plan'] }] },
  ),
  replies: { 201: Dpu },
  errors: ['CHAIN_BROKEN'],
})

export const getDpu = operation({
  ...dpuOperation,
  id: 'dpus.get',
  method: 'GET',
  path: '/dpu/{id}',
  store: 'cell',
  summary: 'Get a decision proof unit',
  params: RecordParam,
  replies: { 200: NamedDpu },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})

export const updateDpu = operation({
  ...dpuOperation,
  id: 'dpus.update',
  method: 'PUT',
  path: '/dpu/{id}',
  store: 'sequenced',
  summary: 'Raise the evidence level or replace the metadata of a decision proof unit',
  description:
    'Every change becomes an entry of the chain `history`. Raising the level to AUDIT_READY requires the role ADMIN; afterwards the record cannot change. A policy of the center can refuse the change. Where a policy names `approval.identity: passkey`, send the `assertion` of your passkey over a challenge of `POST /api/dpu/{id}/challenge`, with the same `evidenceLevel` and without `metadata`: replace those before. If the record or a policy has changed since the challenge, the answer is 409.',
  params: RecordParam,
  body: named(
    'DpuUpdate',
    {
      evidenceLevel: Type.Optional(EvidenceLevelSchema),
      metadata: Type.Optional(FreeObject),
      assertion: Type.Optional(Assertion),
    },
    { examples: [{ evidenceLevel: 'DOCUMENTED', metadata: { reason: 'Discussed with the family.' } }] },
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
  ...dpuOperation,
  id: 'dpus.export',
  method: 'GET',
  path: '/dpu/{id}/export',
  store: 'cell',
  envelope: 'bare',
  contentType: 'application/ld+json',
  summary: 'Export a decision proof unit as a JSON-LD document that anyone can verify offline',
  params: RecordParam,
  replies: { 200: ProofDocument },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})

const Redaction = named('Redaction', {
  dpuId: TypedId('dpu', 'DPU id'),
  redacted: Type.Array(named('RedactedValue', { path: Type.String() })),
  history: named('HistoryPosition', { index: Type.Integer({ minimum: 0 }), hash: PlainHash }),
  redactedAt: DateTime,
  by: named('RedactedBy', { id: Type.String(), name: Type.String(), role: Type.String() }),
})

export const redactDpu = operation({
  ...dpuOperation,
  id: 'dpus.redact',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/dpu/{id}/redactions',
  access: { ...readers, roles: ['ADMIN'] },
  store: 'sequenced',
  summary: 'Delete committed values of a record permanently; its hash and its proofs remain valid',
  description:
    'Use it for a request to erase personal data. The server deletes each value together with its salt, so that the value cannot be guessed from its hash, and adds an entry to the chain `history` with the paths, the time, the person and the reason. Every later proof shows the reason: do not repeat the deleted content in it. A record that is AUDIT_READY can be redacted too. Values that are hashed in clear (ids, types, times, results, levels) remain. A redaction cannot be undone.',
  params: RecordParam,
  body: named(
    'NewRedaction',
    {
      paths: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'As listed in `commitments` of an export',
      }),
      reason: Type.String({ minLength: 1, maxLength: 1000, description: 'Shown in every later proof' }),
    },
    { examples: [{ paths: ['approval.approver.name'], reason: 'The person asked for erasure (request 2026-118).' }] },
  ),
  replies: { 201: Redaction },
  errors: ['DPU_NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

const verdictFields = {
  valid: Type.Boolean(),
  chainLength: Type.Integer({ minimum: 0 }),
  genesisHash: Type.String({ pattern: '^([0-9a-f]{64})?$', description: 'Empty while the chain has no entry' }),
  brokenAt: nullable(Type.Integer({ description: 'Lowest index at which the check failed' })),
  reason: nullable(Type.String({ description: 'What failed there, for people' })),
}
const Verdict = named('ChainVerdict', verdictFields)

export const verifyDpu = operation({
  ...dpuOperation,
  id: 'dpus.verify',
  method: 'GET',
  path: '/dpu/{id}/verify',
  store: 'none',
  summary: 'Verify a decision proof unit and the chain from it back to the first entry',
  description: 'Also compares the stored unit with the values that were committed when it was sealed.',
  params: RecordParam,
  replies: { 200: named('DpuVerdict', { ...verdictFields, redacted: Redacted }) },
  errors: ['DPU_NOT_FOUND'],
})

const CenterVerdict = named('CenterVerdict', {
  ...verdictFields,
  mode: VerificationMode,
  verifiedAt: DateTime,
  allValid: Type.Boolean(),
  recordsVerifiedAt: nullable(DateTime),
  domains: named('DomainVerdicts', { dpu: Verdict, proof: Verdict, history: Verdict }),
})

export const verifyChain = operation({
  ...dpuOperation,
  id: 'dpus.verifyChain',
  method: 'GET',
  path: '/dpu/verify-chain',
  store: 'none',
  summary: 'Verify all hash chains of the center from the first entry to the last',
  description:
    'Reads every entry during the request; `verifiedAt` is the time of the check. The mode `chain` recomputes hashes and links. The mode `records` also compares every stored record with the values that were committed. `valid` and `allValid` are false if any of the three chains is broken; `chainLength`, `genesisHash`, `brokenAt` and `reason` are those of the chain `dpu`.',
  query: Type.Object({ mode: VerificationMode }),
  replies: { 200: CenterVerdict },
})

const Count = Type.Integer({ minimum: 0 })
const Counts = named('DpuCounts', {
  total: Count,
  byEvidenceLevel: named('CountsByLevel', { DRAFT: Count, DOCUMENTED: Count, AUDIT_READY: Count }),
  byVertical: named('CountsByVertical', Object.fromEntries(verticals.map((name) => [name, Count]))),
})

export const getDpuStats = operation({
  ...dpuOperation,
  id: 'dpus.getStats',
  method: 'GET',
  path: '/dpu/stats',
  store: 'cell',
  summary: 'Count the decision proof units of the platform and of this center',
  description: 'The counts of the platform are at most two seconds old; those of the center are exact.',
  replies: { 200: named('DpuStats', { ...Counts.properties, center: Counts }) },
})

const words = nullable(Text)

export const Responsibility = named('Responsibility', {
  who: named('ResponsibilityWho', {
    id: words,
    name: words,
    role: nullable(Type.String({ examples: [actorRoles[0]] })),
    type: words,
  }),
  what: named('ResponsibilityWhat', { summary: words, action: words, output: nullable(FreeObject) }),
  when: named('ResponsibilityWhen', { decidedAt: nullable(DateTime), sealedAt: nullable(DateTime) }),
  where: named('ResponsibilityWhere', {
    centerId: CenterId,
    centerName: Type.String(),
    vertical: VerticalSchema,
    domain: ChainDomain,
  }),
  why: named('ResponsibilityWhy', { reason: nullable(Type.String()), policies: Type.Array(AppliedPolicy) }),
  how: named('ResponsibilityHow', {
    method: words,
    workflowId: words,
    model: words,
    confidence: nullable(Type.Number()),
    evidenceLevel: EvidenceLevelSchema,
    provider: words,
    promptHash: words,
  }),
})

export const getResponsibility = operation({
  ...dpuOperation,
  id: 'dpus.getResponsibility',
  method: 'GET',
  path: '/dpu/{id}/responsibility',
  store: 'cell',
  summary: 'Get who decided what, when, where, why and how',
  params: RecordParam,
  replies: { 200: Responsibility },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})
