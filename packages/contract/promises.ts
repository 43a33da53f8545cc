/**
 * The features that plans and switches include, and the operations behind each. This is the only such table: the server
 * refuses operations by it. It never has an operation of the specification, which no plan or switch may refuse. Which
 * features a plan includes is data of the operator.
 */

interface FeaturePromise {
  readonly label: string
  /** Operations that are refused if the feature is off, not in the plan, or stopped with the subscription. */
  readonly operations: readonly string[]
  /** Values in the body. An operation that has other uses too belongs to the feature only with these. */
  readonly body?: Readonly<Record<string, string>>
}

/** By the name of the switch in `features` of a center's settings. Other names there are for the center's own programs. */
export const centerFeatures = {
  booking: {
    label: 'Bookings',
    operations: ['bookings.create', 'bookings.move', 'bookingSeries.create', 'bookingWaits.create'],
  },
  attendance: {
    label: 'Attendance',
    operations: ['bookings.markAttended', 'bookings.markNoShow', 'bookings.recordAttendance'],
  },
  families: { label: 'Families', operations: ['children.create', 'guardianships.invite'] },
  customDomain: {
    label: 'Custom domain',
    operations: ['domains.add'],
    body: { purpose: 'site' },
  },
  workflowSettings: {
    label: 'Workflow settings',
    operations: ['workflows.putSettings'],
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

/** What a version of a plan includes. */
export interface PlanPromise {
  readonly seatLimit: number
  /** ADMINs and INSTRUCTORs; null where seats are counted instead. */
  readonly staffLimit: number | null
  /** The number of webhooks: at least 20 on every plan. */
  readonly webhooks: number
  readonly features: readonly string[]
}

export const isInPlan = (feature: CenterFeature, { features }: Pick<PlanPromise, 'features'>): boolean =>
  features.includes(feature)

/** The text of `features` in the list of plans. */
export const promisesOf = (plan: PlanPromise): string[] => [
  plan.staffLimit === null ? `${plan.seatLimit} seats` : `${plan.staffLimit} administrators and instructors`,
  `${plan.webhooks} webhooks`,
  ...centerFeatureNames.flatMap((name) => (isInPlan(name, plan) ? [centerFeatures[name].label] : [])),
]
