/**
 * What plans and feature switches promise, and the operations that keep each promise. This table is the only one: the
 * server refuses these operations by it, and the list of plans says what is in it. It never holds an operation of the
 * specification, which no plan and no switch refuses.
 */

interface PlanPromise {
  readonly name: string
  /** Number of webhooks; 20 or more on every plan. */
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
  /** The operations that are refused where the feature is off, not in the plan, or stopped with the subscription. */
  readonly operations: readonly string[]
  readonly plans: readonly CenterPlanId[]
  /** Members of the body. An operation that also serves other purposes belongs to the feature only with these. */
  readonly body?: Readonly<Record<string, string>>
}

/** By the name of its switch in `features` of a center's settings. Other names there are for the center's own programs. */
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
