/**
 * What plans and feature switches include, and the operations behind each. This is the only such table: the server
 * refuses operations by it, and the list of plans is made from it. It never has an operation of the specification,
 * which no plan or switch may refuse.
 */

interface PlanPromise {
  readonly name: string
  /** The number of webhooks: at least 20 on every plan. */
  readonly webhooks: number
}

/** From the smallest to the largest. */
export const centerPlans = {
  'center-starter': { name: 'Starter', webhooks: 20 },
  'center-growth': { name: 'Growth', webhooks: 50 },
  'center-scale': { name: 'Scale', webhooks: 100 },
} as const satisfies Record<string, PlanPromise>

export type CenterPlanId = keyof typeof centerPlans
export const centerPlanIds = Object.keys(centerPlans) as readonly CenterPlanId[]

interface FeaturePromise {
  readonly label: string
  /** Operations that are refused if the feature is off, not in the plan, or stopped with the subscription. */
  readonly operations: readonly string[]
  readonly plans: readonly CenterPlanId[]
  /** Values in the body. An operation that has other uses too belongs to the feature only with these. */
  readonly body?: Readonly<Record<string, string>>
}

/** By the name of the switch in `features` of a center's settings. Other names there are for the center's own programs. */
export const centerFeatures = {
  booking: { label: 'Bookings', operations: ['bookings.create', 'bookings.move'], plans: centerPlanIds },
  attendance: {
    label: 'Attendance',
    operations: ['bookings.markAttended', 'bookings.markNoShow'],
    plans: centerPlanIds,
  },
  families: { label: 'Families', operations: ['children.create', 'guardianships.invite'], plans: centerPlanIds },
  customDomain: {
    label: 'Custom domain',
    operations: ['domains.add'],
    body: { purpose: 'site' },
    plans: centerPlanIds,
  },
  workflowSettings: {
    label: 'Workflow settings',
    operations: ['workflows.putSettings'],
    plans: ['center-growth', 'center-scale'],
  },
} as const satisfies Record<string, FeaturePromise>

export type CenterFeature = keyof typeof centerFeatures
export const centerFeatureNames = Object.keys(centerFeatures) as readonly CenterFeature[]

const featuresByOperation = new Map<string, CenterFeature>(
  centerFeatureNames.flatMap((name) => centerFeatures[name].operations.map((id) => [id, name] as const)),
)

export const featureOf = (operationId: string): CenterFeature | undefined => featuresByOperation.get(operationId)

/** Whether a call with this body uses the feature. */
export function isUse(feature: CenterFeature, body: unknown): boolean {
  const { body: members = {} }: FeaturePromise = centerFeatures[feature]
  return Object.entries(members).every(([name, value]) => (body as Record<string, unknown>)[name] === value)
}

export const isInPlan = (feature: CenterFeature, planId: CenterPlanId): boolean =>
  (centerFeatures[feature].plans as readonly string[]).includes(planId)

/** The text of `features` in the list of plans. */
export const promisesOf = (planId: CenterPlanId, seatLimit: number): string[] => [
  `${seatLimit} seats`,
  `${centerPlans[planId].webhooks} webhooks`,
  ...centerFeatureNames.flatMap((name) => (isInPlan(name, planId) ? [centerFeatures[name].label] : [])),
]
