/** Verification of a sealed record by its id, without an account: `verification.verifyUrl` of an exported proof. */
import { Type } from 'typebox'
import { DateTime, named, nullable } from './common.ts'
import { ApprovalResult, ChainDomain, EvidenceLevelSchema } from './enums.ts'
import { ChainHash } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Anchoring } from './transparency.ts'

const Checked = named(
  'PublicChecks',
  {
    valid: Type.Boolean({ description: 'Whether all checks below hold' }),
    hash: Type.Boolean({ description: 'The stored entry still has its hash' }),
    link: Type.Boolean({ description: 'The entry refers to the hash of the entry before it' }),
    place: Type.Boolean({ description: 'The hashed text names this log, this index and this record' }),
    tree: nullable(
      Type.Boolean({
        description: 'The hash leads to the root that the checkpoint signs; null before the first checkpoint',
      }),
    ),
    chain: Type.Boolean({ description: 'No verification found this chain broken at or before this record' }),
    message: Type.String({ description: 'The result for people' }),
  },
  { description: 'What the server checked in its own records during this request' },
)

const Checkpoint = named('PublicCheckpoint', {
  size: Type.Integer({ minimum: 1 }),
  root: Type.String({ description: 'Root of the tree, base64' }),
  note: Type.String({ description: 'The signed checkpoint, a C2SP signed note' }),
})

const PublicVerification = named(
  'PublicVerification',
  {
    eventId: Type.String({ description: 'The id in the path: of the decision event, the evidence or the DPU' }),
    dpuId: TypedId('dpu', 'DPU id'),
    status: Type.Literal('sealed'),
    log: Type.String({ description: 'Name of the log that contains the record' }),
    sandbox: Type.Boolean({ description: 'Whether the log is that of a sandbox: test data, and no evidence' }),
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0 }),
    chainHash: nullable(ChainHash),
    sealedAt: DateTime,
    evidenceLevel: EvidenceLevelSchema,
    result: nullable(ApprovalResult),
    verified: Checked,
    verifiedAt: DateTime,
    anchoring: nullable(Anchoring),
    checkpoint: nullable(Checkpoint),
    inclusionProof: nullable(Type.Array(Type.String(), { description: 'Hashes from the leaf to the root, base64' })),
  },
  { description: 'Facts about the hash; the content of the record is not part of it' },
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
  summary: 'Verify a sealed record by its id',
  description:
    'Takes the id of a decision event, of evidence or of a decision proof unit. A browser gets a page that can also check an exported file; other clients get facts about the hash as JSON. Neither shows the content of the record. An unknown id and a record that is not sealed yet get the same reply. The center receives the webhook event `dpu.verified`, at most once a minute per record.',
  params: RecordParam,
  replies: { 200: PublicVerification },
  errors: ['NOT_FOUND'],
})
