/** Centers: part 4.2 of the specification, and the operations that change what it reads. */
import { Type } from 'typebox'
import { CenterSettings, CenterSettingsPatch, WeekHours } from './center-settings.ts'
import { ActorId, CenterDomain, CenterId, DateTime, described, named, nullable, PlainName } from './common.ts'
import { ActorRoleSchema, CenterStatusSchema, TargetAppSchema, TenantTypeSchema, VerticalSchema } from './enums.ts'
import { operation } from './operation.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The name of a specialty.',
  examples: ['Speech'],
})
const Sandbox = Type.Boolean({
  description: "Whether the center is another center's sandbox, which holds only test data.",
})

export const Center = named(
  'Center',
  {
    id: described(CenterId, "The center's ID."),
    name: Type.String({ description: "The center's name." }),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    tenantType: TenantTypeSchema,
    status: CenterStatusSchema,
    sandbox: Sandbox,
    hasPartner: Type.Boolean({ description: 'Whether a partner runs the center and sets its name.' }),
    vertical: VerticalSchema,
    memberCount: Type.Integer({ description: 'The number of ACTIVE members.' }),
    settings: described(CenterSettings, "The center's settings."),
  },
  { description: 'A center with its settings.' },
)

export const CenterParam = Type.Object({
  center: Type.String({
    minLength: 1,
    maxLength: 63,
    description: "The center's ID or subdomain.",
    examples: ['haneul'],
  }),
})

const anyMember = { kind: 'actor', center: 'addressed' } as const
const admin = { kind: 'actor', center: 'addressed', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Centers' } as const

const EnterableCenter = named(
  'EnterableCenter',
  {
    id: described(CenterId, "The center's ID."),
    name: Type.String({ description: "The center's name." }),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    tenantType: TenantTypeSchema,
    status: CenterStatusSchema,
    sandbox: Sandbox,
    role: ActorRoleSchema,
  },
  { description: 'A center that you may enter, with your role in it.' },
)

export const listCenters = operation({
  ...shared,
  id: 'centers.list',
  method: 'GET',
  looseQuery: true,
  path: '/centers',
  access: { kind: 'actor', center: 'optional', confined: true },
  store: 'identity',
  summary: 'List your centers',
  description:
    'Returns the centers that you may enter, with your role in each. Enter one with `POST /api/auth/switch-center`.',
  replies: { 200: Type.Array(EnterableCenter) },
})

export const getCenter = operation({
  ...shared,
  id: 'centers.get',
  method: 'GET',
  path: '/centers/{center}',
  access: anyMember,
  store: 'directory',
  summary: 'Retrieve a center',
  description: 'Returns a center with its settings, by ID or subdomain.',
  params: CenterParam,
  replies: { 200: Center },
})

const CompanionApp = named(
  'CompanionApp',
  {
    app: TargetAppSchema,
    url: Type.String({
      description: 'Where the application is. Sign in there with a token from `POST /api/auth/sso/token`.',
    }),
  },
  { description: 'A companion application of this installation.' },
)

export const listCompanionApps = operation({
  ...shared,
  id: 'centers.listApps',
  method: 'GET',
  path: '/centers/{center}/apps',
  access: anyMember,
  store: 'directory',
  summary: 'List companion applications',
  description:
    'Returns the learning (`lms`), content (`cms`) and business management (`erp`) applications that you can open from this center. The operator sets their addresses, and the center can turn each of them off with the feature of the same name. Everybody can open `lms`; `cms` is for ADMINs and INSTRUCTORs, and `erp` for ADMINs.',
  params: CenterParam,
  replies: { 200: Type.Array(CompanionApp) },
})

export const getCenterInfo = operation({
  ...shared,
  id: 'centers.getInfo',
  method: 'GET',
  path: '/centers/{center}/info',
  access: { kind: 'public' },
  store: 'identity',
  summary: "Retrieve a center's public profile",
  description: 'Returns the public information about a center: its name, description, logo and vertical.',
  params: CenterParam,
  replies: {
    200: named(
      'CenterInfo',
      {
        name: Type.String({ description: "The center's name." }),
        description: Type.String({ description: 'A short text about the center. Empty if there is none.' }),
        logo: Type.String({ description: "The center's logo, as a URL. Empty if there is none." }),
        vertical: VerticalSchema,
      },
      { description: "A center's public profile." },
    ),
  },
  errors: ['CENTER_NOT_FOUND'],
})

const Instructor = named(
  'Instructor',
  {
    id: described(ActorId, "The instructor's actor ID."),
    name: Type.String({ description: "The instructor's name." }),
    role: described(ActorRoleSchema, "The instructor's highest role. A director who also teaches is an ADMIN."),
    specialties: Type.Array(Type.String(), { description: 'What the instructor specializes in.' }),
    hours: nullable(described(WeekHours, "The instructor's working hours. Null if the center's opening hours apply.")),
  },
  { description: "One of the center's instructors." },
)

export const listInstructors = operation({
  ...shared,
  id: 'instructors.list',
  method: 'GET',
  looseQuery: true,
  path: '/centers/{center}/instructors',
  access: anyMember,
  store: 'directory',
  summary: 'List instructors',
  description:
    "Returns the center's instructors who have an ACTIVE membership. See their free slots with `GET /api/centers/{center}/available-slots`.",
  params: CenterParam,
  replies: { 200: Type.Array(Instructor) },
})

const Slot = named(
  'Slot',
  {
    instructorId: described(ActorId, "The instructor's actor ID."),
    instructorName: Type.String({ description: "The instructor's display name." }),
    startsAt: described(DateTime, 'When the slot starts.'),
    endsAt: described(DateTime, 'When the slot ends.'),
  },
  { description: 'A time slot that can be booked.' },
)

export const listAvailableSlots = operation({
  ...shared,
  id: 'bookings.listSlots',
  method: 'GET',
  looseQuery: true,
  path: '/centers/{center}/available-slots',
  access: anyMember,
  store: 'cell',
  summary: 'List free slots',
  description:
    "Returns the slots that can be booked on one day. The day is a date in the center's time zone. Book a slot with `POST /api/centers/{center}/bookings`.",
  params: CenterParam,
  query: Type.Object({
    date: Type.String({
      format: 'date',
      description: "The day, as a date in the center's time zone.",
      examples: ['2026-11-16'],
    }),
    instructorId: Type.Optional(described(ActorId, "Only this instructor's slots.")),
  }),
  replies: {
    200: named(
      'AvailableSlots',
      {
        date: Type.String({ description: 'The day that was requested.' }),
        timezone: Type.String({ description: "The center's IANA time zone." }),
        slots: Type.Array(Slot, { description: 'The free slots, in chronological order.' }),
      },
      { description: 'The free slots on one day.' },
    ),
  },
  errors: ['MISSING_REQUIRED_FIELD'],
})

const FoundCenter = named(
  'FoundCenter',
  {
    name: Type.String({ description: "The center's name." }),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    vertical: VerticalSchema,
    tenantType: TenantTypeSchema,
    description: Type.String({ description: 'A short text about the center. Empty if there is none.' }),
    logo: Type.String({ description: "The center's logo, as a URL. Empty if there is none." }),
  },
  { description: 'A center that the search found.' },
)

export const searchCenters = operation({
  ...shared,
  id: 'centers.search',
  method: 'POST',
  path: '/centers/search',
  access: { kind: 'public' },
  store: 'identity',
  summary: 'Search centers',
  description:
    'Finds centers by name, place or description, and returns up to 50 of them. Small spelling mistakes are tolerated.',
  body: named(
    'CenterSearch',
    {
      query: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'What to look for. Omit this to list the newest centers.',
          examples: ['haneul'],
        }),
      ),
      vertical: Type.Optional(described(VerticalSchema, 'Only centers in this vertical.')),
    },
    { description: 'What to search for.', examples: [{ query: 'haneul', vertical: 'rehabilitation' }] },
  ),
  replies: { 200: Type.Array(FoundCenter, { maxItems: 50 }) },
})

export const updateCenterSettings = operation({
  ...shared,
  id: 'centers.updateSettings',
  method: 'PATCH',
  path: '/centers/{center}/settings',
  access: admin,
  store: 'directory',
  summary: "Update a center's settings",
  description:
    "Applies a JSON merge patch (RFC 7396): nested objects are merged, and lists and other values are replaced. `country` and `region` determine which policies apply. Only the center's partner or the platform operator can change them; if your patch includes either one, the response is 403 `INSUFFICIENT_ROLE`.",
  params: CenterParam,
  body: CenterSettingsPatch,
  replies: { 200: CenterSettings },
})

export const renameCenter = operation({
  ...shared,
  id: 'centers.rename',
  method: 'PATCH',
  path: '/centers/{center}',
  access: admin,
  store: 'directory',
  summary: 'Rename a center',
  description:
    "Changes the center's name; its subdomain and addresses stay the same. What is already sealed keeps the old name. If the center has a partner, the partner renames it with `PATCH /api/partner/centers/{centerId}`, and the response is 403; so it is for a sandbox.",
  params: CenterParam,
  body: named(
    'CenterName',
    { name: described(PlainName, "The center's new name.", 'Haneul Development Center') },
    { description: 'The new name.', examples: [{ name: 'Haneul Development Center' }] },
  ),
  replies: { 200: Center },
  errors: ['FORBIDDEN'],
})

export const setInstructorHours = operation({
  ...shared,
  id: 'instructors.setHours',
  method: 'PUT',
  path: '/centers/{center}/instructors/{actorId}/hours',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN', 'INSTRUCTOR'] },
  store: 'directory',
  summary: "Set an instructor's hours",
  description:
    "Replaces an instructor's hours and specialties. Instructors can change only their own hours and specialties.",
  params: Type.Object({
    ...CenterParam.properties,
    actorId: Type.String({
      minLength: 1,
      maxLength: 64,
      description: "The instructor's actor ID.",
      examples: ['0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'],
    }),
  }),
  body: named(
    'InstructorHoursUpdate',
    {
      hours: nullable(described(WeekHours, "The instructor's working hours. Null to use the center's opening hours.")),
      specialties: Type.Optional(
        Type.Array(Name, { maxItems: 20, description: 'What the instructor specializes in.', examples: [['speech']] }),
      ),
    },
    {
      description: 'The hours and specialties to set.',
      examples: [{ hours: { mon: [{ from: '10:00', to: '15:00' }] }, specialties: ['speech'] }],
    },
  ),
  replies: {
    200: named(
      'InstructorHours',
      {
        id: described(ActorId, "The instructor's actor ID."),
        hours: nullable(
          described(WeekHours, "The instructor's working hours. Null if the center's opening hours apply."),
        ),
        specialties: Type.Array(Type.String(), { description: 'What the instructor specializes in.' }),
      },
      { description: "An instructor's hours and specialties." },
    ),
  },
  errors: ['NOT_FOUND'],
})
