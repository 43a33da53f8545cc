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
    type: Type.Literal('countersign-raise-v1', { description: "The statement's format." }),
    log: Type.String({ description: "The name of the log for the center's `history` chain." }),
    dpuId: TypedId('dpu', 'The DPU whose evidence level is to be raised.'),
    evidenceLevel: EvidenceLevelSchema,
    previous: Type.String({ description: 'The hash of the newest entry about the record.' }),
    approverId: described(ActorId, 'The member who is raising the level.'),
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
  summary: 'Create an evidence-level challenge',
  description:
    "Returns the statement that your passkey signs to raise a DPU's evidence level. You can use the challenge once, within five minutes, and only while the record stays as it is now. The same policies apply to this request as to raising the level. Compute the challenge from the statement yourself. `publicKey` lists your passkeys that are confirmed in this center; if you have none, the response is 409. Send the assertion to `PUT /api/dpu/{id}`.",
  params: RecordParam,
  body: named(
    'NewRaiseChallenge',
    { evidenceLevel: described(EvidenceLevelSchema, 'The level to raise the record to.') },
    { description: 'The evidence level that your passkey will sign for.', examples: [{ evidenceLevel: 'DOCUMENTED' }] },
  ),
  replies: {
    200: named(
      'RaiseChallenge',
      {
        statement: Statement,
        publicKey: RequestOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: 'What your passkey signs to raise the evidence level.' },
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
