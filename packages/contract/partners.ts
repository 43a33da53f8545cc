/** The partner platform: part 4.3 of the specification. */
import { type Static, Type } from 'typebox'
import { Center, inheritableBranding } from './centers.ts'
import { CenterId, DateTime, Email, FreeObject, freeObject, named, nullable, PageQuery, PlainName } from './common.ts'
import { FoundedTenantType, oneOf, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { Member } from './members.ts'
import { operation } from './operation.ts'
import { CountryCode, RegionCode } from './places.ts'
import { policyFields } from './policy-body.ts'
import { centerPlanIds } from './promises.ts'

const InheritedBranding = named('InheritedBranding', {
  logo: Type.Optional(inheritableBranding.logo),
  description: Type.Optional(inheritableBranding.description),
  primaryColor: Type.Optional(inheritableBranding.primaryColor),
})

const OneCenter = Type.Object({ centerId: CenterId })

const anyAccount = { kind: 'partner', roles: ['PARTNER_ADMIN', 'PARTNER_OPERATOR'] } as const
const admin = { kind: 'partner', roles: ['PARTNER_ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Partners', store: 'partner' } as const

export const listPartnerCenters = operation({
  ...shared,
  id: 'partner.listCenters',
  method: 'GET',
  looseQuery: true,
  path: '/partner/centers',
  access: anyAccount,
  envelope: 'page',
  summary: 'List the centers of this partner, newest first',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Part of the name or slug; small spelling mistakes are tolerated' }),
    ),
  }),
  replies: { 200: Center },
})

export const exportPartnerCenters = operation({
  ...shared,
  id: 'partner.exportCentersCsv',
  method: 'GET',
  path: '/partner/centers.csv',
  access: anyAccount,
  envelope: 'bare',
  contentType: 'text/csv',
  summary: 'Get the centers of this partner as CSV, newest first',
  replies: { 200: Type.String({ description: 'RFC 4180, UTF-8, with a line of column names' }) },
})

export const createPartnerCenter = operation({
  ...shared,
  id: 'partner.createCenter',
  method: 'POST',
  path: '/partner/centers',
  access: anyAccount,
  summary: 'Create a center of this partner and invite its administrator by email',
  description:
    'The server derives the slug from the name. If that gives no slug or the slug is taken, it uses `center-` and a short code. The plan is the default plan of the partner. The administrator is ACTIVE as soon as they accept the invitation.',
  body: named(
    'NewPartnerCenter',
    {
      name: PlainName,
      tenantType: FoundedTenantType,
      vertical: VerticalSchema,
      adminEmail: Email,
      country: Type.Optional(CountryCode),
      region: Type.Optional(RegionCode),
    },
    {
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
  replies: { 201: named('CreatedPartnerCenter', { ...Center.properties, adminMembership: Member }) },
  errors: ['SUBDOMAIN_TAKEN', 'PROVISIONING_FAILED'],
})

export const getPartnerCenter = operation({
  ...shared,
  id: 'partner.getCenter',
  method: 'GET',
  path: '/partner/centers/{centerId}',
  access: anyAccount,
  summary: 'Get one center of this partner',
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
  summary: 'Rename, suspend, reinstate or relocate a center of this partner, or change the branding of a franchise',
  description:
    'Every server applies a suspension within a second. A center that is INACTIVE cannot be changed: the reply is 409. A new country without a region removes the region. The audit entry has the old and the new place. `branding` changes what a center of a franchise has inherited and cannot change itself; for all other centers it is refused with 403.',
  params: OneCenter,
  body: named(
    'PartnerCenterPatch',
    {
      name: Type.Optional(PlainName),
      status: Type.Optional(oneOf('PartnerCenterStatus', ['ACTIVE', 'SUSPENDED'], 'State that a partner can set')),
      country: Type.Optional(CountryCode),
      region: Type.Optional(nullable(RegionCode)),
      branding: Type.Optional(InheritedBranding),
    },
    { examples: [{ status: 'SUSPENDED' }] },
  ),
  replies: { 200: Center },
  errors: ['CENTER_NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
})

export const namePartnerCenterAdmin = operation({
  ...shared,
  id: 'partner.nameCenterAdmin',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/partner/centers/{centerId}/admins',
  access: admin,
  summary: 'Invite an administrator to a center that has no ACTIVE one',
  description:
    'The administrator is ACTIVE as soon as they accept the invitation. A center that has an ACTIVE ADMIN names further ones itself: the reply is 409.',
  params: OneCenter,
  body: named(
    'NewCenterAdmin',
    { email: Email, name: Type.Optional(PlainName) },
    { examples: [{ email: 'admin@haneul-busan.example' }] },
  ),
  replies: { 201: Member },
  errors: ['CENTER_NOT_FOUND', 'CONFLICT'],
})

const PlanRevenue = named('PlanRevenue', {
  planId: Type.String(),
  planName: Type.String(),
  subscriptions: Type.Integer(),
  monthlyRecurring: Type.Integer({ description: 'In whole units of the currency' }),
})

const Revenue = named('Revenue', {
  currency: Type.String(),
  monthlyRecurring: Type.Integer({
    description:
      'Of subscriptions that are ACTIVE or PAST_DUE, in whole units of the currency; a yearly price counts as a twelfth',
  }),
  byPlan: Type.Array(PlanRevenue),
})

export const getPartnerDashboard = operation({
  ...shared,
  id: 'partner.getDashboard',
  method: 'GET',
  path: '/partner/stats/dashboard',
  access: anyAccount,
  summary: 'Get key figures of the centers of this partner',
  replies: {
    200: named('PartnerDashboard', {
      totalCenters: Type.Integer(),
      totalMembers: Type.Integer({ description: 'ACTIVE memberships' }),
      activeToday: Type.Integer({ description: 'Members with a session started or refreshed today, UTC' }),
      revenue: Revenue,
    }),
  },
})

const Day = Type.String({ format: 'date', description: 'A day in UTC, included', examples: ['2026-11-15'] })

export const listPartnerAudit = operation({
  ...shared,
  id: 'partner.listAuditEntries',
  method: 'GET',
  looseQuery: true,
  path: '/partner/audit',
  access: anyAccount,
  envelope: 'page',
  summary: 'List the audit entries of this partner and of all its centers, newest first',
  query: Type.Object({ ...PageQuery.properties, startDate: Type.Optional(Day), endDate: Type.Optional(Day) }),
  replies: {
    200: named('AuditEntry', {
      id: TypedId('audit', 'Audit entry id'),
      type: Type.String(),
      occurredAt: DateTime,
      centerId: nullable(Type.Integer({ description: 'Null for an entry about the partner itself' })),
      centerName: nullable(Type.String()),
      actorId: nullable(Type.String({ description: 'An actor, an API key or a job' })),
      targetType: Type.String(),
      targetId: Type.String(),
      details: FreeObject,
    }),
  },
})

export const listPartnerMembers = operation({
  ...shared,
  id: 'partner.listMembers',
  method: 'GET',
  looseQuery: true,
  path: '/partner/members',
  access: anyAccount,
  envelope: 'page',
  summary: 'List the memberships in all centers of this partner, in every state, ordered by center',
  query: PageQuery,
  replies: { 200: Member },
})

const mostInheritedPolicies = 20

/** `newCenters` in the settings of a partner. */
export const NewCenterDefaults = named('NewCenterDefaults', {
  branding: Type.Optional(InheritedBranding),
  planId: Type.Optional(oneOf('CenterPlanId', centerPlanIds, 'Plan of a center')),
  policies: Type.Optional(Type.Array(named('InheritedPolicy', policyFields), { maxItems: mostInheritedPolicies })),
})

export type NewCenterDefaults = Static<typeof NewCenterDefaults>

const Settings = freeObject('PartnerSettings', 'Settings of the partner: any JSON object of at most 64 KiB', {
  examples: [{ newCenters: { branding: { primaryColor: '#1f5fbf' }, planId: 'center-growth' }, newsletter: null }],
})

export const getPartnerSettings = operation({
  ...shared,
  id: 'partner.getSettings',
  method: 'GET',
  path: '/partner/settings',
  access: anyAccount,
  summary: 'Get the settings of this partner',
  replies: { 200: Settings },
})

export const updatePartnerSettings = operation({
  ...shared,
  id: 'partner.updateSettings',
  method: 'PATCH',
  path: '/partner/settings',
  access: admin,
  summary: 'Change the settings of this partner by JSON merge patch (RFC 7396)',
  description:
    'A value of `null` removes the setting. `newCenters` is what new centers inherit: `branding` (`logo`, `description`, `primaryColor`), `planId`, the plan of a center that the partner creates by name, and `policies`, at most 20 policies without a scope that are in force from the first decision of the center. `settings.inherited` and the list of policies of the center show what is inherited. In a franchise the center cannot change inherited branding and policies. Everything else is for programs of the partner.',
  body: Settings,
  replies: { 200: Settings },
})
