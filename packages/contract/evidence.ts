/** Approvals that seal, and the evidence of sealed decisions: part 4.7 of the specification. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { closed, DateTime, FreeObject, freeObject, named, nullable } from './common.ts'
import { ActionDigest, ActionSalt, EventAction, EventActor, optionalFields, Tag, Text } from './decision-events.ts'
import {
  ApprovalResult,
  ApproverType,
  ChainDomain,
  DecisionEventType,
  EvidenceLevelSchema,
  EvidenceStatus,
  IdentityLevelSchema,
  oneOf,
} from './enums.ts'
import { RecordParam, TypedId } from './ids.ts'
import { definition, operation } from './operation.ts'
import { Receipt } from './transparency.ts'

export const Approver = named('Approver', {
  id: Type.String({ minLength: 1, maxLength: 10_000 }),
  type: ApproverType,
  name: Type.Optional(Text),
})

export const ChainHash = Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: '`sha256:` and 64 hex digits' })

export const Approval = named('Approval', {
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
})

const NewApproval = named(
  'NewApproval',
  { approver: Approver, result: ApprovalResult, reason: Type.Optional(Text) },
  {
    examples: [
      {
        approver: { id: 'therapist-4', type: 'human', name: 'Kim Minji' },
        result: 'approved',
        reason: 'Agrees with my own assessment.',
      },
    ],
  },
)

export const addApproval = operation({
  id: 'approvals.create',
  surface: 'proof',
  method: 'POST',
  path: '/v1/decision-events/{id}/approvals',
  tag: 'Decision events',
  access: { kind: 'key', scope: 'proof:write', or: 'proof:approve', bound: true },
  store: 'sequenced',
  summary: 'Approve or reject a decision; both seal it',
  description:
    'The server replies after the seal is committed. A rejection is sealed like an approval and cannot be removed later. Where a policy requires two approvers, the first approval gets a reply without a hash, and the second one, by another approver, seals the decision.',
  params: RecordParam,
  body: NewApproval,
  replies: { 200: Approval },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const SealedEvent = named('SealedEvent', {
  type: DecisionEventType,
  actor: Type.Partial(EventActor, { ...closed, title: 'SealedActor' }),
  action: EventAction,
  ...optionalFields,
  tags: Type.Optional(Type.Array(Tag)),
  recordedBy: Type.Optional(Type.String({ description: 'The API key that recorded it' })),
  replaces: Type.Optional(Type.String({ description: 'The decision event that this one replaces' })),
  occurredAt: DateTime,
})

const ApproverIdentity = named(
  'ApproverIdentity',
  { level: IdentityLevelSchema, by: Type.Optional(Type.String({ description: 'The API key or the member' })) },
  { description: 'How sure the server is of the approver, and who vouches for it' },
)

export const SealedApproval = named('SealedApproval', {
  approver: Type.Partial(Approver, { ...closed, title: 'SealedApprover' }),
  result: ApprovalResult,
  reason: Type.Optional(Text),
  submittedBy: Type.Optional(Type.String()),
  identity: ApproverIdentity,
  channel: Type.Optional(Type.String({ description: '`api`, `page` or `console`' })),
  openedAt: Type.Optional(DateTime),
  decidedAt: Type.Optional(DateTime),
  onBehalfOf: Type.Optional(Type.String({ description: 'The member whose deputy approved' })),
  approvedAt: DateTime,
})

export const AppliedPolicy = named(
  'AppliedPolicy',
  { id: Type.String(), version: Type.Integer(), digest: Type.String() },
  { description: 'A policy that was in force when the decision was sealed' },
)

export const ChainPlace = named('ChainPosition', {
  hash: ChainHash,
  previousHash: nullable(Type.String({ description: 'Null for the first entry of the chain' })),
  index: Type.Integer({ minimum: 0 }),
  domain: ChainDomain,
})

export const Redacted = Type.Optional(
  Type.Array(Type.String({ examples: ['approval.approver.name'] }), {
    description: 'Paths of committed values that were redacted; absent when there are none',
  }),
)

const Evidence = named('Evidence', {
  id: TypedId('evidence', 'Evidence id'),
  decisionId: Type.String(),
  status: EvidenceStatus,
  evidenceLevel: EvidenceLevelSchema,
  actionDigest: ActionDigest,
  actionSalt: ActionSalt,
  event: SealedEvent,
  approval: nullable(SealedApproval),
  priorApprovals: Type.Optional(
    Type.Array(FreeObject, { description: 'Earlier approvals, the oldest first; `void` says why one did not count' }),
  ),
  control: Type.Optional(FreeObject),
  policies: Type.Optional(Type.Array(AppliedPolicy)),
  chain: ChainPlace,
  sealedAt: DateTime,
  createdAt: DateTime,
  redacted: Redacted,
  receipt: nullable(Receipt),
})

const read = {
  surface: 'proof',
  method: 'GET',
  tag: 'Evidence',
  access: { kind: 'key', scope: 'proof:read', bound: true },
} as const

export const getEvidence = operation({
  ...read,
  id: 'evidence.get',
  path: '/v1/evidence/{id}',
  store: 'cell',
  summary: 'Get the sealed evidence of a decision',
  description:
    'The content is read from the sealed entry. A redacted value is absent, and `redacted` lists its path. 404 until the decision is sealed.',
  params: RecordParam,
  replies: { 200: Evidence },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

/** `docs/formats/dpu-chain-v1.md` describes the document. */
export const ProofDocument = named(
  'DecisionProof',
  {
    '@context': Type.String(),
    '@type': Type.Literal('DecisionProof'),
    version: Type.Literal('2.0'),
    exportedAt: DateTime,
    evidence: FreeObject,
    verification: FreeObject,
  },
  { description: 'A portable proof that can be verified without this server' },
)

export const exportEvidence = operation({
  ...read,
  id: 'evidence.export',
  path: '/v1/evidence/{id}/export',
  store: 'cell',
  envelope: 'bare',
  contentType: 'application/ld+json',
  summary: 'Export the evidence as a JSON-LD document that anyone can verify offline',
  description:
    'Store the reply as a file. `npx countersign verify proof.json` checks it, and so does the page at `/verify`.',
  params: RecordParam,
  replies: { 200: ProofDocument },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const DpuState = named('DpuState', {
  id: TypedId('dpu', 'DPU id'),
  status: EvidenceStatus,
  evidenceLevel: EvidenceLevelSchema,
  chainHash: nullable(ChainHash),
  chainIndex: nullable(Type.Integer()),
  domain: ChainDomain,
  createdAt: DateTime,
  sealedAt: nullable(DateTime),
})

export const getUnitState = operation({
  ...read,
  id: 'dpus.getState',
  path: '/v1/dpu/{id}',
  store: 'cell',
  summary: 'Get the state of a decision proof unit: whether it is sealed, and where',
  description: 'Poll it to wait for the seal of a held decision, or subscribe to the webhook event `dpu.sealed`.',
  params: RecordParam,
  replies: { 200: DpuState },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const ChainEntry = named(
  'ChainEntry',
  {
    index: Type.Integer({ minimum: 0 }),
    id: Type.String(),
    hash: ChainHash,
    previousHash: nullable(Type.String()),
    sealedAt: DateTime,
    content: FreeObject,
    values: Type.Optional(FreeObject),
    salts: Type.Optional(FreeObject),
  },
  {
    description:
      'One line of the stream; `content` is the object that was hashed. With `values=true` also `values`, by the paths of their commitments, and their `salts`',
  },
)

const FirstIndex = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Index of the first entry',
})

export const listChainEntries = definition({
  mounts: [
    { access: key('proof:read') },
    {
      access: member('ADMIN', 'INSTRUCTOR'),
      summary: 'Get entries of a chain, one JSON object per line, for verification in the browser',
      description:
        'Each line has the canonical text that was hashed, so that a browser recomputes every hash and link. A range is read in short transactions.',
      query: Type.Object(
        {
          from: FirstIndex,
          limit: Type.Integer({ minimum: 1, maximum: 10_000, default: 2000, description: 'Number of entries' }),
        },
        closed,
      ),
    },
  ],
  id: 'chains.listEntries',
  method: 'GET',
  path: '/chains/{domain}/entries',
  tag: 'Evidence',
  store: 'none',
  envelope: 'bare',
  contentType: 'application/x-ndjson',
  summary: 'Stream a whole hash chain of this center, one JSON object per line',
  description:
    'For auditors. The stream starts at the index `from` and ends with the last entry. After an interruption, continue with the index after the last one received. With `values=true` each line also has the values that its commitments stand for, and their salts, apart from redacted ones; a key that is bound to one actor may not ask for them.',
  params: Type.Object({ domain: ChainDomain }),
  query: Type.Object({
    from: FirstIndex,
    values: Type.Optional(
      oneOf('WithValues', ['true', 'false'], '`true`: also send values and salts that are not redacted'),
    ),
  }),
  replies: { 200: ChainEntry },
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
  summary: 'Get the JSON-LD context that exported proofs refer to',
  replies: { 200: freeObject('JsonLdContext', 'JSON-LD context') },
})
