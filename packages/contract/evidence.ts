/** Approvals that seal, and the evidence they leave: part 4.7 of the specification. */
import { Type } from 'typebox'
import { closed, DateTime, FreeObject, nullable } from './common.ts'
import { AiContext, EventAction, EventActor, Tag, Text } from './decision-events.ts'
import {
  ApprovalResult,
  ApproverType,
  ChainDomain,
  DecisionEventType,
  EvidenceLevelSchema,
  EvidenceStatus,
} from './enums.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Receipt } from './transparency.ts'

export const Approver = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 10_000 }), type: ApproverType, name: Type.Optional(Text) },
  closed,
)

export const ChainHash = Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: '`sha256:` and 64 hex digits' })

const Approval = Type.Object(
  {
    approvalId: TypedId('approval', 'Approval id'),
    decisionId: Type.String(),
    approver: Approver,
    result: ApprovalResult,
    reason: Type.Optional(Text),
    evidenceLevel: EvidenceLevelSchema,
    sealedHash: nullable(ChainHash),
    sealedAt: nullable(DateTime),
    createdAt: DateTime,
    receipt: nullable(Receipt),
  },
  closed,
)

export const addApproval = operation({
  id: 'approvals.create',
  surface: 'proof',
  method: 'POST',
  path: '/v1/decision-events/{id}/approvals',
  tag: 'Decision events',
  access: { kind: 'key', scope: 'proof:write' },
  store: 'sequenced',
  summary: 'Approve or refuse a decision; either seals it',
  description:
    'Answered after the seal is committed. A refusal is sealed like an approval: nobody can erase a no. Where a policy asks for two approvers, the first answer has no hash yet and the second approval, by somebody else, seals.',
  params: IdParam,
  body: Type.Object(
    { approver: Approver, result: ApprovalResult, reason: Type.Optional(Text) },
    {
      ...closed,
      examples: [
        {
          approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
          result: 'approved',
          reason: 'Agrees with my own assessment.',
        },
      ],
    },
  ),
  replies: { 200: Approval },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const SealedEvent = Type.Object(
  {
    type: DecisionEventType,
    actor: Type.Partial(EventActor, closed),
    action: EventAction,
    aiContext: Type.Optional(AiContext),
    tags: Type.Optional(Type.Array(Tag)),
    reason: Type.Optional(Text),
    riskScore: Type.Optional(Type.Number()),
    occurredAt: DateTime,
  },
  closed,
)

export const SealedApproval = Type.Object(
  {
    approver: Type.Partial(Approver, closed),
    result: ApprovalResult,
    reason: Type.Optional(Text),
    submittedBy: Type.Optional(Type.String()),
    approvedAt: DateTime,
  },
  closed,
)

export const AppliedPolicy = Type.Object(
  { id: Type.String(), version: Type.Integer(), digest: Type.String() },
  { ...closed, description: 'A policy that stood when the decision was sealed' },
)

export const ChainPlace = Type.Object(
  {
    hash: ChainHash,
    previousHash: nullable(Type.String({ description: 'Null for the first entry of the chain' })),
    index: Type.Integer({ minimum: 0 }),
    domain: ChainDomain,
  },
  closed,
)

export const Redacted = Type.Optional(
  Type.Array(Type.String({ examples: ['approval.approver.name'] }), {
    description: 'Paths of committed values that were redacted; absent when there are none',
  }),
)

const Evidence = Type.Object(
  {
    id: TypedId('evidence', 'Evidence id'),
    decisionId: Type.String(),
    status: EvidenceStatus,
    evidenceLevel: EvidenceLevelSchema,
    event: SealedEvent,
    approval: nullable(SealedApproval),
    priorApprovals: Type.Optional(Type.Array(FreeObject)),
    policies: Type.Optional(Type.Array(AppliedPolicy)),
    chain: ChainPlace,
    sealedAt: DateTime,
    createdAt: DateTime,
    redacted: Redacted,
    receipt: nullable(Receipt),
  },
  closed,
)

export const getEvidence = operation({
  id: 'evidence.get',
  surface: 'proof',
  method: 'GET',
  path: '/v1/evidence/{id}',
  tag: 'Evidence',
  access: { kind: 'key', scope: 'proof:read' },
  store: 'cell',
  summary: 'The sealed evidence of a decision',
  description:
    'What stands here is read from the sealed entry; a value that was redacted is absent, and `redacted` names it.',
  params: IdParam,
  replies: { 200: Evidence },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

/** The document is described by its own format; see `docs/formats/dpu-chain-v1.md`. */
export const ProofDocument = Type.Object(
  {
    '@context': Type.String(),
    '@type': Type.Literal('DecisionProof'),
    version: Type.Literal('2.0'),
    exportedAt: DateTime,
    evidence: FreeObject,
    verification: FreeObject,
  },
  { ...closed, description: 'A portable proof that can be checked without us' },
)

export const exportEvidence = operation({
  id: 'evidence.export',
  surface: 'proof',
  method: 'GET',
  path: '/v1/evidence/{id}/export',
  tag: 'Evidence',
  access: { kind: 'key', scope: 'proof:read' },
  store: 'cell',
  envelope: 'bare',
  contentType: 'application/ld+json',
  summary: 'The evidence as a portable JSON-LD document that anybody can verify offline',
  params: IdParam,
  replies: { 200: ProofDocument },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const UnitState = Type.Object(
  {
    id: TypedId('dpu', 'DPU id'),
    status: EvidenceStatus,
    evidenceLevel: EvidenceLevelSchema,
    chainHash: nullable(ChainHash),
    chainIndex: nullable(Type.Integer()),
    domain: ChainDomain,
    createdAt: DateTime,
    sealedAt: nullable(DateTime),
  },
  closed,
)

export const getUnitState = operation({
  id: 'dpus.getState',
  surface: 'proof',
  method: 'GET',
  path: '/v1/dpu/{id}',
  tag: 'Evidence',
  access: { kind: 'key', scope: 'proof:read' },
  store: 'cell',
  summary: 'Whether a decision proof unit is sealed, for clients that wait for it',
  params: IdParam,
  replies: { 200: UnitState },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const ChainLine = Type.Object(
  {
    index: Type.Integer({ minimum: 0 }),
    id: Type.String(),
    hash: ChainHash,
    previousHash: nullable(Type.String()),
    sealedAt: DateTime,
    content: FreeObject,
  },
  { ...closed, description: 'One line; `content` is the object that was hashed' },
)

export const listChainEntries = operation({
  id: 'chains.listEntries',
  surface: 'proof',
  method: 'GET',
  path: '/v1/chains/{domain}/entries',
  tag: 'Evidence',
  access: { kind: 'key', scope: 'proof:read' },
  store: 'none',
  envelope: 'bare',
  contentType: 'application/x-ndjson',
  summary: 'A whole chain of this center, one entry per line, for auditors',
  description: 'Starts at `from` and ends with the last entry; whoever was cut off goes on after the last index seen.',
  params: Type.Object({ domain: ChainDomain }),
  query: Type.Object({ from: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }) }),
  replies: { 200: ChainLine },
})

export const getProofContext = operation({
  id: 'evidence.getContext',
  surface: 'root',
  method: 'GET',
  path: '/schema/decision-proof/v2',
  tag: 'Evidence',
  access: { kind: 'public' },
  store: 'none',
  envelope: 'bare',
  contentType: 'application/ld+json',
  summary: 'The JSON-LD context that exported proofs refer to',
  replies: { 200: FreeObject },
})
