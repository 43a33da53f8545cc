/** Acting on a sealed decision: it is consumed once, for exactly the action that was sealed, and its outcome is reported. */
import { Type } from 'typebox'
import { DateTime, FreeObject, freeObject, named, nullable } from './common.ts'
import { ExecutionOutcome } from './enums.ts'
import { ChainHash } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Receipt } from './transparency.ts'

const Executor = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'One attempt to run the action: new for each attempt, and kept only in memory',
})

/** The bytes of `output` as JSON. Every export of the decision contains it. */
export const mostOutputBytes = 16_384

export const Execution = nullable(
  named(
    'DecisionExecution',
    {
      executor: Executor,
      consumedAt: DateTime,
      outcome: nullable(
        named('ExecutionReport', {
          status: ExecutionOutcome,
          reportedAt: DateTime,
          output: Type.Optional(
            freeObject(
              'ExecutionOutput',
              'The output that was reported. Only for the key that reported it and for members; absent after a redaction',
            ),
          ),
        }),
      ),
    },
    {
      description:
        'Who acts on the decision, and the outcome that was reported last, which proves no execution; null until it is consumed',
    },
  ),
)

const acting = {
  surface: 'proof',
  method: 'POST',
  tag: 'Decision events',
  access: { kind: 'key', scope: 'proof:write', or: 'decide', bound: true },
  store: 'sequenced',
  params: RecordParam,
  // The executor identifies the attempt. A stored answer would let a process that was restarted run the action again.
  idempotency: false,
} as const

export const consumeDecision = operation({
  ...acting,
  id: 'decisionEvents.consume',
  path: '/v1/decision-events/{id}/consume',
  summary: 'Take a sealed decision for execution: once, and for exactly the action that was sealed',
  description:
    'Compute `actionDigest` from the arguments that you are about to run; never send a digest that you have read. Allowed for the key that recorded the decision and for keys bound to its actor. The same key and `executor` get the same answer again with `replayed: true`; another executor gets 409, and `details.executor` names the first one. An `Idempotency-Key` is ignored.',
  body: named(
    'NewConsumption',
    {
      actionDigest: Type.String({ pattern: '^sha256:[0-9a-f]{64}$', description: '`sha256:` and 64 hex digits' }),
      executor: Executor,
    },
    {
      examples: [
        {
          actionDigest: 'sha256:4b3f6d1c0a9e8b7d2c5f4e3a1b0d9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c',
          executor: '5f0c1d2e-9b8a-4c7d-a6e5-f43b2a1c0d9e',
        },
      ],
    },
  ),
  replies: {
    200: named('Consumption', {
      eventId: TypedId('decisionEvent', 'Decision event id'),
      actionDigest: ChainHash,
      executor: Executor,
      consumedAt: DateTime,
      replayed: Type.Boolean({ description: 'Whether this executor had consumed the decision before' }),
      chainHash: ChainHash,
      receipt: nullable(Receipt),
    }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const reportOutcome = operation({
  ...acting,
  id: 'decisionEvents.reportOutcome',
  path: '/v1/decision-events/{id}/outcome',
  summary: 'Report what became of a consumed decision',
  description:
    'Accepted once, from the key and the `executor` that consumed the decision. Report `unknown` if nobody can tell whether the action ran, for example after a crash, with the executor that the 409 of `consume` names. An `unknown` may be followed once by `succeeded` or `failed`, also from another executor with the key that recorded the decision. `output` is the result of the action, at most 16,384 bytes of JSON. The same report again gets the same answer.',
  body: named(
    'NewOutcome',
    {
      executor: Executor,
      status: ExecutionOutcome,
      output: Type.Optional(FreeObject),
    },
    {
      examples: [
        {
          executor: '5f0c1d2e-9b8a-4c7d-a6e5-f43b2a1c0d9e',
          status: 'succeeded',
          output: { transfer: 'tr-20261116-7' },
        },
      ],
    },
  ),
  replies: {
    200: named('Outcome', {
      eventId: TypedId('decisionEvent', 'Decision event id'),
      status: ExecutionOutcome,
      reportedAt: DateTime,
      chainHash: ChainHash,
    }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})
