/** The enumerations of the specification, part 2.1, and the scopes of part 5.9. */
import { type Static, type TSchema, type TSchemaOptions, type TUnsafe, Type } from 'typebox'

/** One of these strings. `title` is the name that clients know the enumeration by. */
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
export const ActorRoleSchema = oneOf(
  'ActorRole',
  actorRoles,
  "A person's role in a center: administrator (`ADMIN`), instructor (`INSTRUCTOR`), guardian (`PARENT`) or client (`CHILD`).",
)

export const ActorRoles = Type.Array(ActorRoleSchema, {
  minItems: 1,
  maxItems: actorRoles.length,
  uniqueItems: true,
  description: 'All roles of a member in a center, the highest first: ADMIN, INSTRUCTOR, PARENT, CHILD.',
  examples: [['ADMIN', 'INSTRUCTOR']],
})

export const importEffects = ['invited', 'reinvited', 'added', 'changed', 'unchanged', 'refused'] as const
export type ImportEffect = (typeof importEffects)[number]
export const ImportEffectSchema = oneOf(
  'ImportEffect',
  importEffects,
  "What an import does with a row: it invites the person (`invited`), invites them again with a new name, new roles or a new link (`reinvited`), adds a child without an email address (`added`), changes the name or the guardians of a member (`changed`), finds everything as the row says (`unchanged`), or can't use the row (`refused`).",
)
export const importReasons = [
  'email',
  'emailMissing',
  'name',
  'nameMissing',
  'roles',
  'rolesMissing',
  'rolesNotGiven',
  'rolesDiffer',
  'guardians',
  'guardianOfSelf',
  'guardiansNotForRole',
  'duplicate',
  'ambiguous',
  'suspended',
  'rejected',
  'ended',
  'workspace',
  'families',
  'seats',
  'subscription',
  'invitations',
  'conflict',
] as const
export type ImportReason = (typeof importReasons)[number]
export const ImportReasonSchema = oneOf(
  'ImportReason',
  importReasons,
  "Why a row is refused. The email address is invalid (`email`) or missing (`emailMissing`), the name is invalid (`name`) or missing (`nameMissing`), or the roles are unknown (`roles`), missing (`rolesMissing`) or not among those that the request gives (`rolesNotGiven`). The person is a member with other roles (`rolesDiffer`), or their membership is SUSPENDED, REJECTED or ENDED (`suspended`, `rejected`, `ended`): change that membership instead. A guardian's address is invalid or there are more than four (`guardians`), it's the child's own (`guardianOfSelf`), or the row isn't a child's (`guardiansNotForRole`). An earlier row has the same person (`duplicate`), or several children fit (`ambiguous`). A workspace has one ADMIN (`workspace`), the center doesn't have families (`families`), all seats are taken (`seats`), the subscription is suspended or canceled (`subscription`), the center or the address has had all of today's invitations (`invitations`), or the membership changed at the same moment (`conflict`).",
)

export const membershipStatuses = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED'] as const
export type MembershipStatus = (typeof membershipStatuses)[number]
export const MembershipStatusSchema = oneOf(
  'MembershipStatus',
  membershipStatuses,
  'The state of a membership. Only `ACTIVE` gives access.',
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
export const VerticalSchema = oneOf(
  'Vertical',
  verticals,
  "The field that a center works in. It determines the center's defaults and workflows.",
)

export const tenantTypes = ['CENTER', 'WORKSPACE', 'PROGRAM', 'WHITE_LABEL'] as const
export type TenantType = (typeof tenantTypes)[number]
export const TenantTypeSchema = oneOf(
  'TenantType',
  tenantTypes,
  "The kind of tenant: a center, a workspace, one of the operator's programs, or a center under its own brand.",
)

/** A PROGRAM can be created only with the operator's commands. */
export const FoundedTenantType = oneOf(
  'NewTenantType',
  ['CENTER', 'WORKSPACE', 'WHITE_LABEL'],
  'The kind of tenant to create.',
)

export const partnerRoles = ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] as const
export type PartnerRole = (typeof partnerRoles)[number]
export const PartnerRoleSchema = oneOf(
  'PartnerRole',
  partnerRoles,
  'A role at a partner. A `PARTNER_OPERATOR` can read and create; a `PARTNER_ADMIN` can also make changes.',
)

export const PartnerKind = oneOf(
  'PartnerKind',
  ['white_label', 'franchise'],
  "The kind of partner. Centers of a `franchise` partner can't change the settings that they inherit; centers of a `white_label` partner can.",
)

export const centerStatuses = ['ACTIVE', 'SUSPENDED', 'INACTIVE'] as const

export const languages = ['ko', 'en'] as const
export const LanguageSchema = oneOf('Language', languages, 'A language that we write in.')

export const environments = ['production', 'staging', 'sandbox', 'development'] as const
export type EnvironmentName = (typeof environments)[number]

export type CenterStatus = (typeof centerStatuses)[number]
export const CenterStatusSchema = oneOf('CenterStatus', centerStatuses, 'The state of a center. `INACTIVE` is final.')

export const subscriptionStatuses = ['ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]
export const SubscriptionStatusSchema = oneOf(
  'SubscriptionStatus',
  subscriptionStatuses,
  'The state of a subscription. `CANCELED` is final.',
)

export const billingCycles = ['MONTHLY', 'YEARLY'] as const
export const BillingCycle = oneOf('BillingCycle', billingCycles, 'How often the subscription is billed.')

export const targetApps = ['lms', 'cms', 'erp'] as const
export type TargetApp = (typeof targetApps)[number]
export const TargetAppSchema = oneOf(
  'TargetApp',
  targetApps,
  'The companion application that a single-use token is for.',
)

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
export const DecisionEventType = oneOf('DecisionEventType', decisionEventTypes, 'The kind of decision.')

export const eventActorTypes = ['human', 'ai_agent', 'system', 'service'] as const
export const EventActorType = oneOf(
  'EventActorType',
  eventActorTypes,
  'The kind of actor: a person, an AI agent, a system or a service.',
)

export const decisionEventStatuses = ['recorded', 'sealed', 'approved', 'rejected'] as const
export const DecisionEventStatus = oneOf(
  'DecisionEventStatus',
  decisionEventStatuses,
  'The state of a decision. `recorded`: not approved or refused yet. `approved`: approved once, but another approval is still needed. `sealed`: sealed with all the approvals it needs, if any. `rejected`: refused and sealed.',
)
export type DecisionEventStatus = Static<typeof DecisionEventStatus>

export const evidenceStatuses = ['pending', 'sealed'] as const
export const EvidenceStatus = oneOf(
  'EvidenceStatus',
  evidenceStatuses,
  '`pending` until the record is in the chain, then `sealed`.',
)

export const evidenceLevels = ['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] as const
export type EvidenceLevel = (typeof evidenceLevels)[number]
export const EvidenceLevelSchema = oneOf(
  'EvidenceLevel',
  evidenceLevels,
  'How far a record has been reviewed. The level can only rise.',
)

export const approverTypes = ['human', 'system'] as const
export const ApproverType = oneOf('ApproverType', approverTypes, 'Whether a person or a system approves.')

export const approvalResults = ['approved', 'rejected'] as const
export const ApprovalResult = oneOf(
  'ApprovalResult',
  approvalResults,
  'Whether the decision is approved or refused. Either result is sealed.',
)

export const confirmationResults = ['confirmed', 'objected'] as const
export const ConfirmationResult = oneOf(
  'ConfirmationResult',
  confirmationResults,
  'Whether the emergency approval is confirmed, or objected to. Either result is sealed.',
)

export const emergencyStates = ['open', 'confirmed', 'objected', 'unconfirmed'] as const
export type EmergencyState = (typeof emergencyStates)[number]

export const identityLevels = ['claim', 'session', 'passkey', 'system'] as const
export type IdentityLevel = (typeof identityLevels)[number]

/** In ascending order. `system` stands for the service itself; no policy asks for it. */
export const requiredIdentities = ['claim', 'session', 'passkey'] as const
export type RequiredIdentity = (typeof requiredIdentities)[number]
export const RequiredIdentity = oneOf(
  'RequiredIdentity',
  requiredIdentities,
  "How an approver's identity must be established. `claim`: the person is named by an API key that has the `proof:approve` scope and isn't the key that recorded the decision. `session`: the person is a signed-in member. `passkey`: the person is a signed-in member whose passkey signed the approval. Defaults to `session`. A higher level satisfies a lower one.",
)

export const approverRoles = ['ADMIN', 'INSTRUCTOR'] as const
export const ApproverRole = oneOf('ApproverRole', approverRoles, 'The role of a member who may approve.')

export const conditionOperators = ['eq', 'in', 'gt', 'lt', 'exists'] as const
export const ConditionOperator = oneOf('ConditionOperator', conditionOperators, 'How the value is compared.')

export const approvalChannels = ['api', 'page', 'console'] as const
export const ApprovalChannel = oneOf(
  'ApprovalChannel',
  approvalChannels,
  'Where the approval was given: through the API, on the approval page or in the console.',
)

export const executionOutcomes = ['succeeded', 'failed', 'unknown'] as const
export const ExecutionOutcome = oneOf(
  'ExecutionOutcome',
  executionOutcomes,
  'Whether the action succeeded or failed. `unknown` means that nobody can tell, for example after a crash.',
)

export const IdentityLevelSchema = oneOf(
  'IdentityLevel',
  identityLevels,
  'Who vouches for the approver: an API key that names a person (`claim`), a signed-in member (`session`), their passkey (`passkey`) or this service (`system`).',
)

export const approvingGuards = ['humanReview', 'riskThreshold', 'dualApproval', 'minimumEvidenceLevel'] as const
export type ApprovingGuard = (typeof approvingGuards)[number]
export const ApprovingGuard = oneOf('ApprovingGuard', approvingGuards, 'A policy guard that requires an approval.')

export const dpuReferenceTypes = ['lms-attendance', 'lms-event', 'demo'] as const
export const DpuReferenceType = oneOf(
  'NewDpuReferenceType',
  dpuReferenceTypes,
  'The kind of object that the record is about.',
)
/** The record of a workflow refers to its execution; a request can't set that value. */
export const ShownDpuReferenceType = oneOf(
  'DpuReferenceType',
  [...dpuReferenceTypes, 'workflow_execution'],
  'The kind of object that the record is about.',
)

export const chainDomains = ['dpu', 'proof', 'history'] as const
export const ChainDomain = oneOf(
  'ChainDomain',
  chainDomains,
  "One of the center's chains: `proof` (decisions), `dpu` (DPUs created on the platform) or `history` (later changes).",
)

export const bookingStatuses = ['booked', 'attended', 'no_show', 'canceled'] as const
export type BookingStatus = (typeof bookingStatuses)[number]
/** Whether a date of a weekly series can be booked, or what keeps it from that. */
export const seriesStates = ['free', 'closed', 'outsideHours', 'instructorBusy', 'clientBusy'] as const
export type SeriesState = (typeof seriesStates)[number]
/** Why a week of a series differs from the others. */
export const seriesExceptions = [
  'closed',
  'outsideHours',
  'instructorBusy',
  'clientBusy',
  'skipped',
  'moved',
  'canceled',
] as const
export type SeriesException = (typeof seriesExceptions)[number]
export const seriesScopes = ['one', 'following', 'all'] as const
export type SeriesScope = (typeof seriesScopes)[number]
export const BookingStatusSchema = oneOf('BookingStatus', bookingStatuses, 'The state of an appointment.')

export const attendanceKinds = ['attended', 'no_show'] as const
export type AttendanceKind = (typeof attendanceKinds)[number]
export const AttendanceKindSchema = oneOf('AttendanceKind', attendanceKinds, 'Whether the client came.')

export const attendanceSources = ['booking', 'event'] as const
export type AttendanceSource = (typeof attendanceSources)[number]
export const AttendanceSourceSchema = oneOf(
  'AttendanceSource',
  attendanceSources,
  'Who last recorded the attendance: staff, for an appointment (`booking`), or a companion application (`event`).',
)

export const attendanceOutcomes = ['recorded', 'unchanged', 'changed', 'notStarted', 'canceled', 'notFound'] as const
export type AttendanceOutcome = (typeof attendanceOutcomes)[number]
export const AttendanceOutcomeSchema = oneOf(
  'AttendanceOutcome',
  attendanceOutcomes,
  "What happened to the mark: it was recorded (`recorded`), the appointment already had it (`unchanged`), or nothing was changed because the status wasn't the expected one (`changed`), the appointment hasn't started (`notStarted`), is canceled (`canceled`) or isn't in this center (`notFound`).",
)

export const guardianshipStatuses = ['INVITED', 'ACTIVE', 'ENDED'] as const
export type GuardianshipStatus = (typeof guardianshipStatuses)[number]
export const GuardianshipStatusSchema = oneOf(
  'GuardianshipStatus',
  guardianshipStatuses,
  'The state of a guardianship. Only `ACTIVE` gives access.',
)

/** An entry's `details.action` says which change it was. */
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
export const AuditTypeSchema = oneOf('AuditType', auditTypes, 'The kind of change.')

export const policyScopes = ['global', 'country', 'region', 'center'] as const
export const PolicyScope = oneOf('PolicyScope', policyScopes, 'Which centers a policy applies to.')

export const decisionOutcomes = ['completed', 'approval_required', 'refused', 'pending'] as const
export const DecisionOutcome = oneOf(
  'DecisionOutcome',
  decisionOutcomes,
  "Whether the agent may act. `completed`: the decision is sealed, so the agent may act. `approval_required`: a person has to approve the decision first. `refused`: a person refused the decision, it expired, or another decision replaced it; the refusal is sealed. `pending`: the decision couldn't be sealed yet; repeat the request with the same `Idempotency-Key`.",
)

export const verificationModes = ['chain', 'records'] as const
export const VerificationMode = oneOf(
  'VerificationMode',
  verificationModes,
  'How thoroughly to verify. `chain` recomputes hashes and links; `records` also compares every record with what was sealed.',
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
export const Destination = oneOf('Destination', destinations, 'The page to show after signing in.')
export type Destination = Static<typeof Destination>

export const scopes = [
  'decide',
  'proof:read',
  'proof:write',
  'proof:approve',
  'events:write',
  'webhooks:write',
  'policies:write',
  'sandboxes:write',
] as const
export type Scope = (typeof scopes)[number]
export const ScopeSchema = oneOf(
  'ApiKeyScope',
  scopes,
  "What an API key can do. `decide` is for a single agent: the key can record and read decisions, ask whether the agent may act, consume decisions and report outcomes, always as the actor that the key is bound to. `proof:read` allows reading decisions, evidence and chains. `proof:write` allows recording decisions, and `proof:approve` approving them; both include `proof:read`, and both can add approvals. If a policy accepts an approver who is named by an API key, the key must have the `proof:approve` scope and can't be the key that recorded the decision. `events:write` allows publishing events. `webhooks:write` allows managing webhooks. `policies:write` allows reading policies and importing them from a file; what loosens them still needs people's approval. `sandboxes:write` allows creating, refreshing and ending the center's sandboxes, which start with its policies.",
)

/** A boolean in a query, where every value is text. */
export const YesNo = (description: string) => oneOf('YesNo', ['true', 'false'], description)
