/** Raising the evidence level with a passkey. Not in the specification. */
import { Type } from 'typebox'
import { ActorId, DateTime, named } from './common.ts'
import { dpuOperation } from './dpu.ts'
import { EvidenceLevelSchema } from './enums.ts'
import { AppliedPolicy } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { RequestOptions } from './passkeys.ts'

const Statement = named(
  'RaiseStatement',
  {
    type: Type.Literal('countersign-raise-v1'),
    log: Type.String({ description: 'The log `history` of the center' }),
    dpuId: TypedId('dpu', 'DPU id'),
    evidenceLevel: EvidenceLevelSchema,
    previous: Type.String({ description: 'The hash of the newest entry about the record' }),
    approverId: ActorId,
    policies: Type.Array(AppliedPolicy),
    rpId: Type.String(),
    nonce: Type.String(),
    issuedAt: DateTime,
  },
  { description: 'What the passkey signs. The export of the record contains it' },
)

export const challengeRaise = operation({
  ...dpuOperation,
  id: 'dpus.challengeRaise',
  method: 'POST',
  path: '/dpu/{id}/challenge',
  store: 'sequenced',
  summary: 'Get the statement that your passkey signs to raise the evidence level of a decision proof unit',
  description:
    'The challenge is good for five minutes, for one raise of the record as it is now. It is judged like the raise itself. Compute the challenge from the statement yourself. `publicKey` names your passkeys that are confirmed in this center; without one the answer is 409.',
  params: RecordParam,
  body: named(
    'NewRaiseChallenge',
    { evidenceLevel: EvidenceLevelSchema },
    { examples: [{ evidenceLevel: 'DOCUMENTED' }] },
  ),
  replies: {
    200: named('RaiseChallenge', { statement: Statement, publicKey: RequestOptions, expiresAt: DateTime }),
  },
  errors: [
    'DPU_NOT_FOUND',
    'DPU_SEALED',
    'INVALID_EVIDENCE_LEVEL',
    'INSUFFICIENT_ROLE',
    'POLICY_VIOLATION',
    'CONFLICT',
    'CHAIN_BROKEN',
  ],
})
