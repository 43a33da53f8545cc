/** Receipts, checkpoints and proofs that a log is append-only; docs/formats/transparency.md describes them. */
import { Type } from 'typebox'
import { DateTime, freeObject, named, nullable } from './common.ts'
import { ChainDomain, oneOf } from './enums.ts'
import { operation } from './operation.ts'

const Hashes = Type.Array(Type.String(), { description: 'Hashes of 32 bytes, base64, from the entry to the root' })
const LogName = Type.String({ description: 'Name of the log: host, center and domain of the chain' })
const Note = Type.String({
  description: 'A signed checkpoint (c2sp.org/tlog-checkpoint), with the cosignatures of witnesses',
})
const Size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

const receiptFields = {
  log: LogName,
  index: Size,
  size: Type.Integer({ description: 'Size of the tree that the proof leads to' }),
  inclusionProof: Hashes,
  checkpoint: Note,
}

export const Receipt = named('Receipt', receiptFields, {
  description: 'Store it: it proves that the entry was sealed, even if the database of this server is lost or changed',
})

export const Anchoring = oneOf(
  'Anchoring',
  ['logged', 'witnessed', 'timestamped'],
  'State of the checkpoint: signed by this server, cosigned by witnesses, or time-stamped by an authority',
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
  summary: 'Get the newest signed checkpoint of a chain',
  description:
    'Store it. If a later checkpoint does not continue it, the history of the chain was rewritten; `GET /api/v1/chains/{domain}/consistency` gives the proof.',
  params: Type.Object({ domain: ChainDomain }),
  replies: {
    200: named('Checkpoint', {
      log: LogName,
      size: Size,
      root: nullable(Type.String({ description: 'Root of the tree, base64; null while the chain is empty' })),
      checkpoint: nullable(Note),
      anchoring: nullable(Anchoring),
    }),
  },
})

export const getInclusionProof = operation({
  ...chain,
  id: 'chains.getInclusionProof',
  path: '/v1/chains/{domain}/proofs/{index}',
  summary: 'Get a portable proof that an entry is in a chain',
  description:
    'The proof is for the newest checkpoint, or for the checkpoint of `size`; any published size can be named.',
  params: Type.Object({ domain: ChainDomain, index: Size }),
  query: Type.Object({ size: Type.Optional(Size) }),
  replies: {
    200: named('InclusionProof', {
      ...receiptFields,
      tlogProof: Type.String({ description: 'The same proof as one text (c2sp.org/tlog-proof)' }),
    }),
  },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

export const getConsistencyProof = operation({
  ...chain,
  id: 'chains.getConsistencyProof',
  path: '/v1/chains/{domain}/consistency',
  summary: 'Get a proof that a chain continues the same chain at a smaller size',
  params: Type.Object({ domain: ChainDomain }),
  query: Type.Object({
    from: Size,
    to: Type.Optional(Type.Integer({ ...Size, description: 'Default: the size of the newest checkpoint' })),
  }),
  replies: {
    200: named('ConsistencyProof', { log: LogName, from: Size, to: Size, consistencyProof: Hashes }),
  },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const ClosedLog = named('ClosedLog', {
  log: LogName,
  size: Type.Integer({ description: 'Size of its newest checkpoint that was restored' }),
  checkpoint: nullable(Note),
})

export const LogGeneration = named('LogGeneration', {
  generation: Type.Integer({ minimum: 2 }),
  log: LogName,
  predecessor: ClosedLog,
  declaration: freeObject(
    'LogSuccession',
    'The statement of what was restored and what is lost, and the proof that the log has it. Keep it with receipts of lost entries: `countersign verify --declaration` reads it.',
  ),
})

export const listGenerations = operation({
  ...chain,
  id: 'chains.listGenerations',
  path: '/v1/chains/{domain}/generations',
  summary: 'List the declared losses of a chain',
  description:
    'Empty for a chain that never lost entries. After a loss the log is closed, and its next generation continues the chain under another name. Its first own entry is the statement.',
  params: Type.Object({ domain: ChainDomain }),
  replies: {
    200: named('LogGenerations', { log: LogName, generations: Type.Array(LogGeneration) }),
  },
  errors: ['CHAIN_BROKEN'],
})

const VerifierKeyText = Type.String({ description: 'Verifier key as in c2sp.org/signed-note' })

const LogKey = named('LogKey', {
  vkey: VerifierKeyText,
  from: DateTime,
  until: nullable(DateTime),
  stolenAt: nullable(
    Type.String({
      format: 'date-time',
      description: 'When the key was reported stolen. What it signed afterwards proves nothing, and `policy` no longer trusts it',
    }),
  ),
  endorsement: nullable(
    Type.String({ description: 'Signature of the previous key over `endorsedText`, base64; null for the first key' }),
  ),
  endorsedText: Type.String(),
})

const Witness = named('Witness', { name: Type.String(), vkey: VerifierKeyText, url: nullable(Type.String()) })

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
  summary: 'Get the names and keys of the logs of this server, and their witnesses',
  description:
    'Obtain the policy once over a trusted channel and store it. A verifier that fetches it together with each proof trusts the server anew each time.',
  replies: {
    200: named('LogDocument', {
      logHost: Type.String(),
      originTemplate: Type.String({ description: 'Name of a log, with `{centerId}` and `{domain}` to fill in' }),
      sandboxOriginTemplate: Type.String({ description: 'Name of a log of a sandbox, which holds test data' }),
      domains: Type.Array(ChainDomain),
      keys: Type.Array(LogKey, {
        description: 'Newest first; one key signs for all logs of this host, each under its own name',
      }),
      witnesses: Type.Array(Witness),
      quorum: Type.String(),
      policy: Type.String({ description: 'The same as a policy file for a verifier (c2sp.org/tlog-policy)' }),
    }),
  },
})
