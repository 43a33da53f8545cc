/** Raising the evidence level with a passkey. These operations aren't in the specification. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, named } from './common.ts'
import { dpuOperation } from './dpu.ts'
import { EvidenceLevelSchema } from './enums.ts'
import { AppliedPolicy } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { RequestOptions } from './passkeys.ts'

const Statement = named(
  'RaiseStatement',
  {
    type: Type.Literal('countersign-raise-v1', { description: 'The format of the statement.' }),
    log: Type.String({ description: "The name of the center's log `history`." }),
    dpuId: TypedId('dpu', 'The DPU whose level is raised.'),
    evidenceLevel: EvidenceLevelSchema,
    previous: Type.String({ description: 'The hash of the newest entry about the record.' }),
    approverId: described(ActorId, 'The member who raises the level.'),
    policies: Type.Array(AppliedPolicy, { description: 'The policies that apply to the change.' }),
    rpId: Type.String({ description: 'The host that the passkey belongs to.' }),
    nonce: Type.String({ description: 'A random value that makes the statement unique.' }),
    issuedAt: described(DateTime, 'When the server issued the statement.'),
  },
  { description: "The statement that the passkey signs. The record's export contains it." },
)

export const challengeRaise = operation({
  ...dpuOperation,
  id: 'dpus.challengeRaise',
  method: 'POST',
  path: '/dpu/{id}/challenge',
  store: 'sequenced',
  summary: 'Create an evidence level challenge',
  description:
    "Returns the statement that your passkey signs to raise a DPU's evidence level. The challenge is valid for five minutes and for one raise of the record as it is now; policies apply to it as to the raise itself. Compute the challenge from the statement yourself. `publicKey` lists your passkeys that are confirmed in this center; without one the reply is 409. Send the assertion to `PUT /api/dpu/{id}`.",
  params: RecordParam,
  body: named(
    'NewRaiseChallenge',
    { evidenceLevel: described(EvidenceLevelSchema, 'The level to raise the record to.') },
    { description: 'The level that your passkey will sign.', examples: [{ evidenceLevel: 'DOCUMENTED' }] },
  ),
  replies: {
    200: named(
      'RaiseChallenge',
      {
        statement: Statement,
        publicKey: RequestOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: 'What your passkey signs to raise the level.' },
    ),
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
