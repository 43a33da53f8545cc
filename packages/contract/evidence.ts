/** Approvals that seal, and the evidence of sealed decisions: part 4.7 of the specification. */
import { Type } from 'typebox'
import { key, member } from './access.ts'
import { closed, DateTime, described, FreeObject, freeObject, named, nullable } from './common.ts'
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

export const Approver = named(
  'Approver',
  {
    id: Type.String({
      minLength: 1,
      maxLength: 10_000,
      description: "The approver's ID in your own system, or their actor ID if they're a member of the center.",
      examples: ['therapist-4'],
    }),
    type: ApproverType,
    name: Type.Optional(described(Text, "The approver's name, as it should appear in the record.", 'Kim Minji')),
  },
  { description: 'Who approves or refuses.' },
)

export const ChainHash = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description: 'A hash: `sha256:` followed by 64 hex digits.',
})

export const Approval = named(
  'Approval',
  {
    approvalId: TypedId('approval', 'The ID of this approval or refusal.'),
    decisionId: Type.String({ description: "The decision's own ID, as returned when it was recorded." }),
    approver: Approver,
    result: ApprovalResult,
    reason: Type.Optional(described(Text, 'The comment that came with the approval.')),
    evidenceLevel: EvidenceLevelSchema,
    sealedHash: nullable(
      described(ChainHash, 'The hash of the chain entry. Null while another approval is still needed.'),
    ),
    sealedAt: nullable(
      described(DateTime, 'When the decision was sealed. Null while another approval is still needed.'),
    ),
    createdAt: described(DateTime, 'When the server received the approval.'),
    receipt: nullable(described(Receipt, 'The receipt for the seal. Null while another approval is still needed.')),
  },
  { description: 'An approval or refusal, with the seal if it completed the decision.' },
)

const NewApproval = named(
  'NewApproval',
  {
    approver: Approver,
    result: ApprovalResult,
    reason: Type.Optional(
      described(
        Text,
        'A comment on the decision. The comment is sealed with the decision.',
        'Agrees with my own assessment.',
      ),
    ),
  },
  {
    description: 'The approval or refusal to give.',
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
  summary: 'Approve or refuse a decision event',
  description:
    'Approves or refuses a decision in the name of a person or a system. Either way, the decision is permanently sealed. The server responds once the seal is committed. If a policy requires two approvers, the response to the first approval has no hash; a second approval, by someone else, seals the decision. Keep the `receipt`.',
  params: RecordParam,
  body: NewApproval,
  replies: { 200: Approval },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const SealedEvent = named(
  'SealedEvent',
  {
    type: DecisionEventType,
    actor: Type.Partial(EventActor, {
      ...closed,
      title: 'SealedActor',
      description: 'Who or what made the decision. Fields that have been redacted are missing.',
    }),
    action: described(EventAction, 'What was decided, or what is to be done.'),
    ...optionalFields,
    tags: Type.Optional(Type.Array(Tag, { description: 'The tags that were sealed with the decision.' })),
    recordedBy: Type.Optional(Type.String({ description: 'The API key that recorded the decision.' })),
    replaces: Type.Optional(Type.String({ description: 'The decision event that this one replaces.' })),
    occurredAt: described(DateTime, 'When the decision was made.'),
  },
  { description: 'The decision as it was sealed.' },
)

const ApproverIdentity = named(
  'ApproverIdentity',
  {
    level: IdentityLevelSchema,
    by: Type.Optional(Type.String({ description: 'The API key or member that vouches for the approver.' })),
  },
  { description: "How the approver's identity was established, and who vouches for it." },
)

export const SealedApproval = named(
  'SealedApproval',
  {
    approver: Type.Partial(Approver, {
      ...closed,
      title: 'SealedApprover',
      description: 'Who approved or refused. Fields that have been redacted are missing.',
    }),
    result: ApprovalResult,
    reason: Type.Optional(described(Text, 'The comment that came with the approval.')),
    submittedBy: Type.Optional(Type.String({ description: 'The API key or session that sent the approval.' })),
    identity: ApproverIdentity,
    channel: Type.Optional(Type.String({ description: 'Where the approval was given: `api`, `page` or `console`.' })),
    openedAt: Type.Optional(described(DateTime, 'When the approver first opened the decision.')),
    decidedAt: Type.Optional(described(DateTime, 'When the approver decided.')),
    onBehalfOf: Type.Optional(Type.String({ description: 'The member on whose behalf a deputy approved.' })),
    approvedAt: described(DateTime, 'When the server accepted the approval.'),
  },
  { description: 'The approval or refusal that sealed the decision.' },
)

export const AppliedPolicy = named(
  'AppliedPolicy',
  {
    id: Type.String({ description: "The policy's ID." }),
    version: Type.Integer({ description: 'The version that applied.' }),
    digest: Type.String({ description: "The policy version's digest." }),
  },
  { description: 'A policy that applied to the decision, with its version.' },
)

export const ChainPlace = named(
  'ChainPosition',
  {
    hash: described(ChainHash, 'The hash of this entry: `sha256:` followed by 64 hex digits.'),
    previousHash: nullable(
      Type.String({ description: 'The hash of the previous entry. Null for the first entry of the chain.' }),
    ),
    index: Type.Integer({ minimum: 0, description: "The entry's index in the chain, counted from 0." }),
    domain: ChainDomain,
  },
  { description: 'Where the record is in the chain.' },
)

export const Redacted = Type.Optional(
  Type.Array(Type.String({ examples: ['approval.approver.name'] }), {
    description: 'The paths of the values that have been redacted. Absent if there are none.',
  }),
)

const Evidence = named(
  'Evidence',
  {
    id: TypedId('evidence', 'The evidence ID.'),
    decisionId: Type.String({ description: "The decision's own ID, as returned when it was recorded." }),
    status: EvidenceStatus,
    evidenceLevel: EvidenceLevelSchema,
    actionDigest: ActionDigest,
    actionSalt: ActionSalt,
    event: SealedEvent,
    approval: nullable(
      described(SealedApproval, 'The approval or refusal that sealed the decision. Null if no approval was needed.'),
    ),
    priorApprovals: Type.Optional(
      Type.Array(FreeObject, {
        description: "Earlier approvals, oldest first. If an approval didn't count, its `void` says why.",
      }),
    ),
    control: Type.Optional(
      described(
        FreeObject,
        "The policies under which the decision was sealed, what the page said it showed, and the `history` entry that makes the approver's role count. This object names no person and is never redacted.",
      ),
    ),
    policies: Type.Optional(
      Type.Array(AppliedPolicy, { description: 'The policies that applied when the decision was sealed.' }),
    ),
    chain: ChainPlace,
    sealedAt: described(DateTime, 'When the decision was sealed.'),
    createdAt: described(DateTime, 'When the decision was recorded.'),
    redacted: Redacted,
    receipt: nullable(described(Receipt, "The receipt for the seal. Null if it couldn't be issued yet.")),
  },
  { description: "A decision's sealed evidence." },
)

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
  summary: "Retrieve a decision's evidence",
  description:
    'Returns the decision as it was sealed, read from the chain entry. Redacted values are absent, and `redacted` lists their paths. The response is 404 until the decision is sealed.',
  params: RecordParam,
  replies: { 200: Evidence },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

/** `docs/formats/dpu-chain-v1.md` describes the document. */
export const ProofDocument = named(
  'DecisionProof',
  {
    '@context': Type.String({ description: 'The URL of the JSON-LD context.' }),
    '@type': Type.Literal('DecisionProof', { description: "The document's JSON-LD type." }),
    version: Type.Literal('2.0', { description: 'The version of the export format.' }),
    exportedAt: described(DateTime, 'When the file was created.'),
    evidence: described(FreeObject, 'The sealed record with its commitments and disclosed values.'),
    verification: described(
      FreeObject,
      'What a verifier needs: the chain entry, the inclusion proof, the checkpoint and the keys.',
    ),
    policyTexts: Type.Optional(
      Type.Array(Type.String({ description: "A policy's exact text." }), {
        description:
          'The texts of the policies that the seal names, if you asked for them. A verifier compares each with the digest in the seal and checks that the approvals fit the approval lines.',
      }),
    ),
  },
  { description: 'A portable proof that anyone can verify without this server.' },
)

export const exportEvidence = operation({
  ...read,
  id: 'evidence.export',
  path: '/v1/evidence/{id}/export',
  store: 'cell',
  envelope: 'bare',
  contentType: 'application/ld+json',
  summary: "Export a decision's evidence",
  description:
    'Returns a JSON-LD document that anyone can verify offline. Save the response as a file, then verify it with `npx @countersign/cli verify proof.json` or on the `/verify` page.',
  params: RecordParam,
  replies: { 200: ProofDocument },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const DpuState = named(
  'DpuState',
  {
    id: TypedId('dpu', "The DPU's ID."),
    status: EvidenceStatus,
    evidenceLevel: EvidenceLevelSchema,
    chainHash: nullable(described(ChainHash, 'The hash of the chain entry. Null until the DPU is sealed.')),
    chainIndex: nullable(
      Type.Integer({ description: "The entry's index in the chain. Null until the DPU is sealed." }),
    ),
    domain: ChainDomain,
    createdAt: described(DateTime, 'When the DPU was created.'),
    sealedAt: nullable(described(DateTime, 'When the DPU was sealed. Null until then.')),
  },
  { description: 'Whether a DPU is sealed, and where it is in the chain.' },
)

export const getUnitState = operation({
  ...read,
  id: 'dpus.getState',
  path: '/v1/dpu/{id}',
  store: 'cell',
  summary: "Retrieve a DPU's state",
  description:
    'Returns whether a decision proof unit is sealed, and where it is in the chain. To find out when a held decision is sealed, poll this operation or subscribe to the `dpu.sealed` webhook event.',
  params: RecordParam,
  replies: { 200: DpuState },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const ChainEntry = named(
  'ChainEntry',
  {
    index: Type.Integer({ minimum: 0, description: "The entry's index in the chain, counted from 0." }),
    id: Type.String({ description: 'The ID of the record that the entry is about.' }),
    hash: described(ChainHash, 'The hash of this entry: `sha256:` followed by 64 hex digits.'),
    previousHash: nullable(Type.String({ description: 'The hash of the previous entry. Null for the first entry.' })),
    sealedAt: described(DateTime, 'When the entry was sealed.'),
    content: described(FreeObject, 'The object that was hashed.'),
    values: Type.Optional(described(FreeObject, 'With `values=true`: the values behind the commitments, by path.')),
    salts: Type.Optional(described(FreeObject, 'With `values=true`: the salts of the values, by path.')),
  },
  {
    description:
      'One line of the stream. `content` is the object that was hashed. With `values=true`, the line also has `values` and `salts`.',
  },
)

const FirstIndex = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'The index of the first entry to return, counted from 0.',
})

export const listChainEntries = definition({
  mounts: [
    { access: key('proof:read') },
    {
      access: member('ADMIN', 'INSTRUCTOR'),
      summary: 'List chain entries',
      description:
        'Streams a range of a chain, one JSON object per line. Each line has the canonical text that was hashed, so that a browser can recompute every hash and link.',
      query: Type.Object(
        {
          from: FirstIndex,
          limit: Type.Integer({
            minimum: 1,
            maximum: 10_000,
            default: 2000,
            description: 'The number of entries to return.',
          }),
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
  summary: 'Stream a chain',
  description:
    "Streams the whole chain for auditors, one JSON object per line, from the index in `from` to the last entry. If the stream is interrupted, set `from` to the index after the last one you received. With `values=true`, each line also has the values behind its commitments and their salts, except for redacted values. An API key that is bound to an actor can't request values.",
  params: Type.Object({ domain: ChainDomain }),
  query: Type.Object({
    from: FirstIndex,
    values: Type.Optional(
      oneOf('WithValues', ['true', 'false'], "Set to `true` to include values and salts that aren't redacted."),
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
  summary: 'Retrieve the JSON-LD context',
  description: 'Returns the JSON-LD context that exported proofs refer to. Verification works without it.',
  replies: { 200: freeObject('JsonLdContext', 'The JSON-LD context.') },
})
