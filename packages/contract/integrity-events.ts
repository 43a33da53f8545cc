/** Webhook events about the integrity of a center's chains. The specification doesn't have them. */
import { Type } from 'typebox'
import { DateTime, described } from './common.ts'
import { ChainDomain } from './enums.ts'

/** Later versions may add fields but never remove any, so receivers must ignore unknown fields. */
const open = { additionalProperties: true } as const

const at = '2026-11-15T09:30:00.000Z'

const ReadOn = Type.String({
  description: 'The URL to read for details, with an API key that has the `proof:read` scope.',
})

const IntegrityAlarm = Type.Object(
  {
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0, description: "The index of the first entry that doesn't match." }),
    affected: Type.Unsafe<'chain'>({
      type: 'string',
      enum: ['chain'],
      description:
        "What is affected: always the chain. Nothing can be added to it until the operator clears the alarm; entries before `chainIndex` aren't affected.",
    }),
    foundAt: described(DateTime, 'When the problem was found.'),
    readOn: ReadOn,
  },
  open,
)

const IntegrityLoss = Type.Object(
  {
    domain: ChainDomain,
    log: Type.String({ description: 'The name under which the log continues.' }),
    generation: Type.Integer({
      minimum: 2,
      description: "The log's generation in this chain: 2 after the first declared loss.",
    }),
    restoredSize: Type.Integer({ minimum: 0, description: 'The number of entries in the restored database.' }),
    lostSize: Type.Integer({ minimum: 1, description: 'The number of entries that had been signed before the loss.' }),
    lostFrom: Type.Integer({ minimum: 0, description: 'The index of the first lost entry, as in its receipt.' }),
    lostTo: Type.Integer({ minimum: 0, description: 'The index of the last lost entry.' }),
    reason: Type.String({ description: "Why entries were lost, in the operator's words." }),
    declaredBy: Type.String({ description: 'Who declared the loss.' }),
    declaredAt: described(DateTime, 'When the loss was declared.'),
    readOn: ReadOn,
  },
  open,
)

export const integrityEvents = {
  'integrity.alarm': {
    description: "One of the center's chains failed verification. The operator has been alerted too.",
    schema: IntegrityAlarm,
    example: {
      domain: 'proof',
      chainIndex: 41,
      affected: 'chain',
      foundAt: at,
      readOn: 'https://api.example/api/v1/chains/proof/entries',
    },
    fromApps: false,
  },
  'integrity.loss': {
    description:
      "The operator declared that some of the center's sealed entries were lost, for example after a restore.",
    schema: IntegrityLoss,
    example: {
      domain: 'proof',
      log: 'proof.example/c/42/proof/2',
      generation: 2,
      restoredSize: 430,
      lostSize: 663,
      lostFrom: 430,
      lostTo: 662,
      reason: 'The disk of db-1 failed; the replica was 40 s behind.',
      declaredBy: 'Operations',
      declaredAt: at,
      readOn: 'https://api.example/api/v1/chains/proof/generations',
    },
    fromApps: false,
  },
} as const
