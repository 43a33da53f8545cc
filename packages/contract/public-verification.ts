/** Verifying a sealed record by its ID, without an account: `verification.verifyUrl` of an exported proof. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { ApprovalResult, ChainDomain, EvidenceLevelSchema } from './enums.ts'
import { ChainHash } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Anchoring } from './transparency.ts'

const Checked = named(
  'PublicChecks',
  {
    valid: Type.Boolean({ description: 'Whether every check below passed.' }),
    hash: Type.Boolean({ description: 'Whether the stored entry still matches its hash.' }),
    link: Type.Boolean({ description: 'Whether the entry refers to the hash of the previous entry.' }),
    place: Type.Boolean({ description: 'Whether the hashed text names this log, this index and this record.' }),
    tree: nullable(
      Type.Boolean({
        description: 'Whether the hash leads to the root in the signed checkpoint. Null before the first checkpoint.',
      }),
    ),
    chain: Type.Boolean({
      description: 'True if no verification has found this chain broken at or before this record.',
    }),
    message: Type.String({ description: 'The result in a sentence.' }),
  },
  { description: 'What the server checked in its own records during this request.' },
)

const Checkpoint = named(
  'PublicCheckpoint',
  {
    size: Type.Integer({ minimum: 1, description: 'The number of entries that the checkpoint covers.' }),
    root: Type.String({ description: 'The root of the tree in base64.' }),
    note: Type.String({ description: 'The signed checkpoint, a C2SP signed note.' }),
  },
  { description: 'The checkpoint that covers the record.' },
)

const PublicVerification = named(
  'PublicVerification',
  {
    eventId: Type.String({ description: "The ID from the path: the decision event's, the evidence's or the DPU's." }),
    dpuId: TypedId('dpu', 'The DPU that holds the record.'),
    status: Type.Literal('sealed', {
      description: "Always `sealed`: a record that isn't sealed yet can't be looked up.",
    }),
    log: Type.String({ description: 'The name of the log that contains the record.' }),
    sandbox: Type.Boolean({
      description: "Whether the log belongs to a sandbox. A sandbox's records are test data and prove nothing.",
    }),
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0, description: "The entry's index in the chain, counted from 0." }),
    chainHash: nullable(described(ChainHash, "The hash of the chain entry. Null if the stored entry can't be read.")),
    sealedAt: described(DateTime, 'When the record was sealed.'),
    evidenceLevel: EvidenceLevelSchema,
    result: nullable(
      described(ApprovalResult, 'Whether the decision was approved or refused. Null if no approval was needed.'),
    ),
    verified: Checked,
    verifiedAt: described(DateTime, 'When the server ran the checks.'),
    anchoring: nullable(described(Anchoring, 'How well the checkpoint is attested. Null before the first checkpoint.')),
    checkpoint: nullable(described(Checkpoint, 'The checkpoint that covers the record. Null before the first one.')),
    inclusionProof: nullable(
      Type.Array(Type.String(), {
        description: 'Hashes in base64 from the leaf up to the root. Null before the first checkpoint.',
      }),
    ),
  },
  { description: "Facts about the record's hash. The record's content isn't included." },
)

export const verifyPublicly = operation({
  id: 'publicVerification.verify',
  surface: 'root',
  method: 'GET',
  path: '/verify/{id}',
  tag: 'Public verification',
  access: { kind: 'public' },
  store: 'none',
  envelope: 'bare',
  page: true,
  summary: 'Verify a sealed record',
  description:
    "Verifies a record by the ID of its decision event, evidence or DPU; no account is needed. A browser gets a page that can also verify an exported file; other clients get JSON. Neither shows the record's content. The response is the same for an unknown ID as for a record that isn't sealed yet. The center receives a `dpu.verified` webhook event, at most once a minute per record.",
  params: RecordParam,
  replies: { 200: PublicVerification },
  errors: ['NOT_FOUND'],
})
