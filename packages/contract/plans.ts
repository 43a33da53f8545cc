/** Plans for centers, as data of the operator. These operations aren't in the specification. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable, PlainName } from './common.ts'
import { BillingCycle, oneOf } from './enums.ts'
import { operation } from './operation.ts'
import { type CenterFeature, centerFeatureNames } from './promises.ts'
import { PlanId } from './provisioning.ts'

const most = 1_000_000

const versionFields = {
  name: { ...PlainName, maxLength: 60, description: "The plan's name, as people see it.", examples: ['Growth'] },
  price: Type.Integer({
    minimum: 0,
    maximum: 2_000_000_000,
    description: 'The price per billing cycle, in whole units of the currency.',
    examples: [149000],
  }),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'The currency, as an ISO 4217 code.',
    examples: ['KRW'],
  }),
  billingCycle: BillingCycle,
  seatLimit: Type.Integer({
    minimum: 1,
    maximum: most,
    description: 'The number of ACTIVE memberships. It has no effect if `staffLimit` is set.',
    examples: [100],
  }),
  trialDays: Type.Integer({
    minimum: 0,
    maximum: 365,
    description: 'The number of days for which a new center can try the plan.',
    examples: [14],
  }),
  webhooks: Type.Integer({ minimum: 20, maximum: 10_000, description: 'The number of webhooks.', examples: [50] }),
  features: Type.Array(
    oneOf('CenterFeature', centerFeatureNames as readonly [CenterFeature, ...CenterFeature[]], 'A feature of a plan.'),
    { uniqueItems: true, maxItems: 20, description: 'What the plan includes.', examples: [['booking', 'attendance']] },
  ),
} as const
const staffLimit = Type.Integer({
  minimum: 1,
  maximum: most,
  description: 'The number of ADMINs and INSTRUCTORs. If set, it alone determines whether a member can be activated.',
  examples: [10],
})
const offered = Type.Boolean({
  description:
    'Whether the plan is in the list of plans. A plan that is not offered gets no new subscriptions; existing ones continue.',
  examples: [true],
})

const newFields = {
  ...versionFields,
  staffLimit: Type.Optional(nullable(staffLimit)),
  offered: Type.Optional(offered),
}
const example = {
  name: 'Growth',
  price: 149000,
  currency: 'KRW',
  billingCycle: 'MONTHLY',
  seatLimit: 100,
  staffLimit: 20,
  trialDays: 14,
  webhooks: 50,
  features: ['booking', 'attendance', 'families', 'customDomain'],
}

export const NewPlanVersion = named('NewPlanVersion', newFields, {
  description: 'A new version of a plan.',
  examples: [example],
})
export const NewPlan = named(
  'NewPlan',
  { id: { ...PlanId, examples: ['center-growth'] }, ...newFields },
  { description: 'A new plan, in its first version.', examples: [{ id: 'center-growth', ...example }] },
)

const PlanVersion = named(
  'PlanVersion',
  {
    id: PlanId,
    version: Type.Integer({ description: 'The version, counted from 1.' }),
    ...versionFields,
    staffLimit: nullable(staffLimit),
    offered,
    createdAt: described(DateTime, 'When the version was added.'),
    subscriptions: Type.Integer({
      description: "The number of subscriptions that keep this version and aren't CANCELED.",
    }),
  },
  { description: 'A version of a plan.' },
)

const Named = named(
  'PlanVersionId',
  { id: PlanId, version: Type.Integer({ description: 'The version, counted from 1.' }) },
  { description: 'A plan and its latest version.' },
)

const shared = { surface: 'platform', tag: 'Platform operators', access: { kind: 'operator' } } as const

export const listPlanVersions = operation({
  ...shared,
  id: 'admin.listPlans',
  method: 'GET',
  path: '/admin/plans',
  store: 'identity',
  summary: 'List plan versions',
  description: 'Returns every version of every plan for centers, the latest version of each plan first.',
  replies: { 200: Type.Array(PlanVersion) },
})

export const addPlan = operation({
  ...shared,
  id: 'admin.addPlan',
  method: 'POST',
  path: '/admin/plans',
  store: 'directory',
  summary: 'Add a plan',
  description: 'Adds a plan for centers in version 1. If there is already a plan with this ID, the response is 409.',
  body: NewPlan,
  replies: { 201: Named },
  errors: ['CONFLICT'],
})

export const addPlanVersion = operation({
  ...shared,
  id: 'admin.addPlanVersion',
  method: 'POST',
  path: '/admin/plans/{id}/versions',
  store: 'directory',
  summary: 'Add a version of a plan',
  description:
    'Adds a version of a plan. New subscriptions and plan changes get it; existing subscriptions keep the version they were made under.',
  params: Type.Object({ id: { ...PlanId, examples: ['center-growth'] } }),
  body: NewPlanVersion,
  replies: { 201: Named },
  errors: ['NOT_FOUND'],
})
