/** Refuses what the plan, the switches or the state of the subscription do not include; the message names what would. */
import {
  type CenterFeature,
  centerFeatures,
  centerPlanIds,
  centerPlans,
  isInPlan,
} from '@countersign/contract/promises.ts'
import { Problem } from '../lib/problem.ts'
import type { KnownCenter } from './center-profiles.ts'

type Standing = Pick<KnownCenter, 'features' | 'subscription'>

const over = ['SUSPENDED', 'CANCELED']

const listed = (plans: readonly string[]): string => new Intl.ListFormat('en', { type: 'disjunction' }).format(plans)

/** Whether an operation of this feature would be accepted now. */
export function isOffered(feature: CenterFeature, standing: Standing): boolean {
  return refusalOf(feature, standing) === null
}

export function requireFeature(feature: CenterFeature, standing: Standing): void {
  const refusal = refusalOf(feature, standing)
  if (refusal !== null) throw new Problem('FORBIDDEN', refusal)
}

function refusalOf(feature: CenterFeature, { features, subscription }: Standing): string | null {
  const { label, plans } = centerFeatures[feature]
  if (subscription && over.includes(subscription.status)) {
    const remedy =
      subscription.status === 'CANCELED'
        ? 'Ask the operator for a new subscription.'
        : 'Ask the operator how to continue.'
    return `The subscription is ${subscription.status}, so "${label}" isn't available. ${remedy}`
  }
  if (subscription && !isInPlan(feature, subscription.planId)) {
    const allowing = listed(plans.map((id) => centerPlans[id].name))
    const { name } = centerPlans[subscription.planId]
    return `"${label}" isn't included in the ${name} plan. Switch to the ${allowing} plan.`
  }
  if (features[feature] === false) {
    return `"${label}" is turned off in this center. An administrator can turn it on by setting "features.${feature}" to true.`
  }
  return null
}

/** `used` webhooks exist, and one more is wanted. */
export function requireWebhooks(used: number, { subscription }: Pick<Standing, 'subscription'>): void {
  if (!subscription) return
  const { name, webhooks } = centerPlans[subscription.planId]
  if (used < webhooks) return
  const larger = centerPlanIds.filter((id) => centerPlans[id].webhooks > webhooks)
  const remedy = larger.map((id) => `${centerPlans[id].name} (${centerPlans[id].webhooks})`)
  throw new Problem(
    'FORBIDDEN',
    `The ${name} plan includes ${webhooks} webhooks. Delete one you don't need${larger.length > 0 ? `, or switch to the ${listed(remedy)} plan` : ''}.`,
  )
}
