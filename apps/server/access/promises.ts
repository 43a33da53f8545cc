/** Refuses what the plan, the switches or the state of the subscription do not include; the message names what would. */
import { type CenterFeature, centerFeatures, isInPlan } from '@countersign/contract/promises.ts'
import { Problem } from '../lib/problem.ts'
import type { KnownCenter } from './center-profiles.ts'

type Standing = Pick<KnownCenter, 'features' | 'subscription'>

const over = ['SUSPENDED', 'CANCELED']

/** Whether an operation of this feature would be accepted now. */
export function isOffered(feature: CenterFeature, standing: Standing): boolean {
  return refusalOf(feature, standing) === null
}

export function requireFeature(feature: CenterFeature, standing: Standing): void {
  const refusal = refusalOf(feature, standing)
  if (refusal !== null) throw refusal
}

function refusalOf(feature: CenterFeature, { features, subscription }: Standing): Problem | null {
  const { label } = centerFeatures[feature]
  if (subscription && over.includes(subscription.status)) {
    return new Problem(
      'FORBIDDEN',
      `The subscription is ${subscription.status}, so "${label}" isn't available. Pay in your billing system, or ask the operator to reactivate it.`,
      { details: { reason: 'subscription', status: subscription.status } },
    )
  }
  if (subscription && !isInPlan(feature, subscription)) {
    return new Problem(
      'FORBIDDEN',
      `"${label}" isn't included in the ${subscription.planName} plan. Switch to a plan that includes it; GET /api/provisioning/center-plans lists the plans.`,
      { details: { reason: 'plan', plan: subscription.planName } },
    )
  }
  if (features[feature] === false) {
    return new Problem(
      'FORBIDDEN',
      `"${label}" is turned off in this center. An administrator can turn it on by setting "features.${feature}" to true.`,
      { details: { reason: 'switch', feature } },
    )
  }
  return null
}

/** `used` webhooks exist, and one more is wanted. */
export function requireWebhooks(used: number, { subscription }: Pick<Standing, 'subscription'>): void {
  if (!subscription || used < subscription.webhooks) return
  const { planName, webhooks } = subscription
  throw new Problem(
    'FORBIDDEN',
    `The ${planName} plan includes ${webhooks} webhooks. Delete one you don't need, or switch to a plan with more; GET /api/provisioning/center-plans lists the plans.`,
    { details: { reason: 'plan', plan: planName } },
  )
}
