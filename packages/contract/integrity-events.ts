/** Webhook events about the integrity of a center's chains; both are ours. */
import { Type } from 'typebox'
import { DateTime } from './common.ts'
import { ChainDomain } from './enums.ts'

/** A later version may add fields and removes none: a consumer ignores unknown fields. */
const open = { additionalProperties: true } as const

const at = '2026-11-15T09:30:00.000Z'

const ReadOn = Type.String({ description: 'Where to read on, with a key that has the scope `proof:read`' })

const IntegrityAlarm = Type.Object(
  {
    domain: ChainDomain,
    chainIndex: Type.Integer({ minimum: 0, description: 'The lowest entry that does not hold' }),
    affected: Type.Unsafe<'chain'>({
      type: 'string',
      enum: ['chain'],
      description: 'Nothing is sealed onto this chain until the operator has cleared the alarm; earlier entries stand',
    }),
    foundAt: DateTime,
    readOn: ReadOn,
  },
  open,
)

const IntegrityLoss = Type.Object(
  {
    domain: ChainDomain,
    log: Type.String({ description: 'The name under which the log goes on' }),
    generation: Type.Integer({ minimum: 2 }),
    restoredSize: Type.Integer({ minimum: 0, description: 'Entries that the restored database had' }),
    lostSize: Type.Integer({ minimum: 1, description: 'Entries that were signed before' }),
    lostFrom: Type.Integer({ minimum: 0, description: 'Index of the first lost entry, as in its receipt' }),
    lostTo: Type.Integer({ minimum: 0, description: 'Index of the last lost entry' }),
    reason: Type.String(),
    declaredBy: Type.String(),
    declaredAt: DateTime,
    readOn: ReadOn,
  },
  open,
)

export const integrityEvents = {
  'integrity.alarm': {
    description: 'A chain of the center does not hold; the operator is alarmed too',
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
    description: 'The operator declared that sealed entries of the center were lost, after a restore for example',
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
