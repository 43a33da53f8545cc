/** Decision proof units on the platform: part 4.4 of the specification. */

import { Type } from 'typebox'
import { CenterId, DateTime, described, FreeObject, named, nullable } from './common.ts'
import { Tag } from './decision-events.ts'
import { Responsibility } from './dpu-responsibility.ts'
import { DraftReview, LabeledPerson, Previous, Reviewers } from './draft-review.ts'
import {
  ChainDomain,
  DpuReferenceType,
  EvidenceLevelSchema,
  EvidenceStatus,
  ShownDpuReferenceType,
  VerificationMode,
  VerticalSchema,
} from './enums.ts'
import { ProofDocument, Redacted } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Assertion } from './passkeys.ts'

const PlainHash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'A SHA-256 hash: 64 hex digits.' })

const Dpu = named(
  'Dpu',
  {
    id: TypedId('dpu', "The DPU's ID."),
    content: Type.String({ description: 'What was decided. Empty if the content has been redacted.' }),
    evidenceLevel: EvidenceLevelSchema,
    chainHash: described(PlainHash, 'The hash of the chain entry, as 64 hex digits.'),
    metadata: described(FreeObject, 'Additional information about the record, as it was sent.'),
    status: EvidenceStatus,
    centerId: described(CenterId, 'The center that the record belongs to.'),
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0, description: "The entry's index in the chain, counted from 0." }),
    previousHash: nullable(described(PlainHash, 'The hash of the previous entry. Null for the first entry.')),
    referenceType: nullable(
      described(ShownDpuReferenceType, 'The kind of object that the record is about. Null if there is none.'),
    ),
    referenceId: nullable(
      Type.String({ description: 'The ID of the object that the record is about. Null if there is none.' }),
    ),
    tags: Type.Array(Type.String(), { description: "The record's tags." }),
    vertical: VerticalSchema,
    createdBy: nullable(
      Type.String({
        description: 'The ID of the person or program that created the record. Null if it has been redacted.',
      }),
    ),
    createdAt: described(DateTime, 'When the record was created.'),
    updatedAt: described(DateTime, 'When the record last changed.'),
    sealedAt: nullable(described(DateTime, 'When the record was sealed. Null until then.')),
    timestamp: described(DateTime, 'When the chain entry was created.'),
    redacted: Redacted,
  },
  { description: 'A decision proof unit: a record in the chain.' },
)

const NamedDpu = named(
  'NamedDpu',
  {
    ...Dpu.properties,
    people: Type.Array(LabeledPerson, {
      description:
        "The people that a workflow's draft refers to by the end of their ID, such as `…a1b2c3d4`. An ADMIN gets the names of all members, and an INSTRUCTOR the names that appointments and attendance show them; the draft itself contains no names.",
    }),
    draft: nullable(described(DraftReview, "What people have done with the draft. Null if it's a decision's DPU.")),
    reviewers: Reviewers,
  },
  { description: 'A DPU, with the names of the people that its draft refers to.' },
)

const readers = { kind: 'actor', center: 'required', roles: ['ADMIN', 'INSTRUCTOR'] } as const
export const dpuOperation = { surface: 'platform', tag: 'Decision proof units', access: readers } as const

export const createDemoDpu = operation({
  ...dpuOperation,
  id: 'dpus.createDemo',
  method: 'POST',
  path: '/dpu/demo',
  store: 'sequenced',
  summary: 'Create a demo DPU',
  description:
    "Creates a decision proof unit for testing. The DPU is sealed into the center's chain like any other and can't be deleted. Next, verify it with `GET /api/dpu/{id}/verify`.",
  body: named(
    'NewDemoDpu',
    {
      content: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 10_000,
          description: 'What was decided.',
          examples: ['Two sessions a week from December'],
        }),
      ),
      referenceType: Type.Optional(DpuReferenceType),
      referenceId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'The ID of the object that the record is about, in your own system.',
          examples: ['lesson-31'],
        }),
      ),
      tags: Type.Optional(
        Type.Array(Tag, { maxItems: 50, description: 'Words to file the record under.', examples: [['care-plan']] }),
      ),
    },
    {
      description: 'The DPU to create.',
      examples: [{ content: 'Two sessions a week from December', tags: ['care-plan'] }],
    },
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
  summary: 'Retrieve a DPU',
  description:
    'Returns a decision proof unit with its evidence level and its place in the chain. Redacted values are absent, and `redacted` lists their paths.',
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
  summary: 'Update a DPU',
  description:
    "Raises the evidence level or replaces the metadata. Every change becomes an entry in the `history` chain. Raising the level to AUDIT_READY requires the ADMIN role; after that, the record can't be changed. A policy can refuse the change. If a policy requires `approval.identity: passkey`, get a challenge from `POST /api/dpu/{id}/challenge`, then send the `assertion` with the same `evidenceLevel` and without `metadata`. To replace the metadata too, send it first in a separate request. A draft's `review` in the metadata stays as it is, and a refused draft's level can't be raised. If the record or a policy has changed since the challenge was created, the response is 409.",
  params: RecordParam,
  body: named(
    'DpuUpdate',
    {
      evidenceLevel: Type.Optional(described(EvidenceLevelSchema, 'The level to raise the record to.')),
      metadata: Type.Optional(
        described(FreeObject, "The record's new metadata, as a JSON object. It replaces the current metadata.", {
          reason: 'Discussed with the family.',
        }),
      ),
      previous: Type.Optional(
        described(
          Previous,
          "The hash of the record's newest entry that you have seen. If there's a newer one, the response is 409.",
          'sha256:6e9017076771b8cfab5088aed4c52ae8c7937aaa41a3b7180c1be4e485bf272e',
        ),
      ),
      assertion: Type.Optional(
        described(Assertion, "Your passkey's response to the challenge, if a policy requires a passkey."),
      ),
    },
    {
      description: 'The changes to make to a DPU.',
      examples: [{ evidenceLevel: 'DOCUMENTED', metadata: { reason: 'Discussed with the family.' } }],
    },
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
  summary: 'Export a DPU',
  description:
    'Returns a JSON-LD document that anyone can verify offline. Save the response as a file, then verify it with `npx @countersign/cli verify proof.json` or on the `/verify` page. With `policies=text`, the file also contains the texts of the policies that the seal names, so that a verifier can check the approval lines. They name roles, members and groups: share such a file only with people who may read your policies. Versions of the verifier that are older than this option report such a file as altered.',
  params: RecordParam,
  query: Type.Object({
    policies: Type.Optional(
      Type.Literal('text', { description: 'Whether to include the texts of the policies that the seal names.' }),
    ),
  }),
  replies: { 200: ProofDocument },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})

const Redaction = named(
  'Redaction',
  {
    dpuId: TypedId('dpu', 'The DPU that was redacted.'),
    redacted: Type.Array(
      named(
        'RedactedValue',
        { path: Type.String({ description: 'The path of the deleted value.' }) },
        { description: 'A value that was deleted.' },
      ),
      { description: 'The values that were deleted.' },
    ),
    history: named(
      'HistoryPosition',
      {
        index: Type.Integer({ minimum: 0, description: "The entry's index in the chain." }),
        hash: described(PlainHash, 'The hash of the entry, as 64 hex digits.'),
      },
      { description: 'The entry in the `history` chain that records the redaction.' },
    ),
    redactedAt: described(DateTime, 'When the values were deleted.'),
    by: named(
      'RedactedBy',
      {
        id: Type.String({ description: "The member's actor ID." }),
        name: Type.String({ description: "The member's name." }),
        role: Type.String({ description: "The member's role at the time." }),
      },
      { description: 'The member who deleted the values.' },
    ),
  },
  { description: 'What was deleted, when and by whom.' },
)

export const redactDpu = operation({
  ...dpuOperation,
  id: 'dpus.redact',
  stepUp: { within: 'rules' },
  method: 'POST',
  path: '/dpu/{id}/redactions',
  access: { ...readers, roles: ['ADMIN'] },
  store: 'sequenced',
  summary: 'Redact a DPU',
  description:
    "Permanently deletes values from a record. The record's hash and proofs stay valid. Use this to fulfill a request to erase personal data. The server deletes each value together with its salt, so that the value can't be guessed from its hash, and adds an entry to the `history` chain with the paths, the time, the person and the reason. Every later proof shows the reason, so don't repeat the deleted content in the reason. An AUDIT_READY record can be redacted too. Values that are hashed in the clear (IDs, types, times, results and levels) remain. A redaction can't be undone.",
  params: RecordParam,
  body: named(
    'NewRedaction',
    {
      paths: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: "The paths of the values to delete, as they appear in an export's `commitments`.",
        examples: [['approval.approver.name']],
      }),
      reason: Type.String({
        minLength: 1,
        maxLength: 1000,
        description: 'Why the values are being deleted. Every later proof shows this reason.',
        examples: ['The person asked for erasure (request 2026-118).'],
      }),
    },
    {
      description: 'Which values to delete, and why.',
      examples: [{ paths: ['approval.approver.name'], reason: 'The person asked for erasure (request 2026-118).' }],
    },
  ),
  replies: { 201: Redaction },
  errors: ['DPU_NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})

const verdictFields = {
  valid: Type.Boolean({ description: 'Whether everything matches.' }),
  chainLength: Type.Integer({ minimum: 0, description: 'The number of entries in the chain.' }),
  genesisHash: Type.String({
    pattern: '^([0-9a-f]{64})?$',
    description: 'The hash of the first entry. Empty if the chain has no entries.',
  }),
  brokenAt: nullable(
    Type.Integer({ description: "The lowest index at which verification failed. Null if it didn't fail." }),
  ),
  reason: nullable(Type.String({ description: 'A sentence that says what failed. Null if nothing failed.' })),
}
const Verdict = named('ChainVerdict', verdictFields, { description: 'The result of verifying one chain.' })

export const verifyDpu = operation({
  ...dpuOperation,
  id: 'dpus.verify',
  method: 'GET',
  path: '/dpu/{id}/verify',
  store: 'none',
  summary: 'Verify a DPU',
  description:
    'Verifies a decision proof unit and the chain from it back to the first entry, and compares the stored record with the values that were committed when it was sealed.',
  params: RecordParam,
  replies: {
    200: named(
      'DpuVerdict',
      { ...verdictFields, redacted: Redacted },
      { description: 'The result of verifying a DPU and the chain before it.' },
    ),
  },
  errors: ['DPU_NOT_FOUND'],
})

const CenterVerdict = named(
  'CenterVerdict',
  {
    ...verdictFields,
    mode: VerificationMode,
    verifiedAt: described(DateTime, 'When the chains were verified.'),
    allValid: Type.Boolean({ description: 'Whether all three chains are valid.' }),
    recordsVerifiedAt: nullable(
      described(DateTime, 'When all records were last compared with what was sealed. Null if they never were.'),
    ),
    domains: named(
      'DomainVerdicts',
      {
        dpu: described(Verdict, 'The result for the `dpu` chain.'),
        proof: described(Verdict, 'The result for the `proof` chain.'),
        history: described(Verdict, 'The result for the `history` chain.'),
      },
      { description: 'The result for each chain.' },
    ),
  },
  { description: "The result of verifying all of a center's chains." },
)

export const verifyChain = operation({
  ...dpuOperation,
  id: 'dpus.verifyChain',
  method: 'GET',
  path: '/dpu/verify-chain',
  store: 'none',
  summary: 'Verify all chains',
  description:
    "Verifies all of the center's chains, from the first entry to the last, during the request. In `chain` mode, hashes and links are recomputed; in `records` mode, every stored record is also compared with the values that were committed. `valid` and `allValid` are false if any of the three chains is broken; `chainLength`, `genesisHash`, `brokenAt` and `reason` describe the `dpu` chain.",
  query: Type.Object({ mode: VerificationMode }),
  replies: { 200: CenterVerdict },
})

export const getResponsibility = operation({
  ...dpuOperation,
  id: 'dpus.getResponsibility',
  method: 'GET',
  path: '/dpu/{id}/responsibility',
  store: 'cell',
  summary: 'Retrieve the responsibility for a DPU',
  description: 'Returns the six Ws of a decision: who decided what, when, where, why and how.',
  params: RecordParam,
  replies: { 200: Responsibility },
  errors: ['DPU_NOT_FOUND', 'CHAIN_BROKEN'],
})
