/** The enumerations of the specification, part 2.1, and the scopes of part 5.9. */
import { type Static, type TSchema, type TSchemaOptions, type TUnsafe, Type } from 'typebox'

/** One of these strings. `title` is the name under which clients know the enumeration. */
export function oneOf<const T extends readonly string[]>(
  title: string,
  values: T,
  description: string,
  options: TSchemaOptions = {},
): TUnsafe<T[number]> {
  const schema: TSchema = { title, type: 'string', enum: [...values], description, ...options }
  return Type.Unsafe<T[number]>(schema)
}

export const actorRoles = ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'] as const
export type ActorRole = (typeof actorRoles)[number]
export const ActorRoleSchema = oneOf('ActorRole', actorRoles, 'Role of a person in a center')

export const membershipStatuses = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED'] as const
export type MembershipStatus = (typeof membershipStatuses)[number]
export const MembershipStatusSchema = oneOf(
  'MembershipStatus',
  membershipStatuses,
  'State of a membership; only ACTIVE gives access',
)

export const verticals = [
  'rehabilitation',
  'welfare',
  'education',
  'pharmacy',
  'commerce',
  'mentoring',
  'interior',
] as const
export type Vertical = (typeof verticals)[number]
export const VerticalSchema = oneOf('Vertical', verticals, 'Line of work of a center')

export const tenantTypes = ['CENTER', 'WORKSPACE', 'PROGRAM', 'WHITE_LABEL'] as const
export type TenantType = (typeof tenantTypes)[number]
export const TenantTypeSchema = oneOf('TenantType', tenantTypes, 'Kind of tenant')

/** Only the operator commands create a PROGRAM. */
export const FoundedTenantType = oneOf(
  'NewTenantType',
  ['CENTER', 'WORKSPACE', 'WHITE_LABEL'],
  'Kind of tenant to create',
)

export const partnerRoles = ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] as const
export type PartnerRole = (typeof partnerRoles)[number]
export const PartnerRoleSchema = oneOf(
  'PartnerRole',
  partnerRoles,
  'A PARTNER_OPERATOR reads and creates; a PARTNER_ADMIN also changes',
)

export const PartnerKind = oneOf('PartnerKind', ['white_label', 'franchise'], 'Kind of partner')

export const centerStatuses = ['ACTIVE', 'SUSPENDED', 'INACTIVE'] as const
export const environments = ['production', 'staging', 'sandbox', 'development'] as const
export type EnvironmentName = (typeof environments)[number]

export type CenterStatus = (typeof centerStatuses)[number]
export const CenterStatusSchema = oneOf('CenterStatus', centerStatuses, 'State of a center; INACTIVE is final')

export const subscriptionStatuses = ['ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]
export const SubscriptionStatusSchema = oneOf('SubscriptionStatus', subscriptionStatuses, 'State of a subscription')

export const billingCycles = ['MONTHLY', 'YEARLY'] as const
export const BillingCycle = oneOf('BillingCycle', billingCycles, 'How often the subscription is paid')

export const targetApps = ['lms', 'cms', 'erp'] as const
export const TargetApp = oneOf('TargetApp', targetApps, 'Companion application that a single-use token is for')

export const decisionEventTypes = [
  'agent_execution',
  'workflow_step',
  'human_approval',
  'ai_recommendation',
  'automated_action',
  'policy_decision',
  'escalation',
  'custom',
] as const
export const DecisionEventType = oneOf('DecisionEventType', decisionEventTypes, 'Kind of decision')

export const eventActorTypes = ['human', 'ai_agent', 'system', 'service'] as const
export const EventActorType = oneOf('EventActorType', eventActorTypes, 'Who or what decided')

export const decisionEventStatuses = ['recorded', 'sealed', 'approved', 'rejected'] as const
export const DecisionEventStatus = oneOf(
  'DecisionEventStatus',
  decisionEventStatuses,
  '`recorded` until an approval or a rejection seals the decision',
)
export type DecisionEventStatus = Static<typeof DecisionEventStatus>

export const evidenceStatuses = ['pending', 'sealed'] as const
export const EvidenceStatus = oneOf(
  'EvidenceStatus',
  evidenceStatuses,
  '`pending` until the record is in the hash chain, then `sealed`',
)

export const evidenceLevels = ['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] as const
export type EvidenceLevel = (typeof evidenceLevels)[number]
export const EvidenceLevelSchema = oneOf(
  'EvidenceLevel',
  evidenceLevels,
  'How far a record has been reviewed; the level only rises',
)

export const approverTypes = ['human', 'system'] as const
export const ApproverType = oneOf('ApproverType', approverTypes, 'Who or what approves')

export const approvalResults = ['approved', 'rejected'] as const
export const ApprovalResult = oneOf('ApprovalResult', approvalResults, 'Both results seal the decision')

export const identityLevels = ['claim', 'session', 'passkey', 'system'] as const
export type IdentityLevel = (typeof identityLevels)[number]

/** In ascending order. `system` is what the service itself does; no policy asks for it. */
export const requiredIdentities = ['claim', 'session', 'passkey'] as const
export type RequiredIdentity = (typeof requiredIdentities)[number]
export const RequiredIdentity = oneOf(
  'RequiredIdentity',
  requiredIdentities,
  'How an approver must be known. `claim`: an API key with the scope `proof:approve`, other than the key that recorded the decision, names the person. `session`: a member who is signed in. `passkey`: the same with a signature of their passkey, which no operation offers yet. The default is `session`; a higher level satisfies a lower one',
)

export const approverRoles = ['ADMIN', 'INSTRUCTOR'] as const
export const ApproverRole = oneOf('ApproverRole', approverRoles, 'Role of a member who may approve')

export const conditionOperators = ['eq', 'in', 'gt', 'lt', 'exists'] as const
export const ConditionOperator = oneOf('ConditionOperator', conditionOperators, 'How the value is compared')

export const approvalChannels = ['api', 'page', 'console'] as const
export const ApprovalChannel = oneOf('ApprovalChannel', approvalChannels, 'Where the approval was given')

export const executionOutcomes = ['succeeded', 'failed', 'unknown'] as const
export const ExecutionOutcome = oneOf(
  'ExecutionOutcome',
  executionOutcomes,
  '`unknown`: nobody can tell whether the action ran, for example after a crash',
)

export const IdentityLevelSchema = oneOf(
  'IdentityLevel',
  identityLevels,
  'Who vouches for the approver: an API key that names a person, a signed-in member, their passkey, or this service',
)

export const approvingGuards = ['humanReview', 'riskThreshold', 'dualApproval', 'minimumEvidenceLevel'] as const
export type ApprovingGuard = (typeof approvingGuards)[number]
export const ApprovingGuard = oneOf('ApprovingGuard', approvingGuards, 'A guard that asks for an approval')

export const dpuReferenceTypes = ['lms-attendance', 'lms-event', 'demo'] as const
export const DpuReferenceType = oneOf(
  'NewDpuReferenceType',
  dpuReferenceTypes,
  'Kind of object that the record is about',
)
/** A workflow's record refers to its execution; a request cannot set that value. */
export const ShownDpuReferenceType = oneOf(
  'DpuReferenceType',
  [...dpuReferenceTypes, 'workflow_execution'],
  'Kind of object that the record is about',
)

export const chainDomains = ['dpu', 'proof', 'history'] as const
export const ChainDomain = oneOf('ChainDomain', chainDomains, 'Hash chain: each center has one per domain')

export const bookingStatuses = ['booked', 'attended', 'no_show', 'canceled'] as const
export type BookingStatus = (typeof bookingStatuses)[number]
export const BookingStatusSchema = oneOf('BookingStatus', bookingStatuses, 'State of an appointment')

export const attendanceKinds = ['attended', 'no_show'] as const
export type AttendanceKind = (typeof attendanceKinds)[number]
export const AttendanceKindSchema = oneOf('AttendanceKind', attendanceKinds, 'Whether the client came')

export const attendanceSources = ['booking', 'event'] as const
export type AttendanceSource = (typeof attendanceSources)[number]
export const AttendanceSourceSchema = oneOf(
  'AttendanceSource',
  attendanceSources,
  'Who said so last: staff about an appointment (`booking`), or a companion application (`event`)',
)

export const guardianshipStatuses = ['INVITED', 'ACTIVE', 'ENDED'] as const
export type GuardianshipStatus = (typeof guardianshipStatuses)[number]
export const GuardianshipStatusSchema = oneOf('GuardianshipStatus', guardianshipStatuses, 'State of a guardianship')

/** `details.action` of an entry says which change it was. */
export const auditTypes = [
  'session.changed',
  'membership.transitioned',
  'center.provisioned',
  'center.updated',
  'settings.updated',
  'policy.changed',
  'dpu.changed',
  'decision.sealed',
  'api_key.changed',
  'webhook.changed',
  'workflow.executed',
  'integrity.alarm',
] as const
export type AuditType = (typeof auditTypes)[number]
export const AuditTypeSchema = oneOf('AuditType', auditTypes, 'Kind of an audit entry')

export const policyScopes = ['global', 'country', 'region', 'center'] as const
export const PolicyScope = oneOf('PolicyScope', policyScopes, 'Which centers a policy applies to')

export const decisionOutcomes = ['completed', 'approval_required', 'refused', 'pending'] as const
export const DecisionOutcome = oneOf(
  'DecisionOutcome',
  decisionOutcomes,
  '`completed`: the decision is sealed. `approval_required`: a person has to approve it first. `refused`: a person refused it, it expired or another decision replaced it, and that is sealed. `pending`: it could not be sealed yet, and the same Idempotency-Key tries again',
)

export const verificationModes = ['chain', 'records'] as const
export const VerificationMode = oneOf(
  'VerificationMode',
  verificationModes,
  '`chain` recomputes hashes and links; `records` also compares every record with what was sealed',
  { default: 'chain' },
)

export const destinations = [
  'admin_dashboard',
  'workspace',
  'tenant_picker',
  'waiting',
  'onboarding',
  'partner_dashboard',
] as const
export const Destination = oneOf('Destination', destinations, 'Page to show after signing in')
export type Destination = Static<typeof Destination>

export const scopes = [
  'decide',
  'proof:read',
  'proof:write',
  'proof:approve',
  'events:write',
  'webhooks:write',
  'policies:write',
] as const
export type Scope = (typeof scopes)[number]
export const ScopeSchema = oneOf(
  'ApiKeyScope',
  scopes,
  'What an API key may do. `decide` is for one agent: record, decide, consume, report outcomes and read, all as the actor that the key is bound to. `webhooks:write` manages webhooks. `policies:write` is for changes of policies, for which keys have no operation yet. `proof:write` and `proof:approve` include `proof:read`. Both may add approvals; where a policy accepts the approval of a person whom a key names, only `proof:approve` counts, and never from the key that recorded the decision',
)

/** In a query, where every value is text. */
export const YesNo = (description: string) => oneOf('YesNo', ['true', 'false'], description)
