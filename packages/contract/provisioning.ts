/** Provisioning and subscription: part 4.5 of the specification. */
import { Type } from 'typebox'
import { Membership } from './auth.ts'
import { Center, CenterSettings } from './centers.ts'
import { ActorId, CenterId, closed, DateTime, nullable } from './common.ts'
import { BillingCycle, SubscriptionStatusSchema, VerticalSchema } from './enums.ts'
import { operation } from './operation.ts'

export const Subscription = Type.Object(
  {
    planId: Type.String(),
    planName: Type.String(),
    status: SubscriptionStatusSchema,
    billingCycle: BillingCycle,
    currentPeriodEnd: DateTime,
    seatLimit: Type.Integer(),
    seatUsed: Type.Integer({ description: 'ACTIVE memberships' }),
    usage: Type.Object(
      { seats: Type.Object({ used: Type.Integer(), limit: Type.Integer(), free: Type.Integer() }, closed) },
      closed,
    ),
    standing: Type.Object(
      {
        message: Type.String({ description: 'For people: how things stand and what to do next' }),
        works: Type.Array(Type.String(), { description: 'What can be done now' }),
        stopped: Type.Array(Type.String(), { description: 'What cannot, until the subscription is in order again' }),
      },
      closed,
    ),
  },
  closed,
)

export const subdomainPattern = '^[a-z0-9-]{3,30}$'
const shared = { surface: 'platform', tag: 'Provisioning' } as const

export const provisionCenter = operation({
  ...shared,
  id: 'provisioning.createCenter',
  method: 'POST',
  path: '/provisioning/center-tenant',
  access: { kind: 'actor', center: 'optional' },
  store: 'directory',
  summary: 'Create a center with its administrator, subscription, learning tenant and settings, all or nothing',
  description:
    'For yourself, or for anybody as a partner or platform operator. The same `orderId` with the same body returns the center that it made, with 200; with another body it is 409 `DUPLICATE_PROVISIONING`.',
  body: Type.Object(
    {
      centerName: Type.String({ minLength: 1, maxLength: 200 }),
      subdomain: Type.String({ pattern: subdomainPattern }),
      planId: Type.String({ minLength: 1, maxLength: 64 }),
      orderId: Type.String({ minLength: 1, maxLength: 255 }),
      adminActorId: ActorId,
      businessNumber: Type.Optional(Type.String({ maxLength: 64 })),
      vertical: Type.Optional(VerticalSchema),
    },
    {
      ...closed,
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
  replies: (() => {
    const Provisioned = Type.Object(
      {
        center: Center,
        membership: Membership,
        subscription: Subscription,
        tenantMapping: Type.Object({ centerId: CenterId, lmsTenantId: Type.String({ format: 'uuid' }) }, closed),
        settings: CenterSettings,
      },
      closed,
    )
    return { 200: Provisioned, 201: Provisioned }
  })(),
  errors: ['INVALID_SUBDOMAIN', 'SUBDOMAIN_TAKEN', 'DUPLICATE_PROVISIONING', 'PROVISIONING_FAILED', 'FORBIDDEN'],
})

const Availability = Type.Object({ available: Type.Boolean(), reason: nullable(Type.String()) }, closed)

export const checkSubdomain = operation({
  ...shared,
  id: 'provisioning.checkSubdomain',
  method: 'POST',
  path: '/provisioning/check-subdomain',
  access: { kind: 'actor', center: 'optional' },
  store: 'identity',
  envelope: 'bare',
  summary: 'Is this subdomain free, and not reserved',
  body: Type.Object(
    { subdomain: Type.String({ pattern: subdomainPattern }) },
    { ...closed, examples: [{ subdomain: 'haneul' }] },
  ),
  replies: { 200: Type.Object({ success: Type.Literal(true), available: Type.Boolean(), data: Availability }, closed) },
  errors: ['INVALID_SUBDOMAIN'],
})

const Plan = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    price: Type.Integer({ description: 'Whole units of the currency per billing cycle' }),
    currency: Type.String(),
    billingCycle: BillingCycle,
    seatLimit: Type.Integer(),
    features: Type.Array(Type.String()),
  },
  closed,
)
const planList = (kind: 'Center' | 'Lms', path: string, what: string) =>
  operation({
    ...shared,
    id: `provisioning.list${kind}Plans`,
    method: 'GET',
    path,
    access: { kind: 'public' },
    store: 'identity',
    summary: `Plans for ${what}`,
    replies: { 200: Type.Array(Plan) },
  })

export const listCenterPlans = planList('Center', '/provisioning/center-plans', 'centers')
export const listLmsPlans = planList('Lms', '/provisioning/lms-plans', 'the learning app')

export const getSubscription = operation({
  id: 'subscription.get',
  surface: 'platform',
  tag: 'Subscription',
  method: 'GET',
  path: '/center/subscription',
  access: { kind: 'actor', center: 'required', roles: ['ADMIN'] },
  store: 'directory',
  summary: 'The current center’s subscription, its seats, and what it allows now',
  replies: { 200: Subscription },
  errors: ['NOT_FOUND'],
})
