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

export function requireFeature(feature: CenterFeature, { features, subscription }: Standing): void {
  const { label, plans } = centerFeatures[feature]
  if (subscription && over.includes(subscription.status)) {
    const remedy =
      subscription.status === 'CANCELED'
        ? 'Ask the operator for a new subscription.'
        : 'Ask the operator how to continue.'
    throw new Problem(
      'FORBIDDEN',
      `The subscription is ${subscription.status}, so "${label}" isn't available. ${remedy}`,
    )
  }
  if (subscription && !isInPlan(feature, subscription.planId)) {
    const allowing = listed(plans.map((id) => centerPlans[id].name))
    const { name } = centerPlans[subscription.planId]
    throw new Problem('FORBIDDEN', `"${label}" isn't included in the ${name} plan. Switch to the ${allowing} plan.`)
  }
  if (features[feature] === false) {
    throw new Problem(
      'FORBIDDEN',
      `"${label}" is turned off in this center. An administrator can turn it on by setting "features.${feature}" to true.`,
    )
  }
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
