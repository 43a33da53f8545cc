/**
 * Every route, in one list. An operation without a handler or with two of them, or a handler without an operation, stops
 * the server from starting.
 */
import { definitions } from '@countersign/contract/operations.ts'
import { companionEventRoutes } from './features/automation/companion-events/routes.ts'
import { webhookRoutes } from './features/automation/webhooks/routes.ts'
import { workflowRoutes } from './features/automation/workflows/routes.ts'
import { attendanceRoutes } from './features/centers/attendance/routes.ts'
import { auditRoutes } from './features/centers/audit/routes.ts'
import { bookingRoutes } from './features/centers/bookings/routes.ts'
import { calendarRoutes } from './features/centers/calendar/routes.ts'
import { centerRoutes } from './features/centers/centers/routes.ts'
import { domainRoutes } from './features/centers/domains/routes.ts'
import { leavingRoutes } from './features/centers/leaving/routes.ts'
import { logoRoutes } from './features/centers/logos/routes.ts'
import { noticeRoutes } from './features/centers/notices/routes.ts'
import { partnerRoutes } from './features/centers/partner/routes.ts'
import { platformRoutes } from './features/centers/platform/routes.ts'
import { provisioningRoutes } from './features/centers/provisioning/routes.ts'
import { sandboxRoutes } from './features/centers/sandboxes/routes.ts'
import { subscriptionRoutes } from './features/centers/subscription/routes.ts'
import { todayRoutes } from './features/centers/today/routes.ts'
import { actionTypeRoutes } from './features/evidence/action-types/routes.ts'
import { agentRoutes } from './features/evidence/agents/routes.ts'
import { askingRoutes } from './features/evidence/approval-requests/member-routes.ts'
import { approvalRequestRoutes } from './features/evidence/approval-requests/routes.ts'
import { channelRoutes } from './features/evidence/channels/routes.ts'
import { decisionEventRoutes } from './features/evidence/decision-events/routes.ts'
import { approvalRoutes } from './features/evidence/decisions/approval-routes.ts'
import { confirmationRoutes } from './features/evidence/decisions/confirmation-routes.ts'
import { consoleDecisionRoutes } from './features/evidence/decisions/console-routes.ts'
import { deputyRoutes } from './features/evidence/decisions/deputy-routes.ts'
import { decisionRoutes } from './features/evidence/decisions/routes.ts'
import { testApprovalRoutes } from './features/evidence/decisions/test-approval-routes.ts'
import { dpuRoutes } from './features/evidence/dpu/routes.ts'
import { evidenceRoutes } from './features/evidence/evidence/routes.ts'
import { executionRoutes } from './features/evidence/executions/routes.ts'
import { freezeRoutes } from './features/evidence/freezes/routes.ts'
import { oversightRoutes } from './features/evidence/oversight/routes.ts'
import { franchiseRoutes } from './features/evidence/policies/franchise-routes.ts'
import { policyRoutes } from './features/evidence/policies/routes.ts'
import { publicVerificationRoutes } from './features/evidence/public-verification/routes.ts'
import { fileRoutes } from './features/evidence/rule-changes/file-routes.ts'
import { ruleChangeRoutes } from './features/evidence/rule-changes/routes.ts'
import { searchRoutes } from './features/evidence/search/routes.ts'
import { consoleIntegrityRoutes } from './features/evidence/transparency/console-routes.ts'
import { transparencyRoutes } from './features/evidence/transparency/routes.ts'
import { verificationRoutes } from './features/evidence/verification/routes.ts'
import { accountRoutes } from './features/identity/account/routes.ts'
import { entryRoutes } from './features/identity/account-recovery/routes.ts'
import { apiKeyRoutes } from './features/identity/api-keys/routes.ts'
import { authRoutes } from './features/identity/auth/routes.ts'
import { eligibilityRoutes } from './features/identity/eligibility/routes.ts'
import { familyRoutes } from './features/identity/families/routes.ts'
import { groupRoutes } from './features/identity/groups/routes.ts'
import { importRoutes } from './features/identity/imports/routes.ts'
import { memberRoutes } from './features/identity/members/routes.ts'
import { notificationRoutes } from './features/identity/notifications/routes.ts'
import { oidcRoutes } from './features/identity/oidc/routes.ts'
import { passkeyRoutes } from './features/identity/passkeys/routes.ts'
import { pushRoutes } from './features/identity/push/routes.ts'
import { signUpRoutes } from './features/identity/sign-up/routes.ts'
import { siteSignInRoutes } from './features/identity/site-sign-in/routes.ts'
import { stepUpRoutes } from './features/identity/step-up/routes.ts'
import type { Route } from './http/route.ts'
import type { Services } from './services.ts'
import type { CheckReady } from './system/readiness.ts'
import { systemRoutes } from './system/routes.ts'

export function allRoutes(services: Services, checkReady: CheckReady): Route[] {
  const routes = [
    ...authRoutes(services),
    ...accountRoutes(services),
    ...notificationRoutes(),
    ...pushRoutes(services),
    ...passkeyRoutes(services),
    ...stepUpRoutes(services),
    ...oidcRoutes(services),
    ...siteSignInRoutes(services),
    ...signUpRoutes(services),
    ...entryRoutes(services),
    ...centerRoutes(services),
    ...bookingRoutes(services),
    ...calendarRoutes(services),
    ...domainRoutes(services),
    ...logoRoutes(services),
    ...memberRoutes(services),
    ...importRoutes(services),
    ...eligibilityRoutes(services),
    ...groupRoutes(services),
    ...freezeRoutes(services),
    ...familyRoutes(services),
    ...attendanceRoutes(services),
    ...todayRoutes(services),
    ...noticeRoutes(services),
    ...auditRoutes(services),
    ...provisioningRoutes(services),
    ...subscriptionRoutes(services),
    ...sandboxRoutes(services),
    ...leavingRoutes(services),
    ...partnerRoutes(services),
    ...platformRoutes(services),
    ...apiKeyRoutes(services),
    ...decisionEventRoutes(services),
    ...decisionRoutes(services),
    ...consoleDecisionRoutes(services),
    ...deputyRoutes(services),
    ...oversightRoutes(services),
    ...searchRoutes(services),
    ...executionRoutes(services),
    ...approvalRoutes(services),
    ...confirmationRoutes(services),
    ...testApprovalRoutes(services),
    ...evidenceRoutes(services),
    ...agentRoutes(services),
    ...approvalRequestRoutes(services),
    ...askingRoutes(services),
    ...dpuRoutes(services),
    ...verificationRoutes(services),
    ...transparencyRoutes(services),
    ...consoleIntegrityRoutes(services),
    ...publicVerificationRoutes(services),
    ...policyRoutes(services),
    ...ruleChangeRoutes(services),
    ...fileRoutes(services),
    ...franchiseRoutes(services),
    ...actionTypeRoutes(services),
    ...webhookRoutes(services),
    ...companionEventRoutes(services),
    ...channelRoutes(services),
    ...workflowRoutes(services),
    ...systemRoutes(services, checkReady),
  ]
  checkPromises(routes)
  return routes
}

export function checkPromises(routes: readonly Route[]): void {
  const bound = routes.map(({ operations: [first] }) => first?.definition as string)
  const promised = new Set(definitions.map(({ id }) => id))
  const unkept = [...promised].filter((id) => !bound.includes(id))
  const unpromised = bound.filter((id) => !promised.has(id))
  const twice = bound.filter((id, at) => bound.indexOf(id) !== at)
  if (unkept.length > 0) throw new Error(`operations without a route: ${unkept.join(', ')}`)
  if (unpromised.length > 0) throw new Error(`routes that the contract does not list: ${unpromised.join(', ')}`)
  if (twice.length > 0) throw new Error(`operations with more than one handler: ${twice.join(', ')}`)
}
