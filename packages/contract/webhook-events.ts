/** The nine event types in part 6.1 of the specification and our own, each with a schema and an example of its `data`. */
import { type Static, type TObject, Type } from 'typebox'
import { DateTime, described, nullable } from './common.ts'
import { confirmationEvents } from './confirmation-events.ts'
import { ChainDomain, EvidenceLevelSchema } from './enums.ts'
import { freezeEvents } from './freeze-events.ts'
import { integrityEvents } from './integrity-events.ts'
import { SubscriptionStatement } from './subscription-statement.ts'

const Id = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'A SHA-256 hash in hex, without a prefix.' })
const optionalId = (description: string) => Type.Optional(Id(description))

/** Later versions may add fields but never remove any, so receivers must ignore unknown fields. */
const open = { additionalProperties: true } as const

const unit = {
  dpuId: Id('The DPU that the event is about.'),
  chainHash: Hash,
  domain: ChainDomain,
  actorId: Id('The ID of the person, agent or system that decided. `redacted` if the ID was erased.'),
  evidenceLevel: EvidenceLevelSchema,
  chainIndex: Type.Integer({ minimum: 0, description: "The entry's index in the chain, counted from 0." }),
  checkpoint: Type.Optional(
    Type.String({
      description:
        "A signed checkpoint of the log that contains the seal. Store it: if a later checkpoint isn't consistent with it, history was rewritten.",
    }),
  ),
}

const DpuSealed = Type.Object(
  {
    ...unit,
    eventId: nullable(Id("The decision event's ID. Null if the DPU doesn't belong to a decision.")),
    decisionId: nullable(
      Id("The decision's own ID, as returned when it was recorded. Null if the DPU doesn't belong to a decision."),
    ),
    sealedAt: described(DateTime, 'When the DPU was sealed.'),
  },
  open,
)

const DpuRaised = Type.Object(
  {
    ...unit,
    eventId: Id("The decision event's ID."),
    decisionId: nullable(Id("The decision's own ID, as returned when it was recorded.")),
    previousLevel: EvidenceLevelSchema,
    reviewerId: Id('The member who raised the level.'),
    raisedAt: described(DateTime, 'When the level was raised.'),
  },
  open,
)

const DpuVerified = Type.Object(
  {
    dpuId: Id('The DPU that was verified.'),
    valid: Type.Boolean({ description: 'Whether every check passed.' }),
    verifiedAt: described(DateTime, 'When the DPU was verified.'),
  },
  open,
)

const AgentDecisionCompleted = Type.Object(
  {
    decisionId: Id("The decision's own ID, as returned by `POST /api/v1/agents/decide`."),
    eventId: Id("The decision event's ID."),
    agentId: Id("The requesting agent's ID in your own system."),
    actorId: Id('The ID of whoever decided, which is always the agent.'),
    actionType: Id('The kind of action.'),
    outcome: Type.Unsafe<'autonomous' | 'approved' | 'rejected'>({
      type: 'string',
      enum: ['autonomous', 'approved', 'rejected'],
      description: 'How the decision was made: `autonomous` without a person; otherwise, the result of the approval.',
    }),
    dpuId: Id("The DPU that holds the decision's evidence."),
    evidenceLevel: EvidenceLevelSchema,
    chainHash: Hash,
    sealedAt: described(DateTime, 'When the decision was sealed.'),
  },
  open,
)

const AgentApprovalRequested = Type.Object(
  {
    decisionId: Id("The decision's own ID, as returned by `POST /api/v1/agents/decide`."),
    eventId: Id('The ID of the decision event to approve.'),
    agentId: Id("The requesting agent's ID in your own system."),
    actionType: Id('The kind of action.'),
    riskScore: nullable(Type.Number({ description: "The requester's estimate of the risk. Null if none was sent." })),
    policies: Type.Array(Id('A policy that requires the approval.'), {
      description: 'The policies that require the approval.',
    }),
    requestedAt: described(DateTime, 'When the approval was requested.'),
    approvalUrl: Type.String({ description: 'The page where a member can approve. The link contains no credential.' }),
    description: nullable(
      Type.String({ description: "What the action does, in the requester's words. Null if nothing was sent." }),
    ),
    actionDigest: Type.String({ description: 'The salted digest of the action, as it will be sealed.' }),
    expiresAt: nullable(described(DateTime, 'When the decision expires. Null if it never does.')),
  },
  open,
)

export const approvalOutcomes = ['approved', 'refused', 'expired', 'replaced', 'withdrawn'] as const

const AgentApprovalDecided = Type.Object(
  {
    decisionId: Id("The decision's own ID, as returned when it was recorded."),
    eventId: Id('The ID of the decision event.'),
    agentId: Id("The requester's ID in your own system. `redacted` if it was redacted."),
    actionType: Id('The kind of action.'),
    outcome: Type.Unsafe<(typeof approvalOutcomes)[number]>({
      type: 'string',
      enum: [...approvalOutcomes],
      description:
        'How the decision ended: `approved` or `refused` by a person, `expired`, `replaced` by a new decision, or `withdrawn` by the requester.',
    }),
    reason: nullable(
      Type.String({
        description:
          'The reason that the last approver, or whoever withdrew the decision, gave. Null if none was given.',
      }),
    ),
    usableUntil: nullable(
      described(DateTime, "The last time at which the decision can be consumed. Null if it wasn't approved."),
    ),
    decidedAt: described(DateTime, 'When the decision was closed.'),
  },
  open,
)

const AgentApprovalCommented = Type.Object(
  {
    decisionId: Id("The decision's own ID, as returned when it was recorded."),
    eventId: Id("The decision event's ID."),
    commentId: Id('The ID of the new comment.'),
    authorId: Id('The member who wrote the comment.'),
    text: Type.String({ description: 'What the member wrote.' }),
    commentedAt: described(DateTime, 'When the comment was written.'),
  },
  open,
)

const payment = {
  centerSubscription: Type.Optional(
    described(SubscriptionStatement, "A signed statement that also changes the center's subscription."),
  ),
  paymentId: optionalId("The payment's ID in your own system."),
  orderId: optionalId('The order that the payment is for.'),
  amount: Type.Optional(Type.Number({ description: 'The amount that the payment is for.', examples: [45] })),
  currency: Type.Optional(
    Type.String({ maxLength: 8, description: 'The currency of the amount, as an ISO 4217 code.', examples: ['USD'] }),
  ),
}
const PaymentCompleted = Type.Object(
  { ...payment, paidAt: Type.Optional(described(DateTime, 'When the payment was made.')) },
  open,
)
const PaymentFailed = Type.Object(
  {
    ...payment,
    reason: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: "Why the payment failed, in your payment provider's words.",
        examples: ['card_declined'],
      }),
    ),
  },
  open,
)
const AttendanceVerified = Type.Object(
  {
    attendanceId: optionalId('The ID of the attendance record in your own system.'),
    learnerId: optionalId(
      "The ID of the person who attended: their actor ID if they're a member of the center, otherwise their ID in your own system.",
    ),
    sessionId: optionalId(
      "The ID of the session: the appointment's ID if it was booked here, otherwise the ID in your own system.",
    ),
    method: Type.Optional(Type.String({ maxLength: 64, examples: ['qr'], description: 'How attendance was checked.' })),
    verifiedAt: Type.Optional(described(DateTime, 'When attendance was confirmed.')),
  },
  open,
)
const CertificateIssued = Type.Object(
  {
    certificateId: optionalId("The certificate's ID in your own system."),
    learnerId: optionalId('The person who received the certificate.'),
    courseId: optionalId('The course that the certificate is for.'),
    dpuId: Id('The DPU that proves the certificate. It must belong to the same center.'),
    issuedAt: Type.Optional(described(DateTime, 'When the certificate was issued.')),
  },
  open,
)

const WorkflowTransitioned = Type.Object(
  {
    executionId: Id('The execution that changed.'),
    workflowId: Id('The workflow that the execution runs.'),
    from: nullable(Type.String({ description: 'The previous state. Null when the execution was created.' })),
    to: Type.String({ description: 'The new state.' }),
    dpuId: Type.Optional(nullable(Id("The execution's DPU. Null or absent while it has none."))),
    at: described(DateTime, 'When the state changed.'),
  },
  open,
)

export interface EventTypeSpec {
  readonly description: string
  readonly schema: TObject
  readonly example: Readonly<Record<string, unknown>>
  /** Companion applications publish it with `POST /api/v1/events`; the server publishes all others. */
  readonly fromApps: boolean
}

const at = '2026-11-15T09:30:00.000Z'
const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const exampleCheckpoint =
  'proof.example/c/42/proof\n42\naTO+q/TrTpr4Menu/260FJj9v9fvrCcQEDMfb4ymDhw=\n\n— proof.example/c/42/proof GNoPoKFfncAr8ls6vUquHPXaiq0OuBWGxJ6z0oHH6WXQrYKX/tSN/eZuXsPFqHqA+Od4Km+oKEg1UAYjS3DCEQlSZgI=\n'
const dpuId = 'dpu_01kz9x4q8hfx5r3v7t2b6n0m1c'
const eventId = 'evt_01kz9x4q8hfx5r3v7t2b6n0m1c'
const decision = { decisionId: 'plan-102-2026-11-15', eventId, agentId: 'agent-7', actionType: 'plan.adjust' }
const unitExample = {
  ...{ dpuId, eventId, decisionId: decision.decisionId, chainHash: digest },
  ...{ domain: 'proof', actorId: decision.agentId, chainIndex: 41 },
}

export const eventTypes = {
  'dpu.sealed': {
    description:
      "A DPU was sealed. A decision's DPU is sealed when it enters the chain; any other is sealed when it becomes AUDIT_READY.",
    schema: DpuSealed,
    example: { ...unitExample, evidenceLevel: 'DOCUMENTED', sealedAt: at, checkpoint: exampleCheckpoint },
    fromApps: false,
  },
  'dpu.raised': {
    description: 'A member raised the evidence level of a decision that was already sealed.',
    schema: DpuRaised,
    example: {
      ...unitExample,
      previousLevel: 'DOCUMENTED',
      evidenceLevel: 'AUDIT_READY',
      reviewerId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
      raisedAt: at,
      checkpoint: exampleCheckpoint.replaceAll('/proof', '/history'),
    },
    fromApps: false,
  },
  'dpu.verified': {
    description: 'Someone verified a DPU through its public address.',
    schema: DpuVerified,
    example: { dpuId, valid: true, verifiedAt: at },
    fromApps: false,
  },
  'agent.decision.completed': {
    description: "An agent's decision was sealed, with or without an approval.",
    schema: AgentDecisionCompleted,
    example: {
      ...{ ...decision, actorId: decision.agentId, outcome: 'approved' },
      ...{ dpuId, evidenceLevel: 'AUDIT_READY', chainHash: digest, sealedAt: at },
    },
    fromApps: false,
  },
  'agent.approval.requested': {
    description: 'A decision is waiting for an approval.',
    schema: AgentApprovalRequested,
    example: {
      ...decision,
      riskScore: 0.7,
      policies: ['pol_01kz9x4q8hfx5r3v7t2b6n0m1c'],
      requestedAt: at,
      approvalUrl: `https://auth.example/approve/${eventId}`,
      description: 'Two sessions a week',
      actionDigest: `sha256:${digest}`,
      expiresAt: null,
    },
    fromApps: false,
  },
  'agent.approval.decided': {
    description: 'A decision that waited for an approval was approved, refused, replaced or withdrawn, or it expired.',
    schema: AgentApprovalDecided,
    example: {
      ...decision,
      outcome: 'approved',
      reason: 'Agrees with my own assessment.',
      usableUntil: '2026-11-22T09:30:00.000Z',
      decidedAt: at,
    },
    fromApps: false,
  },
  'agent.approval.commented': {
    description: 'A member asked or answered a question about a decision that is waiting for an approval.',
    schema: AgentApprovalCommented,
    example: {
      decisionId: decision.decisionId,
      eventId,
      commentId: 'cmt_01kz9x4q8hfx5r3v7t2b6n0m1c',
      authorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
      text: 'Why two sessions and not three?',
      commentedAt: at,
    },
    fromApps: false,
  },
  ...confirmationEvents,
  ...freezeEvents,
  'payment.completed': {
    description: 'A payment was confirmed and reconciled.',
    schema: PaymentCompleted,
    example: { paymentId: 'pay-881', orderId: 'order-17', amount: 45, currency: 'USD', paidAt: at },
    fromApps: true,
  },
  'payment.failed': {
    description: 'A payment attempt failed.',
    schema: PaymentFailed,
    example: { paymentId: 'pay-882', orderId: 'order-18', amount: 45, currency: 'USD', reason: 'card_declined' },
    fromApps: true,
  },
  'attendance.verified': {
    description: 'A check-in by QR code or attendance at a workshop was confirmed.',
    schema: AttendanceVerified,
    example: { attendanceId: 'att-5', learnerId: 'learner-12', sessionId: 'session-3', method: 'qr', verifiedAt: at },
    fromApps: true,
  },
  'certificate.issued': {
    description: 'A digital certificate with its proof was issued to a learner.',
    schema: CertificateIssued,
    example: { certificateId: 'cert-9', learnerId: 'learner-12', courseId: 'course-2', dpuId, issuedAt: at },
    fromApps: true,
  },
  'workflow.transitioned': {
    description: 'A workflow execution changed state.',
    schema: WorkflowTransitioned,
    example: {
      executionId: 'exe_01kz9x4q8hfx5r3v7t2b6n0m1c',
      workflowId: 'wfl_01kz9x4q8hfx5r3v7t2b6n0m1c',
      from: 'RUNNING',
      to: 'COMPLETED',
      dpuId,
      at,
    },
    fromApps: false,
  },
  ...integrityEvents,
} as const satisfies Record<string, EventTypeSpec>

export type EventType = keyof typeof eventTypes
export const eventTypeNames = Object.keys(eventTypes) as readonly EventType[]
export const appEventTypes = eventTypeNames.filter((type) => eventTypes[type].fromApps)

/** The payload that `publish` accepts for each type, checked at compile time. */
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['schema']>
