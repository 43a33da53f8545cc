/** Provisioning and subscription: part 4.5 of the specification. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { CenterSettings } from './center-settings.ts'
import { Center } from './centers.ts'
import { ActorId, CenterId, DateTime, described, named, nullable, PageQuery, PlainName } from './common.ts'
import { BillingCycle, FoundedTenantType, oneOf, SubscriptionStatusSchema, VerticalSchema } from './enums.ts'
import { operation } from './operation.ts'
import { CountryCode, RegionCode } from './places.ts'

export const PlanId = Type.String({ pattern: '^[a-z0-9-]{1,64}$', description: "The plan's ID." })

export const Subscription = named(
  'Subscription',
  {
    planId: Type.String({ description: "The plan's ID, as in the list of plans." }),
    planVersion: Type.Integer({
      description:
        'The version of the plan that the subscription was made under. It keeps this version until the plan is changed.',
    }),
    planName: Type.String({ description: "The plan's name, as people see it." }),
    status: SubscriptionStatusSchema,
    billingCycle: BillingCycle,
    currentPeriodEnd: described(DateTime, 'When the paid period ends.'),
    seatLimit: Type.Integer({ description: 'The number of seats that the plan includes.' }),
    seatUsed: Type.Integer({ description: 'The number of seats taken, which is the number of ACTIVE memberships.' }),
    staffLimit: nullable(
      Type.Integer({
        description:
          'The number of ADMINs and INSTRUCTORs that the plan includes. If the plan has this limit, it alone determines whether a member can be activated. Null if the plan counts seats instead.',
      }),
    ),
    staffUsed: Type.Integer({ description: 'The number of ACTIVE memberships of ADMINs and INSTRUCTORs.' }),
    billingUrl: nullable(
      Type.String({
        description:
          "The operator's billing system, where an administrator pays or changes the plan. Null if the operator hasn't configured one.",
      }),
    ),
    usage: named(
      'SubscriptionUsage',
      {
        seats: named(
          'SeatUsage',
          {
            used: Type.Integer({ description: 'The number of seats taken.' }),
            limit: Type.Integer({ description: 'The number of seats that the plan includes.' }),
            free: Type.Integer({ description: 'The number of seats left.' }),
          },
          { description: 'How many seats are taken and how many are left.' },
        ),
      },
      { description: 'How much of the plan is used.' },
    ),
    standing: named(
      'SubscriptionStanding',
      {
        message: Type.String({ description: "The subscription's state and what to do next, in a sentence." }),
        works: Type.Array(Type.String(), { description: 'What the subscription allows now.' }),
        stopped: Type.Array(Type.String(), {
          description: 'What stops working until the subscription is in order again.',
        }),
      },
      { description: "What the subscription's state means for the center." },
    ),
  },
  { description: "A center's subscription." },
)

export const subdomainPattern = '^[a-z0-9-]{3,30}$'
const shared = { surface: 'platform', tag: 'Provisioning' } as const

const ProvisionedCenter = named(
  'ProvisionedCenter',
  {
    center: described(Center, 'The new center.'),
    membership: Membership,
    subscription: Subscription,
    tenantMapping: named(
      'TenantMapping',
      {
        centerId: described(CenterId, 'The center that the tenant belongs to.'),
        lmsTenantId: Type.String({ format: 'uuid', description: "The tenant's ID in the learning application." }),
      },
      { description: "The center's counterpart in the learning application." },
    ),
    settings: described(CenterSettings, "The center's settings."),
  },
  { description: 'A new center with everything that belongs to it.' },
)

export const provisionCenter = operation({
  ...shared,
  id: 'provisioning.createCenter',
  method: 'POST',
  path: '/provisioning/center-tenant',
  access: { kind: 'actor', center: 'optional' },
  store: 'directory',
  summary: 'Create a center',
  description:
    'Creates a center with its administrator, subscription, learning tenant and settings in one transaction. You can create a center that you administer yourself; a partner or a platform operator can name any administrator. If your only role in any center is CHILD, the response is 403 `INSUFFICIENT_ROLE`. The same `orderId` with the same body returns the first center with 200; with a different body, the response is 409 `DUPLICATE_PROVISIONING`. `country` (default KR) and `region` (default none) determine which policies apply; later, only the partner or the platform operator can change them. Anyone who can create a center can instead create a personal workspace (`tenantType` WORKSPACE), which has a single administrator; WHITE_LABEL is only for partners. The number of centers that you can create for yourself is limited (`CENTERS_PER_PERSON`, 3 in production); beyond that, the response is 429 `RATE_LIMITED`. Partners and operators have no limit.',
  body: named(
    'NewCenter',
    {
      centerName: described(PlainName, "The center's name, as people will see it.", 'Haneul Rehabilitation Center'),
      subdomain: Type.String({
        pattern: subdomainPattern,
        description: "The center's subdomain, in lowercase letters, digits and hyphens.",
        examples: ['haneul'],
      }),
      planId: Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The plan to subscribe to, from `GET /api/provisioning/center-plans`.',
        examples: ['center-starter'],
      }),
      orderId: Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Your own ID for this order; it makes a repeated request safe.',
        examples: ['order-2026-1115-1'],
      }),
      adminActorId: described(ActorId, "The actor ID of the center's first administrator."),
      businessNumber: Type.Optional(
        Type.String({ maxLength: 64, description: 'The business registration number.', examples: ['123-45-67890'] }),
      ),
      vertical: Type.Optional(VerticalSchema),
      tenantType: Type.Optional(FoundedTenantType),
      country: Type.Optional(CountryCode),
      region: Type.Optional(RegionCode),
    },
    {
      description: 'The center to create.',
      examples: [
        {
          centerName: 'Haneul Rehabilitation Center',
          subdomain: 'haneul',
          planId: 'center-starter',
          orderId: 'order-2026-1115-1',
          adminActorId: '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40',
          vertical: 'rehabilitation',
        },
      ],
    },
  ),
  replies: { 200: ProvisionedCenter, 201: ProvisionedCenter },
  errors: [
    'INVALID_SUBDOMAIN',
    'SUBDOMAIN_TAKEN',
    'DUPLICATE_PROVISIONING',
    'PROVISIONING_FAILED',
    'FORBIDDEN',
    'INSUFFICIENT_ROLE',
  ],
})

const Availability = named(
  'SubdomainAvailability',
  {
    available: Type.Boolean({ description: 'Whether the subdomain is free.' }),
    reason: nullable(Type.String({ description: "Why the subdomain can't be used. Null if it is free." })),
  },
  { description: 'Whether a subdomain is free.' },
)

export const checkSubdomain = operation({
  ...shared,
  id: 'provisioning.checkSubdomain',
  method: 'POST',
  path: '/provisioning/check-subdomain',
  access: { kind: 'actor', center: 'optional' },
  store: 'identity',
  envelope: 'bare',
  summary: 'Check a subdomain',
  description: "Returns whether a subdomain is free for a new center and, if it isn't, the reason.",
  body: named(
    'SubdomainCheck',
    {
      subdomain: Type.String({
        pattern: subdomainPattern,
        description: 'The subdomain to check, in lowercase letters, digits and hyphens.',
        examples: ['haneul'],
      }),
    },
    { description: 'The subdomain to check.', examples: [{ subdomain: 'haneul' }] },
  ),
  replies: {
    200: named(
      'SubdomainCheckResult',
      {
        success: Type.Literal(true, { description: 'Always true.' }),
        available: Type.Boolean({ description: 'Whether the subdomain is free.' }),
        data: described(Availability, 'The result.'),
      },
      { description: 'Whether the subdomain is free.' },
    ),
  },
  errors: ['INVALID_SUBDOMAIN'],
})

const Plan = named(
  'Plan',
  {
    id: Type.String({ description: "The plan's ID, for `planId`." }),
    name: Type.String({ description: "The plan's name." }),
    price: Type.Integer({ description: 'The price per billing cycle, in whole units of the currency.' }),
    currency: Type.String({ description: 'The currency of the price, as an ISO 4217 code.' }),
    billingCycle: BillingCycle,
    seatLimit: Type.Integer({ description: 'The number of seats that the plan includes.' }),
    staffLimit: nullable(
      Type.Integer({
        description:
          'The number of ADMINs and INSTRUCTORs that the plan includes; members with other roles are unlimited. Null if the plan counts seats instead.',
      }),
    ),
    version: Type.Integer({ description: 'The latest version of the plan. New subscriptions get this version.' }),
    trialDays: Type.Integer({ description: 'The number of days for which a new center can try the plan.' }),
    features: Type.Array(Type.String(), { description: 'What the plan includes, in words.' }),
  },
  { description: 'A plan that can be subscribed to.' },
)
const planList = (kind: 'Center' | 'Lms', path: string, what: string) =>
  operation({
    ...shared,
    id: `provisioning.list${kind}Plans`,
    method: 'GET',
    looseQuery: true,
    path,
    access: { kind: 'public' },
    store: 'identity',
    summary: `List the plans for ${what}`,
    description: 'Returns the latest version of each plan that is offered, with its price, limits and features.',
    replies: { 200: Type.Array(Plan) },
  })

export const listCenterPlans = planList('Center', '/provisioning/center-plans', 'centers')
export const listLmsPlans = planList('Lms', '/provisioning/lms-plans', 'the learning application')

const ofSubscription = { surface: 'platform', tag: 'Subscription', method: 'GET', store: 'directory' } as const

export const getSubscription = operation({
  ...ofSubscription,
  id: 'subscription.get',
  path: '/center/subscription',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  summary: 'Retrieve the subscription',
  description: "Returns the current center's plan, its seats and what the subscription allows now.",
  replies: { 200: Subscription },
  errors: ['NOT_FOUND'],
})

export const SubscriptionNotice = named(
  'SubscriptionNotice',
  {
    status: nullable(SubscriptionStatusSchema),
    currentPeriodEnd: nullable(described(DateTime, 'When the trial or the paid period ends.')),
    stopped: Type.Array(Type.String(), { description: "What isn't available until the subscription is in order." }),
    liftedBy: Type.Array(
      oneOf(
        'SubscriptionLifter',
        ['billing_system', 'operator'],
        'Who can make the subscription ACTIVE: the billing system by reporting a payment, or the operator.',
      ),
      { description: 'Who can make the subscription ACTIVE. Empty if it is in order.' },
    ),
    billingUrl: nullable(
      Type.String({ description: "The operator's billing system. Null for members who aren't administrators." }),
    ),
  },
  { description: "What a center's members need to know about its subscription." },
)

export const getSubscriptionNotice = operation({
  ...ofSubscription,
  id: 'subscription.getNotice',
  path: '/center/subscription/notice',
  access: { kind: 'actor', center: 'required' },
  summary: 'Retrieve the subscription notice',
  description:
    'Returns what members of the center need to know about the subscription: its status, what is stopped, and who can make it active again. The console shows it on every page. All fields are null or empty if the center has no subscription.',
  replies: {
    200: SubscriptionNotice,
  },
})

export const listInvoices = operation({
  ...ofSubscription,
  id: 'subscription.listInvoices',
  path: '/center/subscription/invoices',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  envelope: 'page',
  summary: 'List invoices',
  description:
    "Returns the center's invoices as your billing system stated them in signed payment events, newest first. Countersign doesn't issue, collect or check invoices.",
  query: PageQuery,
  replies: {
    200: named(
      'SubscriptionInvoice',
      {
        number: Type.String({ description: "The invoice's number in the billing system." }),
        amount: Type.String({ description: 'The amount, as a decimal number.' }),
        currency: Type.String({ description: 'The currency, as an ISO 4217 code.' }),
        paid: Type.Boolean({ description: 'Whether the latest statement reported a completed payment.' }),
        url: nullable(Type.String({ description: 'The invoice in the billing system. Null if none was stated.' })),
        statedAt: described(DateTime, 'When the billing system stated this.'),
      },
      { description: 'An invoice, as the billing system stated it.' },
    ),
  },
})
