/** The partner platform: part 4.3 of the specification. */
import { Type } from 'typebox'
import { Center } from './centers.ts'
import { CenterId, closed, DateTime, Email, FreeObject, nullable, PageQuery } from './common.ts'
import { FoundedTenantType, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { Member } from './members.ts'
import { operation } from './operation.ts'

const Name = Type.String({ minLength: 1, maxLength: 200 })
const OneCenter = Type.Object({ centerId: CenterId })

const anyAccount = { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] } as const
const admin = { kind: 'partner', roles: ['PARTNER_ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Partners', store: 'partner' } as const

export const listPartnerCenters = operation({
  ...shared,
  id: 'partner.listCenters',
  method: 'GET',
  path: '/partner/centers',
  access: anyAccount,
  envelope: 'page',
  summary: 'The centers of this partner, newest first',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'A part of the name or slug; spelling is forgiven' }),
    ),
  }),
  replies: { 200: Center },
})

export const createPartnerCenter = operation({
  ...shared,
  id: 'partner.createCenter',
  method: 'POST',
  path: '/partner/centers',
  access: anyAccount,
  summary: 'Create a center of this partner and invite its administrator by email',
  description:
    'The slug is made from the name; a name that gives none, or one that is taken, gets `center-` and a short code. The plan is the partner’s default. Whoever is invited is ACTIVE as soon as they accept.',
  body: Type.Object(
    { name: Name, tenantType: FoundedTenantType, vertical: VerticalSchema, adminEmail: Email },
    {
      ...closed,
      examples: [
        {
          name: 'Haneul Busan',
          tenantType: 'CENTER',
          vertical: 'rehabilitation',
          adminEmail: 'admin@haneul-busan.example',
        },
      ],
    },
  ),
  replies: { 201: Type.Object({ ...Center.properties, adminMembership: Member }, closed) },
  errors: ['SUBDOMAIN_TAKEN', 'PROVISIONING_FAILED'],
})

export const getPartnerCenter = operation({
  ...shared,
  id: 'partner.getCenter',
  method: 'GET',
  path: '/partner/centers/{centerId}',
  access: anyAccount,
  summary: 'One center of this partner',
  params: OneCenter,
  replies: { 200: Center },
  errors: ['CENTER_NOT_FOUND'],
})

export const updatePartnerCenter = operation({
  ...shared,
  id: 'partner.updateCenter',
  method: 'PATCH',
  path: '/partner/centers/{centerId}',
  access: admin,
  summary: 'Rename, suspend or reinstate a center of this partner',
  description: 'A suspension is felt everywhere within a second. A center that has ended cannot be changed: 409.',
  params: OneCenter,
  body: Type.Object(
    {
      name: Type.Optional(Name),
      status: Type.Optional(Type.Unsafe<'ACTIVE' | 'SUSPENDED'>({ type: 'string', enum: ['ACTIVE', 'SUSPENDED'] })),
    },
    { ...closed, examples: [{ status: 'SUSPENDED' }] },
  ),
  replies: { 200: Center },
  errors: ['CENTER_NOT_FOUND', 'CONFLICT'],
})

const amount = (description: string) => Type.Integer({ description })

export const getPartnerDashboard = operation({
  ...shared,
  id: 'partner.getDashboard',
  method: 'GET',
  path: '/partner/stats/dashboard',
  access: anyAccount,
  summary: 'How this partner’s centers stand, in a few numbers',
  replies: {
    200: Type.Object(
      {
        totalCenters: Type.Integer(),
        totalMembers: Type.Integer({ description: 'ACTIVE memberships' }),
        activeToday: Type.Integer({ description: 'Members with a session that was started or refreshed today, UTC' }),
        revenue: Type.Object(
          {
            currency: Type.String(),
            monthlyRecurring: amount(
              'Of subscriptions that are ACTIVE or PAST_DUE, in whole units; a twelfth of a year’s price',
            ),
            byPlan: Type.Array(
              Type.Object(
                {
                  planId: Type.String(),
                  planName: Type.String(),
                  subscriptions: Type.Integer(),
                  monthlyRecurring: amount('In whole units of the currency'),
                },
                closed,
              ),
            ),
          },
          closed,
        ),
      },
      closed,
    ),
  },
})

const Day = Type.String({ format: 'date', description: 'A day in UTC, included', examples: ['2026-11-15'] })

export const listPartnerAudit = operation({
  ...shared,
  id: 'partner.listAuditEntries',
  method: 'GET',
  path: '/partner/audit',
  access: anyAccount,
  envelope: 'page',
  summary: 'The audit entries of all centers of this partner and of itself, newest first',
  query: Type.Object({ ...PageQuery.properties, startDate: Type.Optional(Day), endDate: Type.Optional(Day) }),
  replies: {
    200: Type.Object(
      {
        id: TypedId('audit', 'Audit entry id'),
        type: Type.String(),
        occurredAt: DateTime,
        centerId: nullable(Type.Integer({ description: 'Null where it is about the partner itself' })),
        centerName: nullable(Type.String()),
        actorId: nullable(Type.String({ description: 'An actor, an API key or a job' })),
        targetType: Type.String(),
        targetId: Type.String(),
        details: FreeObject,
      },
      closed,
    ),
  },
})

export const listPartnerMembers = operation({
  ...shared,
  id: 'partner.listMembers',
  method: 'GET',
  path: '/partner/members',
  access: anyAccount,
  envelope: 'page',
  summary: 'The memberships of all centers of this partner, in whatever state, center by center',
  query: PageQuery,
  replies: { 200: Member },
})

const Settings = Type.Unsafe<Record<string, unknown>>({
  ...FreeObject,
  description: 'The partner’s own settings: any JSON object of at most 64 KiB',
})

export const getPartnerSettings = operation({
  ...shared,
  id: 'partner.getSettings',
  method: 'GET',
  path: '/partner/settings',
  access: anyAccount,
  summary: 'This partner’s settings',
  replies: { 200: Settings },
})

export const updatePartnerSettings = operation({
  ...shared,
  id: 'partner.updateSettings',
  method: 'PATCH',
  path: '/partner/settings',
  access: admin,
  summary: 'Change settings by JSON merge patch (RFC 7396)',
  body: Type.Unsafe<Record<string, unknown>>({
    ...Settings,
    examples: [{ brand: { color: '#1f5fbf' }, newsletter: null }],
  }),
  replies: { 200: Settings },
})
