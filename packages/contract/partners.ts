/** The partner platform: part 4.3 of the specification. */

import { type Static, Type } from 'typebox'
import { whoAndKind } from './audit.ts'
import { inheritableBranding, senderSettings } from './center-settings.ts'
import { Center } from './centers.ts'
import {
  CenterId,
  DateTime,
  described,
  Email,
  FreeObject,
  freeObject,
  named,
  nullable,
  PageQuery,
  PlainName,
} from './common.ts'
import { FoundedTenantType, oneOf, VerticalSchema } from './enums.ts'
import { TypedId } from './ids.ts'
import { Member } from './members.ts'
import { operation } from './operation.ts'
import { PartnerTask } from './partner-tasks.ts'
import { CountryCode, RegionCode } from './places.ts'
import { policyFields } from './policy-body.ts'
import { PlanId, subdomainPattern } from './provisioning.ts'

const InheritedBranding = named(
  'InheritedBranding',
  {
    logo: Type.Optional(inheritableBranding.logo),
    description: Type.Optional(inheritableBranding.description),
    primaryColor: Type.Optional(inheritableBranding.primaryColor),
  },
  { description: "How a new center's pages look initially." },
)

const BrandingPatch = named(
  'PartnerBrandingPatch',
  {
    logo: Type.Optional(nullable(inheritableBranding.logo)),
    description: Type.Optional(nullable(inheritableBranding.description)),
    primaryColor: Type.Optional(nullable(inheritableBranding.primaryColor)),
  },
  { description: "What to change about a center's branding. Null removes a value." },
)

const OneCenter = Type.Object({ centerId: described(CenterId, "The center's ID, as in the list of centers.") })

const PartnerCenter = named(
  'PartnerCenter',
  {
    ...Center.properties,
    suspendedBy: nullable(
      oneOf('PartnerCenterSuspender', ['partner', 'operator'], 'Who suspended the center, and can reinstate it.'),
    ),
    hasAdmin: Type.Boolean({
      description: 'Whether the center has an ACTIVE ADMIN. If not, you can name one.',
    }),
  },
  { description: "One of a partner's centers." },
)

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
  summary: "List a partner's centers",
  description: 'Returns your centers, newest first.',
  query: Type.Object({
    ...PageQuery.properties,
    search: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Part of the name or subdomain. Small spelling mistakes are tolerated.',
        examples: ['haneul'],
      }),
    ),
  }),
  replies: { 200: PartnerCenter },
})

export const exportPartnerCenters = operation({
  ...shared,
  id: 'partner.exportCentersCsv',
  method: 'GET',
  path: '/partner/centers.csv',
  access: anyAccount,
  envelope: 'bare',
  contentType: 'text/csv',
  summary: "Export a partner's centers as CSV",
  description: 'Returns your centers as CSV, newest first.',
  replies: { 200: Type.String({ description: 'A CSV file (RFC 4180, UTF-8) with column names in the first line.' }) },
})

export const createPartnerCenter = operation({
  ...shared,
  id: 'partner.createCenter',
  method: 'POST',
  path: '/partner/centers',
  access: anyAccount,
  summary: 'Create a center as a partner',
  description:
    "Creates a center and emails its administrator an invitation. The administrator is ACTIVE as soon as they accept. Without `planId`, the center gets your default plan. Without `subdomain`, the subdomain is derived from the name; if that isn't possible or the subdomain is taken, it's `center-` followed by a short code.",
  body: named(
    'NewPartnerCenter',
    {
      name: described(PlainName, "The center's name.", 'Haneul Busan'),
      tenantType: FoundedTenantType,
      vertical: VerticalSchema,
      adminEmail: described(Email, "The email address of the center's administrator.", 'admin@haneul-busan.example'),
      adminName: Type.Optional(described(PlainName, "The administrator's name, for the invitation.", 'Ara Kim')),
      subdomain: Type.Optional(
        Type.String({
          pattern: subdomainPattern,
          description: "The center's subdomain. If you leave it out, it's derived from the name.",
          examples: ['haneul-busan'],
        }),
      ),
      planId: Type.Optional(
        described(PlanId, 'The plan to subscribe to. If you leave it out, your default plan is used.', 'center-growth'),
      ),
      country: Type.Optional(CountryCode),
      region: Type.Optional(RegionCode),
    },
    {
      description: 'The center to create.',
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
  replies: {
    201: named(
      'CreatedPartnerCenter',
      {
        ...Center.properties,
        adminMembership: described(Member, "The administrator's membership."),
      },
      { description: "A new center with its administrator's membership." },
    ),
  },
  errors: ['INVALID_SUBDOMAIN', 'SUBDOMAIN_TAKEN', 'PROVISIONING_FAILED'],
})

export const getPartnerCenter = operation({
  ...shared,
  id: 'partner.getCenter',
  method: 'GET',
  path: '/partner/centers/{centerId}',
  access: anyAccount,
  summary: "Retrieve a partner's center",
  description: 'Returns one of your centers with its settings.',
  params: OneCenter,
  replies: { 200: PartnerCenter },
  errors: ['CENTER_NOT_FOUND'],
})

export const updatePartnerCenter = operation({
  ...shared,
  id: 'partner.updateCenter',
  method: 'PATCH',
  path: '/partner/centers/{centerId}',
  access: admin,
  summary: "Update a partner's center",
  description:
    "Renames, suspends, reinstates or relocates one of your centers. A suspension takes effect within a second. An INACTIVE center can't be changed: the response is 409. If you set a new country without a region, the region is removed; the audit entry has the old and new locations. `branding` sets the center's branding, which is then marked as inherited; null removes a value. In a franchise, the center can't change it. You can't overwrite what the center set itself: the response is 403. You can't lift a suspension by the operator: the response is 403.",
  params: OneCenter,
  body: named(
    'PartnerCenterPatch',
    {
      name: Type.Optional(described(PlainName, "The center's new name.", 'Haneul Busan')),
      status: Type.Optional(
        oneOf(
          'PartnerCenterStatus',
          ['ACTIVE', 'SUSPENDED'],
          'The state to set: `SUSPENDED` closes the center for now, `ACTIVE` opens it again.',
        ),
      ),
      country: Type.Optional(CountryCode),
      region: Type.Optional(nullable(described(RegionCode, "The center's region. Null removes it."))),
      branding: Type.Optional(described(BrandingPatch, "What to change about the center's branding.")),
    },
    { description: 'What to change about the center.', examples: [{ status: 'SUSPENDED' }] },
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
  summary: 'Name an administrator for a center',
  description:
    'Invites an administrator to a center that has no ACTIVE ADMIN. The administrator is ACTIVE as soon as they accept. A center with an ACTIVE ADMIN invites its own administrators, so the response is 409.',
  params: OneCenter,
  body: named(
    'NewCenterAdmin',
    {
      email: described(Email, 'The address to invite.', 'admin@haneul-busan.example'),
      name: Type.Optional(described(PlainName, "The person's name, for the invitation.", 'Ara Kim')),
    },
    { description: 'The administrator to invite.', examples: [{ email: 'admin@haneul-busan.example' }] },
  ),
  replies: { 201: Member },
  errors: ['CENTER_NOT_FOUND', 'CONFLICT'],
})

const PlanRevenue = named(
  'PlanRevenue',
  {
    planId: Type.String({ description: "The plan's ID, as in the list of plans." }),
    planName: Type.String({ description: "The plan's name, as people see it." }),
    planVersion: Type.Integer({ description: 'The version of the plan that these subscriptions keep.' }),
    subscriptions: Type.Integer({ description: 'The number of subscriptions to this plan.' }),
    monthlyRecurring: Type.Integer({
      description: 'The monthly revenue from this plan, in whole units of the currency.',
    }),
  },
  { description: 'The revenue from one plan.' },
)

const Revenue = named(
  'Revenue',
  {
    currency: Type.String({ description: 'The currency, as an ISO 4217 code.' }),
    monthlyRecurring: Type.Integer({
      description:
        'The monthly revenue from ACTIVE and PAST_DUE subscriptions, in whole units of the currency. For a yearly plan, a twelfth of the price counts.',
    }),
    byPlan: Type.Array(PlanRevenue, { description: 'The monthly revenue from each plan.' }),
  },
  { description: 'The revenue from subscriptions.' },
)

export const getPartnerDashboard = operation({
  ...shared,
  id: 'partner.getDashboard',
  method: 'GET',
  path: '/partner/stats/dashboard',
  access: anyAccount,
  summary: 'Retrieve the partner dashboard',
  description:
    "Returns key figures about your centers: how many there are, their members, today's activity, revenue, and what waits for you.",
  replies: {
    200: named(
      'PartnerDashboard',
      {
        totalCenters: Type.Integer({ description: 'The number of your centers.' }),
        totalMembers: Type.Integer({ description: 'The number of ACTIVE memberships in your centers.' }),
        activeToday: Type.Integer({
          description: 'The number of members with a session started or refreshed today (UTC).',
        }),
        revenue: described(Revenue, "The revenue from your centers' subscriptions."),
        waiting: Type.Array(PartnerTask, {
          description: 'What waits for you, the oldest first: up to 100 of each kind in up to 1,000 centers.',
        }),
      },
      { description: "Key figures about the partner's centers." },
    ),
  },
})

const Day = Type.String({ format: 'date', description: 'A day in UTC, inclusive.', examples: ['2026-11-15'] })

export const listPartnerAudit = operation({
  ...shared,
  id: 'partner.listAuditEntries',
  method: 'GET',
  looseQuery: true,
  path: '/partner/audit',
  access: anyAccount,
  envelope: 'page',
  summary: "List a partner's audit entries",
  description: 'Returns the audit entries about you and all your centers, newest first.',
  query: Type.Object({
    ...PageQuery.properties,
    startDate: Type.Optional(described(Day, 'The first day, in UTC.', '2026-11-01')),
    endDate: Type.Optional(described(Day, 'The last day, in UTC.', '2026-11-15')),
    ...whoAndKind,
  }),
  replies: {
    200: named(
      'AuditEntry',
      {
        id: TypedId('audit', "The audit entry's ID."),
        type: Type.String({ description: 'The kind of change.' }),
        occurredAt: described(DateTime, 'When the change happened.'),
        centerId: nullable(
          Type.Integer({ description: 'The center that the entry is about. Null for an entry about the partner.' }),
        ),
        centerName: nullable(Type.String({ description: "The center's name. Null for an entry about the partner." })),
        actorId: nullable(
          Type.String({
            description: "The ID of the person, API key or job that made the change. Null if it isn't known.",
          }),
        ),
        actorName: nullable(
          Type.String({
            description: 'The name of the person who made the change. Null if nobody of you or your centers did.',
          }),
        ),
        targetType: Type.String({ description: 'What kind of object was changed.' }),
        targetId: Type.String({ description: 'The ID of the object that was changed.' }),
        targetName: nullable(
          Type.String({ description: "The member's name, if the change was to a member. Null otherwise." }),
        ),
        names: described(FreeObject, 'The names of the members whose IDs are in `details`, by ID.'),
        details: described(FreeObject, 'Additional information about the change.'),
      },
      { description: 'A change to the partner or in one of its centers.' },
    ),
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
  summary: "List the members of a partner's centers",
  description: 'Returns the memberships in all your centers, in every state, ordered by center.',
  query: PageQuery,
  replies: { 200: Member },
})

const mostInheritedPolicies = 20

/** `newCenters` in the settings of a partner. */
export const NewCenterDefaults = named('NewCenterDefaults', {
  branding: Type.Optional(described(InheritedBranding, "How new centers' pages look initially.")),
  planId: Type.Optional(described(PlanId, 'The plan for centers that the partner creates.', 'center-growth')),
  policies: Type.Optional(
    Type.Array(named('InheritedPolicy', policyFields), {
      maxItems: mostInheritedPolicies,
      description: 'Policies that a new center starts with.',
    }),
  ),
})

export type NewCenterDefaults = Static<typeof NewCenterDefaults>

/** `sender` in the settings of a partner, for the mail of its centers that have set none. */
export const PartnerSender = named('PartnerSender', {
  name: Type.Optional(senderSettings.name),
  address: Type.Optional(senderSettings.address),
  replyTo: Type.Optional(senderSettings.replyTo),
})

const Settings = freeObject('PartnerSettings', "A partner's settings: any JSON object of at most 64 KiB.", {
  examples: [{ newCenters: { branding: { primaryColor: '#1f5fbf' }, planId: 'center-growth' }, newsletter: null }],
})

export const getPartnerSettings = operation({
  ...shared,
  id: 'partner.getSettings',
  method: 'GET',
  path: '/partner/settings',
  access: anyAccount,
  summary: 'Retrieve the partner settings',
  description: 'Returns your settings, including what new centers inherit.',
  replies: { 200: Settings },
})

export const updatePartnerSettings = operation({
  ...shared,
  id: 'partner.updateSettings',
  method: 'PATCH',
  path: '/partner/settings',
  access: admin,
  summary: 'Update the partner settings',
  description:
    "Applies a JSON merge patch (RFC 7396); `null` removes a setting. `newCenters` sets what new centers inherit: `branding` (`logo`, `description`, `primaryColor`); `planId`, the plan for centers that you create with `POST /api/partner/centers`; and `policies`, up to 20 policies without a scope, which apply from the center's first decision. A center's `settings.inherited` and its list of policies show what it inherited. In a franchise, the center can't change inherited branding and policies. `sender` (`name`, `address`, `replyTo`) is who the mail of your centers comes from, unless a center has set its own. All other settings are for your own programs.",
  body: Settings,
  replies: { 200: Settings },
})
