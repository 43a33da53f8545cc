/** Acting on a sealed decision: it is consumed once, for exactly the action that was sealed, and its outcome is reported. */
import { Type } from 'typebox'
import { DateTime, described, FreeObject, freeObject, named, nullable } from './common.ts'
import { ExecutionOutcome } from './enums.ts'
import { ChainHash } from './evidence.ts'
import { RecordParam, TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Receipt } from './transparency.ts'

const Executor = Type.String({
  minLength: 1,
  maxLength: 255,
  description:
    'Identifies one attempt to run the action. Choose a new value for each attempt, and keep it only in memory.',
  examples: ['5f0c1d2e-9b8a-4c7d-a6e5-f43b2a1c0d9e'],
})

/** The maximum size of `output` as JSON. Every export of the decision contains it. */
export const mostOutputBytes = 16_384

export const Execution = nullable(
  named(
    'DecisionExecution',
    {
      executor: Executor,
      consumedAt: described(DateTime, 'When the decision was consumed.'),
      outcome: nullable(
        named(
          'ExecutionReport',
          {
            status: ExecutionOutcome,
            reportedAt: described(DateTime, 'When the outcome was reported.'),
            output: Type.Optional(
              freeObject(
                'ExecutionOutput',
                'The output that was reported. Only the key that reported it and members get it. Absent if none was reported, or after a redaction.',
              ),
            ),
          },
          { description: 'The last outcome that was reported. Null until an outcome is reported.' },
        ),
      ),
    },
    {
      description:
        "The attempt to run the action, and the last outcome that was reported, which doesn't prove that the action ran. Null until the decision is consumed.",
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
  // The executor identifies the attempt. A stored reply would let a restarted process run the action again.
  idempotency: false,
} as const

export const consumeDecision = operation({
  ...acting,
  id: 'decisionEvents.consume',
  path: '/v1/decision-events/{id}/consume',
  summary: 'Consume a sealed decision',
  description:
    "Claims a sealed decision so that you can run its action once. Compute `actionDigest` from the action that you're about to run; never send a digest that you got from elsewhere. Only the key that recorded the decision and keys bound to its actor can consume it. If you repeat the request with the same key and `executor`, you get the same response with `replayed: true`; any other executor gets 409, with the first executor in `details.executor`. `Idempotency-Key` is ignored. After the action has run, report its outcome with `POST /api/v1/decision-events/{id}/outcome`.",
  body: named(
    'NewConsumption',
    {
      actionDigest: Type.String({
        pattern: '^sha256:[0-9a-f]{64}$',
        description:
          "The digest that you computed from the action you're about to run: `sha256:` followed by 64 hex digits.",
        examples: ['sha256:4b3f6d1c0a9e8b7d2c5f4e3a1b0d9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c'],
      }),
      executor: Executor,
    },
    {
      description: 'The action that is about to run.',
      examples: [
        {
          actionDigest: 'sha256:4b3f6d1c0a9e8b7d2c5f4e3a1b0d9c8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c',
          executor: '5f0c1d2e-9b8a-4c7d-a6e5-f43b2a1c0d9e',
        },
      ],
    },
  ),
  replies: {
    200: named(
      'Consumption',
      {
        eventId: TypedId('decisionEvent', "The decision event's ID."),
        actionDigest: described(ChainHash, 'The digest of the action you may run.'),
        executor: Executor,
        consumedAt: described(DateTime, 'When the decision was consumed.'),
        replayed: Type.Boolean({ description: 'Whether this executor had already consumed the decision.' }),
        chainHash: described(ChainHash, 'The hash of the chain entry that records the consumption.'),
        receipt: nullable(described(Receipt, "The receipt for the chain entry. Null if it couldn't be issued yet.")),
      },
      { description: "The right to run a sealed decision's action once." },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'POLICY_VIOLATION', 'CHAIN_BROKEN'],
})

export const reportOutcome = operation({
  ...acting,
  id: 'decisionEvents.reportOutcome',
  path: '/v1/decision-events/{id}/outcome',
  summary: "Report a consumed decision's outcome",
  description:
    'Records whether the action succeeded. You can report an outcome once, with the same key and `executor` that consumed the decision. If nobody can tell whether the action ran, for example after a crash, report `unknown`. If you no longer have the executor, call `consume` again and take it from `details.executor` in the 409 response. After `unknown`, you can still report `succeeded` or `failed` once. That report can come from another executor if you use the key that recorded the decision. Repeating a report returns the same response.',
  body: named(
    'NewOutcome',
    {
      executor: Executor,
      status: ExecutionOutcome,
      output: Type.Optional(
        described(
          FreeObject,
          "The action's result, at most 16,384 bytes of JSON. Every export of the decision contains it.",
          { refund: 're-8812' },
        ),
      ),
    },
    {
      description: "The action's outcome.",
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
    200: named(
      'Outcome',
      {
        eventId: TypedId('decisionEvent', "The decision event's ID."),
        status: ExecutionOutcome,
        reportedAt: described(DateTime, 'When the outcome was reported.'),
        chainHash: described(ChainHash, 'The hash of the chain entry that records the outcome.'),
      },
      { description: 'The outcome that was reported.' },
    ),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'CHAIN_BROKEN'],
})
