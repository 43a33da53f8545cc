/** What anybody may ask of a sealed record who knows its address: `verification.verifyUrl` of an exported proof. */
import { Type } from 'typebox'
import { closed, DateTime, nullable } from './common.ts'
import { ChainDomain, EvidenceLevelSchema } from './enums.ts'
import { ChainHash } from './evidence.ts'
import { IdParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Anchoring } from './transparency.ts'

const Checked = Type.Object(
  {
    valid: Type.Boolean({ description: 'All of the following' }),
    hash: Type.Boolean({ description: 'The stored entry still gives its hash' }),
    link: Type.Boolean({ description: 'It follows the entry before it' }),
    place: Type.Boolean({ description: 'The hashed text names this log, this index and this record' }),
    tree: nullable(
      Type.Boolean({ description: 'Its hash leads to the root that the checkpoint signs; null before the first one' }),
    ),
    chain: Type.Boolean({ description: 'No verification has found this chain broken at or before this record' }),
    message: Type.String({ description: 'The same in words' }),
  },
  { ...closed, description: 'What we have just checked in our own records' },
)

const Checkpoint = Type.Object(
  {
    size: Type.Integer({ minimum: 1 }),
    root: Type.String({ description: 'Root of the tree, base64' }),
    note: Type.String({ description: 'The signed checkpoint, a C2SP signed note' }),
  },
  closed,
)

const PublicVerification = Type.Object(
  {
    eventId: Type.String({ description: 'The id of the address: of the decision event, or of the unit' }),
    dpuId: TypedId('dpu', 'DPU id'),
    status: Type.Literal('sealed'),
    log: Type.String({ description: 'Name of the log that it stands in' }),
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0 }),
    chainHash: nullable(ChainHash),
    sealedAt: DateTime,
    evidenceLevel: EvidenceLevelSchema,
    verified: Checked,
    verifiedAt: DateTime,
    anchoring: nullable(Anchoring),
    checkpoint: nullable(Checkpoint),
    inclusionProof: nullable(Type.Array(Type.String(), { description: 'Hashes from the leaf to the root, base64' })),
  },
  { ...closed, description: 'Facts about the hash, and nothing of what the record says' },
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
  summary: 'Whether a sealed record stands, for anybody who has its address',
  description:
    'Takes ids of decision events, evidence and decision proof units. Browsers get a page that can also check an exported file; everybody else gets facts about the hash and never anything that the record says. What is unknown and what is not sealed yet look alike. The center is told with the webhook `dpu.verified`, at most once a minute for each record.',
  params: IdParam,
  replies: { 200: PublicVerification },
  errors: ['NOT_FOUND'],
})
