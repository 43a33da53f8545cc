/** Centers: part 4.2 of the specification, and the operations that change what it reads. */
import { type TObject, Type } from 'typebox'
import { ActorId, CenterDomain, CenterId, closed, DateTime, named, nullable } from './common.ts'
import { ActorRoleSchema, CenterStatusSchema, TenantTypeSchema, VerticalSchema } from './enums.ts'
import { operation } from './operation.ts'
import { CountryCode, RegionCode } from './places.ts'

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Time = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$', examples: ['09:00'] })
const OpenInterval = named('OpenInterval', { from: Time, to: Time })
const DayHours = Type.Array(OpenInterval, { maxItems: 6 })
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const WeekHours = named(
  'WeekHours',
  Object.fromEntries(days.map((day) => [day, Type.Optional(DayHours)])) as Record<
    (typeof days)[number],
    ReturnType<typeof Type.Optional<typeof DayHours>>
  >,
  { description: 'Opening times per weekday, in the time zone of the center; an absent day is closed' },
)

const Text = Type.String({ maxLength: 2000 })
const CustomDomain = Type.String({ pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$', maxLength: 253 })

/** A page shows it as an image: no other scheme, and no character that ends an attribute. */
const Logo = Type.String({
  pattern: '^(https://[^\\s"\'<>]+|data:image/(png|jpeg|gif|webp|svg\\+xml)[;,][^\\s"\'<>]+)?$',
  maxLength: 2000,
  description: 'An `https` URL of the logo, the logo itself as a `data:` URL of an image, or empty',
  examples: ['https://center.example/logo.png'],
})

/** What a partner can give its new centers. */
export const inheritableBranding = {
  logo: Logo,
  description: Text,
  primaryColor: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
}
const branding = { ...inheritableBranding, customDomain: nullable(CustomDomain) }
const booking = {
  slotMinutes: Type.Integer({ minimum: 5, maximum: 480 }),
  openingHours: WeekHours,
}
const place = {
  locale: Type.String({ pattern: '^[a-z]{2}(-[A-Z]{2})?$', examples: ['ko-KR'] }),
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA time zone', examples: ['Asia/Seoul'] }),
  country: CountryCode,
  region: nullable(RegionCode),
}
const anySwitch = { maxProperties: 64, propertyNames: Type.String({ minLength: 1, maxLength: 64 }) }
const Features = Type.Record(Type.String(), Type.Boolean(), { ...anySwitch, title: 'Features' })

export const CenterSettings = named('CenterSettings', {
  ...place,
  branding: named('Branding', branding),
  features: Features,
  booking: named('BookingSettings', booking),
  inherited: Type.Array(Type.String(), {
    description: 'Settings that are still as the partner of the center gave them, such as `branding.logo`',
  }),
})

const partial = (title: string, fields: Parameters<typeof Type.Object>[0]): TObject =>
  Type.Partial(Type.Object(fields), { ...closed, title }) as unknown as TObject

/** Any subset; nested objects are merged, arrays and values replaced (RFC 7396). */
const SettingsPatch = named(
  'CenterSettingsPatch',
  {
    ...Object.fromEntries(Object.entries(place).map(([key, schema]) => [key, Type.Optional(schema)])),
    branding: Type.Optional(partial('BrandingPatch', branding)),
    features: Type.Optional(
      Type.Record(Type.String(), nullable(Type.Boolean()), { ...anySwitch, title: 'FeaturesPatch' }),
    ),
    booking: Type.Optional(partial('BookingSettingsPatch', booking)),
  },
  { minProperties: 1, examples: [{ booking: { slotMinutes: 50 } }] },
)

const Sandbox = Type.Boolean({
  description: 'Whether the center is the sandbox of another one: it holds test data only',
})

export const Center = named('Center', {
  id: CenterId,
  name: Type.String(),
  centerDomain: CenterDomain,
  tenantType: TenantTypeSchema,
  status: CenterStatusSchema,
  sandbox: Sandbox,
  vertical: VerticalSchema,
  memberCount: Type.Integer(),
  settings: CenterSettings,
})

export const CenterParam = Type.Object({
  center: Type.String({ minLength: 1, maxLength: 63, description: 'Center id (digits) or domain slug' }),
})

const anyMember = { kind: 'actor', center: 'addressed' } as const
const admin = { kind: 'actor', center: 'addressed', roles: ['ADMIN'] } as const
const shared = { surface: 'platform', tag: 'Centers' } as const

const EnterableCenter = named('EnterableCenter', {
  id: CenterId,
  name: Type.String(),
  centerDomain: CenterDomain,
  tenantType: TenantTypeSchema,
  status: CenterStatusSchema,
  sandbox: Sandbox,
  role: ActorRoleSchema,
})

export const listCenters = operation({
  ...shared,
  id: 'centers.list',
  method: 'GET',
  looseQuery: true,
  path: '/centers',
  access: { kind: 'actor', center: 'optional', confined: true },
  store: 'identity',
  summary: 'List the centers that the signed-in person may enter',
  replies: { 200: Type.Array(EnterableCenter) },
})

export const getCenter = operation({
  ...shared,
  id: 'centers.get',
  method: 'GET',
  path: '/centers/{center}',
  access: anyMember,
  store: 'directory',
  summary: 'Get a center by its id or domain slug',
  params: CenterParam,
  replies: { 200: Center },
})

export const getCenterInfo = operation({
  ...shared,
  id: 'centers.getInfo',
  method: 'GET',
  path: '/centers/{center}/info',
  access: { kind: 'public' },
  store: 'identity',
  summary: 'Get the public profile of a center',
  params: CenterParam,
  replies: {
    200: named('CenterInfo', {
      name: Type.String(),
      description: Type.String(),
      logo: Type.String(),
      vertical: VerticalSchema,
    }),
  },
  errors: ['CENTER_NOT_FOUND'],
})

const Instructor = named('Instructor', {
  id: ActorId,
  name: Type.String(),
  role: ActorRoleSchema,
  specialties: Type.Array(Type.String()),
})

export const listInstructors = operation({
  ...shared,
  id: 'instructors.list',
  method: 'GET',
  looseQuery: true,
  path: '/centers/{center}/instructors',
  access: anyMember,
  store: 'directory',
  summary: 'List the instructors with an ACTIVE membership',
  params: CenterParam,
  replies: { 200: Type.Array(Instructor) },
})

const Slot = named('Slot', {
  instructorId: ActorId,
  instructorName: Type.String(),
  startsAt: DateTime,
  endsAt: DateTime,
})

export const listAvailableSlots = operation({
  ...shared,
  id: 'bookings.listSlots',
  method: 'GET',
  looseQuery: true,
  path: '/centers/{center}/available-slots',
  access: anyMember,
  store: 'cell',
  summary: 'List the free booking slots of a day',
  description: 'The day is a date in the time zone of the center.',
  params: CenterParam,
  query: Type.Object({
    date: Type.String({ format: 'date', description: 'Date in the time zone of the center' }),
    instructorId: Type.Optional(ActorId),
  }),
  replies: {
    200: named('AvailableSlots', { date: Type.String(), timezone: Type.String(), slots: Type.Array(Slot) }),
  },
  errors: ['MISSING_REQUIRED_FIELD'],
})

const FoundCenter = named('FoundCenter', {
  name: Type.String(),
  centerDomain: CenterDomain,
  vertical: VerticalSchema,
  tenantType: TenantTypeSchema,
  description: Type.String(),
  logo: Type.String(),
})

export const searchCenters = operation({
  ...shared,
  id: 'centers.search',
  method: 'POST',
  path: '/centers/search',
  access: { kind: 'public' },
  store: 'identity',
  summary: 'Search centers by name, place or description; small spelling mistakes are tolerated',
  body: named(
    'CenterSearch',
    { query: Type.Optional(Type.String({ maxLength: 200 })), vertical: Type.Optional(VerticalSchema) },
    { examples: [{ query: 'haneul', vertical: 'rehabilitation' }] },
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
  summary: 'Change the settings of a center by JSON merge patch (RFC 7396)',
  description:
    '`country` and `region` decide which policies apply; only the partner of the center or the platform operator changes them, and a patch that names one of them is refused with 403 `INSUFFICIENT_ROLE`.',
  params: CenterParam,
  body: SettingsPatch,
  replies: { 200: CenterSettings },
})

export const setInstructorHours = operation({
  ...shared,
  id: 'instructors.setHours',
  method: 'PUT',
  path: '/centers/{center}/instructors/{actorId}/hours',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN', 'INSTRUCTOR'] },
  store: 'directory',
  summary: 'Set the hours and specialties of an instructor; an instructor may change only their own',
  params: Type.Object({ ...CenterParam.properties, actorId: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: named(
    'InstructorHoursUpdate',
    { hours: nullable(WeekHours), specialties: Type.Optional(Type.Array(Name, { maxItems: 20 })) },
    { examples: [{ hours: { mon: [{ from: '10:00', to: '15:00' }] }, specialties: ['speech'] }] },
  ),
  replies: {
    200: named('InstructorHours', {
      id: ActorId,
      hours: nullable(WeekHours),
      specialties: Type.Array(Type.String()),
    }),
  },
  errors: ['NOT_FOUND'],
})
