/** The nine event types of part 6.1 of the specification and ours, each with the schema and an example of its `data`. */
import { type Static, type TObject, Type } from 'typebox'
import { DateTime, nullable } from './common.ts'
import { ChainDomain, EvidenceLevelSchema } from './enums.ts'
import { integrityEvents } from './integrity-events.ts'

const Id = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 in hex, without a prefix' })
const optionalId = (description: string) => Type.Optional(Id(description))

/** A later version may add fields and removes none: a consumer ignores unknown fields. */
const open = { additionalProperties: true } as const

const unit = {
  dpuId: Id('The decision proof unit'),
  chainHash: Hash,
  domain: ChainDomain,
  actorId: Id('Who decided; `redacted` where the id was erased'),
  evidenceLevel: EvidenceLevelSchema,
  chainIndex: Type.Integer({ minimum: 0 }),
  checkpoint: Type.Optional(
    Type.String({
      description:
        'Signed checkpoint of the log that contains the seal. Store it: if a later checkpoint does not continue it, history was rewritten',
    }),
  ),
}

const DpuSealed = Type.Object(
  {
    ...unit,
    eventId: nullable(Id('The decision event; null for a unit of the platform')),
    decisionId: nullable(Id('As in the answer to recording or `decide`; null for a unit of the platform')),
    sealedAt: DateTime,
  },
  open,
)

const DpuRaised = Type.Object(
  {
    ...unit,
    eventId: Id('The decision event'),
    decisionId: nullable(Id('As in the answer to recording or `decide`')),
    previousLevel: EvidenceLevelSchema,
    reviewerId: Id('The member who raised it'),
    raisedAt: DateTime,
  },
  open,
)

const DpuVerified = Type.Object(
  { dpuId: Id('The decision proof unit'), valid: Type.Boolean(), verifiedAt: DateTime },
  open,
)

const AgentDecisionCompleted = Type.Object(
  {
    decisionId: Id('As in the reply of `POST /api/v1/agents/decide`'),
    eventId: Id('The decision event'),
    agentId: Id('The agent'),
    actorId: Id('Who decided: the agent'),
    actionType: Id('Action type of the decision'),
    outcome: Type.Unsafe<'autonomous' | 'approved' | 'rejected'>({
      type: 'string',
      enum: ['autonomous', 'approved', 'rejected'],
      description: '`autonomous` without a person, else the result of the approval',
    }),
    dpuId: Id('The decision proof unit'),
    evidenceLevel: EvidenceLevelSchema,
    chainHash: Hash,
    sealedAt: DateTime,
  },
  open,
)

const AgentApprovalRequested = Type.Object(
  {
    decisionId: Id('As in the reply of `POST /api/v1/agents/decide`'),
    eventId: Id('The decision event to approve'),
    agentId: Id('The agent'),
    actionType: Id('Action type of the decision'),
    riskScore: nullable(Type.Number()),
    policies: Type.Array(Id('A policy that requires the approval')),
    requestedAt: DateTime,
    approvalUrl: Type.String({ description: 'A page for members who may approve; it contains no credential' }),
    description: nullable(Type.String({ description: 'Description of the action' })),
    actionDigest: Type.String({ description: 'Salted digest of the action, as it will be sealed' }),
    expiresAt: nullable(DateTime),
  },
  open,
)

export const approvalOutcomes = ['approved', 'refused', 'expired', 'replaced', 'withdrawn'] as const

const AgentApprovalDecided = Type.Object(
  {
    decisionId: Id('As in the reply of recording or `decide`'),
    eventId: Id('The decision event'),
    agentId: Id('Who asked; `redacted` where the id was erased'),
    actionType: Id('Action type of the decision'),
    outcome: Type.Unsafe<(typeof approvalOutcomes)[number]>({
      type: 'string',
      enum: [...approvalOutcomes],
      description:
        '`approved` and `refused` by a person; `expired` in time, `replaced` by a new decision, `withdrawn` by who asked',
    }),
    reason: nullable(
      Type.String({ description: 'What the last approver wrote, or who withdrew it; null if they wrote nothing' }),
    ),
    usableUntil: nullable(
      Type.String({ ...DateTime, description: 'The last time at which an approved decision can be consumed' }),
    ),
    decidedAt: DateTime,
  },
  open,
)

const AgentApprovalCommented = Type.Object(
  {
    decisionId: Id('As in the reply of recording or `decide`'),
    eventId: Id('The decision event'),
    commentId: Id('The comment'),
    authorId: Id('The member who wrote it'),
    text: Type.String(),
    commentedAt: DateTime,
  },
  open,
)

/** What the billing system says about the subscription of the center; docs/guides/billing.md defines what it signs. */
export const SubscriptionStatement = Type.Object(
  {
    centerId: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The center whose key sends the event' }),
    status: Type.Unsafe<'ACTIVE' | 'PAST_DUE' | 'SUSPENDED' | 'CANCELED'>({
      type: 'string',
      enum: ['ACTIVE', 'PAST_DUE', 'SUSPENDED', 'CANCELED'],
      description: 'The state from now on: ACTIVE with `payment.completed`, another one with `payment.failed`',
    }),
    occurredAt: Type.String({
      ...DateTime,
      description: 'Later than that of the last statement about this center; an earlier one changes nothing',
    }),
    currentPeriodEnd: Type.Optional(Type.String({ ...DateTime, description: 'Until when it is paid' })),
    planId: Type.Optional(Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: 'Another plan from now on' })),
    signature: Type.String({
      pattern: '^[A-Za-z0-9+/]{86}==$',
      description: 'Ed25519 signature of a key in BILLING_KEYS, base64',
    }),
  },
  { additionalProperties: false },
)

const payment = {
  centerSubscription: Type.Optional(SubscriptionStatement),
  paymentId: optionalId('The payment'),
  orderId: optionalId('What was paid for'),
  amount: Type.Optional(Type.Number()),
  currency: Type.Optional(Type.String({ maxLength: 8 })),
}
const PaymentCompleted = Type.Object({ ...payment, paidAt: Type.Optional(DateTime) }, open)
const PaymentFailed = Type.Object({ ...payment, reason: Type.Optional(Type.String({ maxLength: 1000 })) }, open)
const AttendanceVerified = Type.Object(
  {
    attendanceId: optionalId('The attendance record'),
    learnerId: optionalId('Who was there'),
    sessionId: optionalId('Where'),
    method: Type.Optional(Type.String({ maxLength: 64, examples: ['qr', 'workshop'] })),
    verifiedAt: Type.Optional(DateTime),
  },
  open,
)
const CertificateIssued = Type.Object(
  {
    certificateId: optionalId('The certificate'),
    learnerId: optionalId('To whom'),
    courseId: optionalId('For what'),
    dpuId: Id('The decision proof unit, of the same center'),
    issuedAt: Type.Optional(DateTime),
  },
  open,
)

const WorkflowTransitioned = Type.Object(
  {
    executionId: Id('The execution'),
    workflowId: Id('The workflow'),
    from: nullable(Type.String()),
    to: Type.String(),
    dpuId: Type.Optional(nullable(Id('The decision proof unit of the execution'))),
    at: DateTime,
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
      'A decision proof unit was sealed: that of a decision when it is in the chain, another one when it is AUDIT_READY',
    schema: DpuSealed,
    example: { ...unitExample, evidenceLevel: 'DOCUMENTED', sealedAt: at, checkpoint: exampleCheckpoint },
    fromApps: false,
  },
  'dpu.raised': {
    description: 'A member raised the evidence level of a decision that was sealed before',
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
    description: 'A decision proof unit was verified through its public address',
    schema: DpuVerified,
    example: { dpuId, valid: true, verifiedAt: at },
    fromApps: false,
  },
  'agent.decision.completed': {
    description: 'A decision of an agent was sealed, without a person or after an approval',
    schema: AgentDecisionCompleted,
    example: {
      ...{ ...decision, actorId: decision.agentId, outcome: 'approved' },
      ...{ dpuId, evidenceLevel: 'AUDIT_READY', chainHash: digest, sealedAt: at },
    },
    fromApps: false,
  },
  'agent.approval.requested': {
    description: 'A decision of an agent, or one that was recorded, requires an approval',
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
    description: 'A decision that waited for an approval was approved, refused or withdrawn, expired or was replaced',
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
    description: 'A member asked or answered a question about a decision that waits for an approval',
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
  'payment.completed': {
    description: 'A payment was confirmed and reconciled',
    schema: PaymentCompleted,
    example: { paymentId: 'pay-881', orderId: 'order-17', amount: 45000, currency: 'KRW', paidAt: at },
    fromApps: true,
  },
  'payment.failed': {
    description: 'A payment attempt failed',
    schema: PaymentFailed,
    example: { paymentId: 'pay-882', orderId: 'order-18', amount: 45000, currency: 'KRW', reason: 'card_declined' },
    fromApps: true,
  },
  'attendance.verified': {
    description: 'A check-in by QR code or an attendance at a workshop was confirmed',
    schema: AttendanceVerified,
    example: { attendanceId: 'att-5', learnerId: 'learner-12', sessionId: 'session-3', method: 'qr', verifiedAt: at },
    fromApps: true,
  },
  'certificate.issued': {
    description: 'A digital certificate with its proof was issued to a learner',
    schema: CertificateIssued,
    example: { certificateId: 'cert-9', learnerId: 'learner-12', courseId: 'course-2', dpuId, issuedAt: at },
    fromApps: true,
  },
  'workflow.transitioned': {
    description: 'An execution of a workflow changed its state',
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

/** The payload that `publish` takes for each type, checked at compile time. */
export type EventData<T extends EventType> = Static<(typeof eventTypes)[T]['schema']>
