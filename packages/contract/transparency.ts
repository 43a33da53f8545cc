/** Receipts, checkpoints and proofs: what shows to anybody that a log only ever grew. Ours; see docs/formats/transparency.md. */
import { Type } from 'typebox'
import { closed, DateTime, nullable } from './common.ts'
import { ChainDomain } from './enums.ts'
import { operation } from './operation.ts'

const Hashes = Type.Array(Type.String(), { description: 'Hashes of 32 bytes in base64, from the entry up to the root' })
const LogName = Type.String({ description: 'The name of the log: host, center and domain of the chain' })
const Note = Type.String({
  description: 'A signed checkpoint (c2sp.org/tlog-checkpoint), with the cosignatures it has',
})
const Size = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

export const Receipt = Type.Object(
  {
    log: LogName,
    index: Size,
    size: Type.Integer({ description: 'Of the tree that the proof leads to' }),
    inclusionProof: Hashes,
    checkpoint: Note,
  },
  {
    ...closed,
    description: 'Keep it: with it anybody can be shown that the entry was sealed, whatever becomes of our database',
  },
)

export const Anchoring = Type.Union([Type.Literal('logged'), Type.Literal('witnessed'), Type.Literal('timestamped')], {
  description: 'How far the checkpoint has come: signed by us, cosigned by witnesses, stamped with the time',
})

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
  summary: 'The newest signed checkpoint of a chain',
  description: 'Keep it. A later checkpoint that does not continue it proves that history was rewritten.',
  params: Type.Object({ domain: ChainDomain }),
  replies: {
    200: Type.Object(
      {
        log: LogName,
        size: Size,
        root: nullable(Type.String({ description: 'In base64; null while the chain is empty' })),
        checkpoint: nullable(Note),
        anchoring: nullable(Anchoring),
      },
      closed,
    ),
  },
})

export const getInclusionProof = operation({
  ...chain,
  id: 'chains.getInclusionProof',
  path: '/v1/chains/{domain}/proofs/{index}',
  summary: 'That an entry stands in a chain, as a portable proof',
  description:
    'Against the newest checkpoint, or the one of `size`: every checkpoint that we ever gave to anybody can be named.',
  params: Type.Object({ domain: ChainDomain, index: Size }),
  query: Type.Object({ size: Type.Optional(Size) }),
  replies: {
    200: Type.Object(
      {
        ...Receipt.properties,
        tlogProof: Type.String({ description: 'The same as one text (c2sp.org/tlog-proof)' }),
      },
      closed,
    ),
  },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

export const getConsistencyProof = operation({
  ...chain,
  id: 'chains.getConsistencyProof',
  path: '/v1/chains/{domain}/consistency',
  summary: 'That a chain of one size continues the same chain of a smaller size',
  params: Type.Object({ domain: ChainDomain }),
  query: Type.Object({
    from: Size,
    to: Type.Optional(Type.Integer({ ...Size, description: 'The newest checkpoint when absent' })),
  }),
  replies: {
    200: Type.Object({ log: LogName, from: Size, to: Size, consistencyProof: Hashes }, closed),
  },
  errors: ['NOT_FOUND', 'CHAIN_BROKEN'],
})

const VerifierKeyText = Type.String({ description: 'A verifier key as in c2sp.org/signed-note' })

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
  summary: 'Names and keys of our logs, and who witnesses them',
  description:
    'Take the policy once, by a way that you trust, and keep it: whoever fetches it with every proof believes us anew each time.',
  replies: {
    200: Type.Object(
      {
        logHost: Type.String(),
        originTemplate: Type.String({ description: '`{centerId}` and `{domain}` are to be filled in' }),
        domains: Type.Array(ChainDomain),
        keys: Type.Array(
          Type.Object(
            {
              vkey: VerifierKeyText,
              from: DateTime,
              until: nullable(DateTime),
              endorsement: nullable(
                Type.String({ description: 'By the key before, in base64, over `endorsedText`; null for the first' }),
              ),
              endorsedText: Type.String(),
            },
            closed,
          ),
          { description: 'Newest first; one key signs for all logs of this host, each under its own name' },
        ),
        witnesses: Type.Array(
          Type.Object({ name: Type.String(), vkey: VerifierKeyText, url: nullable(Type.String()) }, closed),
        ),
        quorum: Type.String(),
        policy: Type.String({ description: 'The same as a policy file for a verifier (c2sp.org/tlog-policy)' }),
      },
      closed,
    ),
  },
})
