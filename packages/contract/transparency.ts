/** Receipts, checkpoints and proofs that a log is append-only; docs/formats/transparency.md describes them. */
import { Type } from 'typebox'
import { DateTime, described, freeObject, named, nullable } from './common.ts'
import { ChainDomain, oneOf } from './enums.ts'
import { operation } from './operation.ts'

const Hashes = Type.Array(Type.String(), {
  description: 'The 32-byte hashes in base64, from the entry up to the root.',
})
const LogName = Type.String({
  description: "The log's name, which consists of the host, the center and the chain's domain.",
})
const Note = Type.String({
  description: "A signed checkpoint (c2sp.org/tlog-checkpoint) with the witnesses' cosignatures.",
})
const Size = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'A number of entries, counted from the start of the log.',
  examples: [42],
})

const receiptFields = {
  log: LogName,
  index: described(Size, "The entry's index in the log, counted from 0.", 41),
  size: Type.Integer({ description: 'The size of the tree that the proof leads to.' }),
  inclusionProof: Hashes,
  checkpoint: Note,
}

export const Receipt = named('Receipt', receiptFields, {
  description:
    "The checkpoint and inclusion proof for an entry. Store it: it proves that the entry was sealed even if this server's database is lost or changed.",
})

export const Anchoring = oneOf(
  'Anchoring',
  ['logged', 'witnessed', 'timestamped'],
  'How well the checkpoint is attested: `logged` (signed by this server), `witnessed` (cosigned by witnesses) or `timestamped` (by a time-stamping authority).',
)

const chain = {
  surface: 'proof',
  method: 'GET',
  tag: 'Transparency',
  access: { kind: 'key', scope: 'proof:read' },
  store: 'cell',
} as const

export const getCheckpoint = operation({
  ...chain,
  id: 'chains.getCheckpoint',
  path: '/v1/chains/{domain}/checkpoint',
  summary: 'Retrieve the newest checkpoint',
  description:
    "Returns a chain's newest signed checkpoint. Store it: if a later checkpoint isn't consistent with it, the chain's history was rewritten. To get the consistency proof, call `GET /api/v1/chains/{domain}/consistency`.",
  params: Type.Object({ domain: ChainDomain }),
  replies: {
    200: named(
      'Checkpoint',
      {
        log: LogName,
        size: described(Size, 'The number of entries that the checkpoint covers.'),
        root: nullable(Type.String({ description: 'The root of the tree in base64. Null while the chain is empty.' })),
        checkpoint: nullable(described(Note, 'The signed checkpoint. Null while the chain is empty.')),
        anchoring: nullable(
          described(Anchoring, 'How well the checkpoint is attested. Null while the chain is empty.'),
        ),
      },
      { description: "A chain's newest signed checkpoint." },
    ),
  },
})

export const getInclusionProof = operation({
  ...chain,
  id: 'chains.getInclusionProof',
  path: '/v1/chains/{domain}/proofs/{index}',
  summary: 'Retrieve an inclusion proof',
  description:
    'Returns a portable proof that an entry is in a chain. The proof leads to the newest checkpoint or, with `size`, to the checkpoint of that size; any published size works.',
  params: Type.Object({
    domain: ChainDomain,
    index: described(Size, "The entry's index in the chain, counted from 0.", 41),
  }),
  query: Type.Object({
    size: Type.Optional(
      described(Size, 'The size of the checkpoint that the proof should lead to. Defaults to the newest.', 42),
    ),
  }),
  replies: {
    200: named(
      'InclusionProof',
      {
        ...receiptFields,
        tlogProof: Type.String({ description: 'The proof as a single text (c2sp.org/tlog-proof).' }),
      },
      { description: 'A proof that an entry is in a chain.' },
    ),
  },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

export const getConsistencyProof = operation({
  ...chain,
  id: 'chains.getConsistencyProof',
  path: '/v1/chains/{domain}/consistency',
  summary: 'Retrieve a consistency proof',
  description:
    'Returns a proof that the chain at one size continues the same chain at a smaller size. Use it to compare a checkpoint that you stored with a newer one.',
  params: Type.Object({ domain: ChainDomain }),
  query: Type.Object({
    from: described(Size, 'The size of the earlier checkpoint, the one you stored.', 40),
    to: Type.Optional(
      Type.Integer({
        ...Size,
        description: 'The size of the later checkpoint. Defaults to the newest.',
        examples: [42],
      }),
    ),
  }),
  replies: {
    200: named(
      'ConsistencyProof',
      {
        log: LogName,
        from: described(Size, 'The size of the earlier checkpoint.'),
        to: described(Size, 'The size of the later checkpoint.'),
        consistencyProof: described(Hashes, 'The 32-byte hashes that make up the proof, in base64.'),
      },
      { description: 'A proof that a chain continues the same chain at a smaller size.' },
    ),
  },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const ClosedLog = named(
  'ClosedLog',
  {
    log: LogName,
    size: Type.Integer({ description: 'The size of the newest checkpoint that was restored.' }),
    checkpoint: nullable(described(Note, 'The newest checkpoint that was restored. Null if there was none.')),
  },
  { description: 'A log that was closed after a loss.' },
)

export const LogGeneration = named(
  'LogGeneration',
  {
    generation: Type.Integer({
      minimum: 2,
      description: "The log's generation in this chain: 2 after the first declared loss.",
    }),
    log: LogName,
    predecessor: described(ClosedLog, 'The log that was closed.'),
    declaration: freeObject(
      'LogSuccession',
      'The statement of what was restored and what was lost, with the proof that the log contains it. Keep it with receipts for lost entries: `countersign verify --declaration` reads it.',
    ),
  },
  { description: 'A declared loss, and the log that continues the chain.' },
)

export const listGenerations = operation({
  ...chain,
  id: 'chains.listGenerations',
  path: '/v1/chains/{domain}/generations',
  summary: "List a chain's declared losses",
  description:
    'Returns the losses that the operator declared. The list is empty for a chain that never lost entries. After a loss, the log is closed, and a new generation of it continues the chain under a new name; the first entry that the new log adds is the statement of the loss.',
  params: Type.Object({ domain: ChainDomain }),
  replies: {
    200: named(
      'LogGenerations',
      {
        log: LogName,
        generations: Type.Array(LogGeneration, { description: 'The generations after the first one, oldest first.' }),
      },
      { description: "A chain's declared losses." },
    ),
  },
  errors: ['CHAIN_BROKEN'],
})

const VerifierKeyText = Type.String({ description: 'A verifier key as in c2sp.org/signed-note.' })

const LogKey = named(
  'LogKey',
  {
    vkey: VerifierKeyText,
    from: described(DateTime, 'When the key started signing.'),
    until: nullable(described(DateTime, 'When the key stopped signing. Null for the current key.')),
    stolenAt: nullable(
      Type.String({
        format: 'date-time',
        description:
          "When the key was reported stolen. Anything it signed after that proves nothing, and `policy` no longer trusts the key. Null if it wasn't reported stolen.",
      }),
    ),
    endorsement: nullable(
      Type.String({
        description: "The previous key's signature over `endorsedText` in base64. Null for the first key.",
      }),
    ),
    endorsedText: Type.String({ description: 'The text that the previous key signed to hand over to this one.' }),
  },
  { description: 'A key that signs checkpoints.' },
)

const Witness = named(
  'Witness',
  {
    name: Type.String({ description: "The witness's name, as in its cosignatures." }),
    vkey: VerifierKeyText,
    url: nullable(Type.String({ description: "The address of the witness. Null if it isn't public." })),
  },
  { description: 'A witness that cosigns checkpoints.' },
)

export const getLogDocument = operation({
  id: 'logs.get',
  surface: 'root',
  method: 'GET',
  path: '/.well-known/countersign-log.json',
  tag: 'Transparency',
  access: { kind: 'public' },
  store: 'none',
  rate: 'none',
  envelope: 'bare',
  summary: 'Retrieve the log document',
  description:
    "Returns the names and keys of this server's logs, and their witnesses. Get the trust policy once over a channel you trust and store it: a verifier that fetches it with each proof trusts the server each time.",
  replies: {
    200: named(
      'LogDocument',
      {
        logHost: Type.String({ description: 'The host that all log names start with.' }),
        originTemplate: Type.String({ description: 'The name of a log, with `{centerId}` and `{domain}` to fill in.' }),
        sandboxOriginTemplate: Type.String({ description: "The name of a sandbox's log, which holds test data." }),
        domains: Type.Array(ChainDomain, { description: 'The domains that each center has a log for.' }),
        keys: Type.Array(LogKey, {
          description: "The keys, newest first. One key signs for all of this host's logs, each under its own name.",
        }),
        witnesses: Type.Array(Witness, { description: 'The witnesses that cosign checkpoints.' }),
        quorum: Type.String({ description: 'How many witnesses must cosign, in the syntax of a trust policy.' }),
        policy: Type.String({
          description: 'The log document as a trust policy file for a verifier (c2sp.org/tlog-policy).',
        }),
      },
      { description: "The names and keys of this server's logs." },
    ),
  },
})
