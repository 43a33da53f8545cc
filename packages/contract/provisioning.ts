/** Provisioning and subscription: part 4.5 of the specification. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { Center, CenterSettings } from './centers.ts'
import { ActorId, CenterId, DateTime, named, nullable, PlainName } from './common.ts'
import { BillingCycle, FoundedTenantType, SubscriptionStatusSchema, VerticalSchema } from './enums.ts'
import { operation } from './operation.ts'
import { CountryCode, RegionCode } from './places.ts'

export const Subscription = named('Subscription', {
  planId: Type.String(),
  planName: Type.String(),
  status: SubscriptionStatusSchema,
  billingCycle: BillingCycle,
  currentPeriodEnd: DateTime,
  seatLimit: Type.Integer(),
  seatUsed: Type.Integer({ description: 'ACTIVE memberships' }),
  usage: named('SubscriptionUsage', {
    seats: named('SeatUsage', { used: Type.Integer(), limit: Type.Integer(), free: Type.Integer() }),
  }),
  standing: named('SubscriptionStanding', {
    message: Type.String({ description: 'For people: the state of the subscription and what to do next' }),
    works: Type.Array(Type.String(), { description: 'What the subscription allows at present' }),
    stopped: Type.Array(Type.String(), { description: 'What it does not allow until it is in order again' }),
  }),
})

export const subdomainPattern = '^[a-z0-9-]{3,30}$'
const shared = { surface: 'platform', tag: 'Provisioning' } as const

const ProvisionedCenter = named('ProvisionedCenter', {
  center: Center,
  membership: Membership,
  subscription: Subscription,
  tenantMapping: named('TenantMapping', { centerId: CenterId, lmsTenantId: Type.String({ format: 'uuid' }) }),
  settings: CenterSettings,
})

export const provisionCenter = operation({
  ...shared,
  id: 'provisioning.createCenter',
  method: 'POST',
  path: '/provisioning/center-tenant',
  access: { kind: 'actor', center: 'optional' },
  store: 'directory',
  summary: 'Create a center with its administrator, subscription, learning tenant and settings in one transaction',
  description:
    'Anyone may create a center that they administer themselves; a partner or a platform operator may name any administrator. A person whose only role in any center is CHILD gets 403 `INSUFFICIENT_ROLE`. A repeated request with the same `orderId` and the same body returns the center of the first request with 200; with another body it is refused with 409 `DUPLICATE_PROVISIONING`. `country` (default KR) and `region` (default none) decide which policies apply; afterwards only the partner or the platform operator changes them. Only a partner creates another `tenantType` than CENTER. A person creates a few centers for themselves (`CENTERS_PER_PERSON`, 3 in production), and the next is 429 `RATE_LIMITED`; partners and operators have no limit.',
  body: named(
    'NewCenter',
    {
      centerName: PlainName,
      subdomain: Type.String({ pattern: subdomainPattern }),
      planId: Type.String({ minLength: 1, maxLength: 64 }),
      orderId: Type.String({ minLength: 1, maxLength: 255 }),
      adminActorId: ActorId,
      businessNumber: Type.Optional(Type.String({ maxLength: 64 })),
      vertical: Type.Optional(VerticalSchema),
      tenantType: Type.Optional(FoundedTenantType),
      country: Type.Optional(CountryCode),
      region: Type.Optional(RegionCode),
    },
    {
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

const Availability = named('SubdomainAvailability', {
  available: Type.Boolean(),
  reason: nullable(Type.String()),
})

export const checkSubdomain = operation({
  ...shared,
  id: 'provisioning.checkSubdomain',
  method: 'POST',
  path: '/provisioning/check-subdomain',
  access: { kind: 'actor', center: 'optional' },
  store: 'identity',
  envelope: 'bare',
  summary: 'Check whether a subdomain is available',
  body: named(
    'SubdomainCheck',
    { subdomain: Type.String({ pattern: subdomainPattern }) },
    { examples: [{ subdomain: 'haneul' }] },
  ),
  replies: {
    200: named('SubdomainCheckResult', {
      success: Type.Literal(true),
      available: Type.Boolean(),
      data: Availability,
    }),
  },
  errors: ['INVALID_SUBDOMAIN'],
})

const Plan = named('Plan', {
  id: Type.String(),
  name: Type.String(),
  price: Type.Integer({ description: 'Whole units of the currency per billing cycle' }),
  currency: Type.String(),
  billingCycle: BillingCycle,
  seatLimit: Type.Integer(),
  features: Type.Array(Type.String()),
})
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
    replies: { 200: Type.Array(Plan) },
  })

export const listCenterPlans = planList('Center', '/provisioning/center-plans', 'centers')
export const listLmsPlans = planList('Lms', '/provisioning/lms-plans', 'the learning application')

export const getSubscription = operation({
  id: 'subscription.get',
  surface: 'platform',
  tag: 'Subscription',
  method: 'GET',
  path: '/center/subscription',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  store: 'directory',
  summary: 'Get the subscription of the current center, its seats and what it allows at present',
  replies: { 200: Subscription },
  errors: ['NOT_FOUND'],
})
