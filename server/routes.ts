/** Every route, in one list. A promise without a route, or a route without a promise, stops the server from starting. */
import { operations } from '@countersign/contract/operations.ts'
import { agentRoutes } from './features/agents/routes.ts'
import { apiKeyRoutes } from './features/api-keys/routes.ts'
import { authRoutes } from './features/auth/routes.ts'
import { centerRoutes } from './features/centers/routes.ts'
import { decisionEventRoutes } from './features/decision-events/routes.ts'
import { dpuRoutes } from './features/dpu/routes.ts'
import { entryRoutes } from './features/entry/routes.ts'
import { evidenceRoutes } from './features/evidence/routes.ts'
import { memberRoutes } from './features/members/routes.ts'
import { partnerRoutes } from './features/partner/routes.ts'
import { policyRoutes } from './features/policies/routes.ts'
import { provisioningRoutes } from './features/provisioning/routes.ts'
import { publicVerificationRoutes } from './features/public-verification/routes.ts'
import { subscriptionRoutes } from './features/subscription/routes.ts'
import { systemRoutes } from './features/system/routes.ts'
import { transparencyRoutes } from './features/transparency/routes.ts'
import { verificationRoutes } from './features/verification/routes.ts'
import { webhookRoutes } from './features/webhooks/routes.ts'
import { workflowRoutes } from './features/workflows/routes.ts'
import type { Route } from './http/route.ts'
import type { Services } from './services.ts'

export function allRoutes(services: Services, draining: () => boolean): Route[] {
  const routes = [
    ...authRoutes(services),
    ...entryRoutes(services),
    ...centerRoutes(services),
    ...memberRoutes(services),
    ...provisioningRoutes(services),
    ...subscriptionRoutes,
    ...partnerRoutes(services),
    ...apiKeyRoutes(services),
    ...decisionEventRoutes(services),
    ...evidenceRoutes(services),
    ...agentRoutes(services),
    ...dpuRoutes(services),
    ...verificationRoutes(services),
    ...transparencyRoutes(services),
    ...publicVerificationRoutes(services),
    ...policyRoutes(services),
    ...webhookRoutes(services),
    ...workflowRoutes(services),
    ...systemRoutes(services, draining),
  ]
  checkPromises(routes)
  return routes
}

export function checkPromises(routes: readonly Route[]): void {
  const routed = new Set(routes.map((route) => route.operation.id))
  const promised = new Set(operations.map((operation) => operation.id))
  const unkept = [...promised].filter((id) => !routed.has(id))
  const unpromised = [...routed].filter((id) => !promised.has(id))
  if (unkept.length > 0) throw new Error(`operations without a route: ${unkept.join(', ')}`)
  if (unpromised.length > 0) throw new Error(`routes that the contract does not list: ${unpromised.join(', ')}`)
}
