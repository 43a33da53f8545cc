/** The enumerations of the specification, part 2.1, and the scopes of part 5.9. */
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'

export function oneOf<const T extends readonly string[]>(values: T, description: string): TUnsafe<T[number]> {
  const schema: TSchema = { type: 'string', enum: [...values], description }
  return Type.Unsafe<T[number]>(schema)
}

export const actorRoles = ['ADMIN', 'INSTRUCTOR', 'PARENT', 'CHILD'] as const
export type ActorRole = (typeof actorRoles)[number]
export const ActorRoleSchema = oneOf(actorRoles, 'What a person is in a center')

export const membershipStatuses = ['INVITED', 'PENDING', 'ACTIVE', 'SUSPENDED', 'REJECTED', 'ENDED'] as const
export type MembershipStatus = (typeof membershipStatuses)[number]
export const MembershipStatusSchema = oneOf(membershipStatuses, 'Only ACTIVE gives access')

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
export const VerticalSchema = oneOf(verticals, 'The line of work of a center')

export const tenantTypes = ['CENTER', 'WORKSPACE', 'PROGRAM', 'WHITE_LABEL'] as const
export type TenantType = (typeof tenantTypes)[number]
export const TenantTypeSchema = oneOf(tenantTypes, 'What kind of tenant a center is')

/** A PROGRAM is made by the operator's shell only. */
export const FoundedTenantType = oneOf(['CENTER', 'WORKSPACE', 'WHITE_LABEL'], 'What kind of tenant is to be created')

export const partnerRoles = ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] as const
export type PartnerRole = (typeof partnerRoles)[number]
export const PartnerRoleSchema = oneOf(partnerRoles, 'An operator reads and creates; an admin also changes')

export const PartnerKind = oneOf(['white_label', 'franchise'], 'What kind of customer a partner is')

export const centerStatuses = ['ACTIVE', 'SUSPENDED', 'INACTIVE'] as const
export type CenterStatus = (typeof centerStatuses)[number]
export const CenterStatusSchema = oneOf(centerStatuses, 'INACTIVE means that it has ended')

export const subscriptionStatuses = ['ACTIVE', 'TRIAL', 'PAST_DUE', 'CANCELED', 'SUSPENDED'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]
export const SubscriptionStatusSchema = oneOf(subscriptionStatuses, 'How the subscription stands')

export const billingCycles = ['MONTHLY', 'YEARLY'] as const
export const BillingCycle = oneOf(billingCycles, 'How often it is paid')

export const targetApps = ['lms', 'cms', 'erp'] as const
export const TargetApp = oneOf(targetApps, 'The companion app that a single-use token is for')

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
export const DecisionEventType = oneOf(decisionEventTypes, 'What kind of decision this is')

export const eventActorTypes = ['human', 'ai_agent', 'system', 'service'] as const
export const EventActorType = oneOf(eventActorTypes, 'Who or what decided')

export const decisionEventStatuses = ['recorded', 'sealed', 'approved', 'rejected'] as const
export const DecisionEventStatus = oneOf(decisionEventStatuses, '`recorded` until an approval seals it')
export type DecisionEventStatus = Static<typeof DecisionEventStatus>

export const evidenceStatuses = ['pending', 'sealed'] as const
export const EvidenceStatus = oneOf(evidenceStatuses, '`sealed` once it stands in the hash chain')

export const evidenceLevels = ['DRAFT', 'DOCUMENTED', 'AUDIT_READY'] as const
export type EvidenceLevel = (typeof evidenceLevels)[number]
export const EvidenceLevelSchema = oneOf(evidenceLevels, 'How far a record has been reviewed; it only rises')

export const approverTypes = ['human', 'system'] as const
export const ApproverType = oneOf(approverTypes, 'Who or what approves')

export const approvalResults = ['approved', 'rejected'] as const
export const ApprovalResult = oneOf(approvalResults, 'Either seals the decision')

export const dpuReferenceTypes = ['lms-attendance', 'lms-event', 'demo'] as const
export const DpuReferenceType = oneOf(dpuReferenceTypes, 'What the record is about')
/** What a workflow leaves behind is about the run that made it; that value is ours, and nobody can give it. */
export const ShownDpuReferenceType = oneOf([...dpuReferenceTypes, 'workflow_execution'], 'What the record is about')

export const chainDomains = ['dpu', 'proof', 'history'] as const
export const ChainDomain = oneOf(chainDomains, 'Each center has one hash chain per domain')

export const policyScopes = ['global', 'country', 'region', 'center'] as const
export const PolicyScope = oneOf(policyScopes, 'How far a policy reaches')

export const decisionOutcomes = ['completed', 'approval_required', 'pending'] as const
export const DecisionOutcome = oneOf(
  decisionOutcomes,
  'Only `completed` means that the decision stands. `approval_required`: it waits for a person. `pending`: it could not be sealed yet, and the same Idempotency-Key tries again',
)

export const verificationModes = ['chain', 'records'] as const
export const VerificationMode = Type.Unsafe<(typeof verificationModes)[number]>({
  type: 'string',
  enum: [...verificationModes],
  default: 'chain',
  description: '`chain`: hashes and links; `records`: also every record against what was committed',
})

export const destinations = [
  'admin_dashboard',
  'workspace',
  'tenant_picker',
  'waiting',
  'onboarding',
  'partner_dashboard',
] as const
export const Destination = oneOf(destinations, 'Where a person goes after signing in')
export type Destination = Static<typeof Destination>

export const scopes = ['proof:read', 'proof:write', 'events:write'] as const
export type Scope = (typeof scopes)[number]
export const ScopeSchema = oneOf(scopes, '`proof:write` includes everything `proof:read` allows')
