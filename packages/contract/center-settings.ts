/** A center's settings: place, branding, features and booking. */
import { type TObject, Type } from 'typebox'
import { closed, described, Email, named, nullable, plainPattern } from './common.ts'
import { CountryCode, RegionCode } from './places.ts'

const Time = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$',
  examples: ['09:00'],
  description: 'A time of day, as `HH:MM`. `24:00` is the end of the day.',
})
const OpenInterval = named(
  'OpenInterval',
  {
    from: described(Time, 'When the time span starts, as `HH:MM`.', '09:00'),
    to: described(Time, 'When the time span ends, as `HH:MM`.', '18:00'),
  },
  { description: 'A time span within a day.' },
)
const DayHours = Type.Array(OpenInterval, {
  maxItems: 6,
  description: 'The hours on this day, as up to six time spans. Empty or absent if there are none.',
  examples: [[{ from: '09:00', to: '18:00' }]],
})
const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

export const WeekHours = named(
  'WeekHours',
  Object.fromEntries(days.map((day) => [day, Type.Optional(DayHours)])) as Record<
    (typeof days)[number],
    ReturnType<typeof Type.Optional<typeof DayHours>>
  >,
  {
    description:
      "Opening hours for each weekday, in the center's time zone. The center is closed on days that are absent.",
  },
)

const Text = Type.String({
  maxLength: 2000,
  description: 'A text for visitors.',
  examples: ['Speech and occupational therapy for children.'],
})
const CustomDomain = Type.String({
  pattern: '^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\\.)+[a-z]{2,63}$',
  maxLength: 253,
  description: "The center's own domain, which its pages use. You have to prove that you own the domain first.",
  examples: ['portal.haneul.example'],
})

/** Pages show it as an image, so no other scheme is allowed, and no character that could end an attribute. */
const Logo = Type.String({
  pattern:
    '^(/assets/logos/[0-9a-f]{64}\\.png|https://[^\\s"\'<>]+|data:image/(png|jpeg|gif|webp|svg\\+xml)[;,][^\\s"\'<>]+)?$',
  maxLength: 2000,
  description:
    "The logo: the address of an uploaded logo (see `logos.add`), an `https` URL, the image itself as a `data:` URL, or empty. The service's own pages show no picture from another host, so an `https` URL is for your own programs.",
  examples: ['/assets/logos/6b7fa434f92a8b80aab02d9bf1a12e49ffcae424e4013a1c4f68b67e3d2bbcd0.png'],
})

/** What new centers can inherit from their partner. */
export const inheritableBranding = {
  logo: Logo,
  description: described(
    Text,
    'A short text about the center, shown to visitors.',
    'Speech and occupational therapy for children.',
  ),
  primaryColor: Type.String({
    pattern: '^#[0-9a-f]{6}$',
    description: 'The color of buttons and links, as `#rrggbb`.',
    examples: ['#1f5fbf'],
  }),
}
const branding = {
  ...inheritableBranding,
  customDomain: nullable(
    described(CustomDomain, "The center's own domain for its pages. Null if it has none.", 'portal.haneul.example'),
  ),
}

/** Of a center and of a partner. */
export const senderSettings = {
  name: nullable(
    Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: plainPattern,
      format: 'plain-name',
      description: "The name that mail comes from. Null: the center's name.",
      examples: ['Haneul Center'],
    }),
  ),
  address: nullable(
    described(
      Email,
      "The address that mail comes from. It's used while its domain is one of the owner's proven email domains and the domain's SPF record includes this service. Null: the service's address.",
      'hello@haneul.example',
    ),
  ),
  replyTo: nullable(
    described(
      Email,
      "Where replies go. It's used if its domain is a proven email domain of the owner, or an active administrator of the center signs in with it. Null: nowhere.",
      'desk@haneul.example',
    ),
  ),
}
const booking = {
  slotMinutes: Type.Integer({
    minimum: 5,
    maximum: 480,
    description: 'How long a booking slot is, in minutes.',
    examples: [50],
  }),
  openingHours: WeekHours,
}
const place = {
  locale: Type.String({
    pattern: '^[a-z]{2}(-[A-Z]{2})?$',
    examples: ['ko-KR'],
    description: 'The language and region for texts and formats.',
  }),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: "The center's IANA time zone.",
    examples: ['Asia/Seoul'],
  }),
  country: CountryCode,
  region: nullable(
    described(RegionCode, "The center's region, which determines the policies that apply. Null if it has none."),
  ),
}
const anySwitch = { maxProperties: 64, propertyNames: Type.String({ minLength: 1, maxLength: 64 }) }
const Features = Type.Record(Type.String(), Type.Boolean(), {
  ...anySwitch,
  title: 'Features',
  description: 'Features that are turned on or off, by name.',
})

const Word = Type.String({
  maxLength: 30,
  pattern: plainPattern,
  format: 'plain-name',
  description: 'A word or a short name, in letters and digits.',
  examples: ['트레이너'],
})
const word = {
  ko: described(Word, 'The word in Korean.', '트레이너'),
  en: described(Word, 'The noun in English, in the singular and without an article.', 'trainer'),
}
const Term = named('Term', word, { description: 'A word in both languages.' })
const TermPatch = nullable(
  Type.Partial(Type.Object({ ko: nullable(word.ko), en: nullable(word.en) }), {
    ...closed,
    title: 'TermPatch',
    description: "A word to change. Null restores the vertical's own word.",
  }),
)
/** What each word is for. */
const terms = {
  instructor: 'What a member with the role `INSTRUCTOR` is called.',
  client: 'What a member with the role `CHILD` is called.',
  guardian: 'What a member with the role `PARENT` is called.',
  dependent: 'What a client is to their guardian, such as a child.',
  session: 'What people come for, such as a lesson.',
  attendance: 'What is recorded about past appointments.',
  attended: 'The status of an appointment that took place.',
  missed: 'The status of an appointment to which nobody came.',
} as const
export const termNames = Object.keys(terms) as (keyof typeof terms)[]
export const CenterTerms = named(
  'CenterTerms',
  Object.fromEntries(
    Object.entries(terms).map(([name, description]) => [name, described(Term, description)]),
  ) as Record<keyof typeof terms, typeof Term>,
  {
    description:
      "What the center calls its people and appointments on pages and in messages. These are the words of its vertical unless the center has changed them. The API's own names stay the same.",
  },
)

export const CenterSettings = named(
  'CenterSettings',
  {
    ...place,
    branding: named('Branding', branding, { description: "How the center's pages look." }),
    features: Features,
    booking: named('BookingSettings', booking, { description: 'How appointments are booked.' }),
    sender: named('SenderSettings', senderSettings, { description: "Who the center's mail comes from." }),
    terms: CenterTerms,
    inherited: Type.Array(Type.String(), {
      description: "Settings that still have the value inherited from the center's partner, such as `branding.logo`.",
    }),
  },
  { description: "A center's settings." },
)

const partial = (title: string, description: string, fields: Parameters<typeof Type.Object>[0]): TObject =>
  Type.Partial(Type.Object(fields), { ...closed, title, description }) as unknown as TObject

/** Any subset; nested objects are merged, arrays and values replaced (RFC 7396). */
export const CenterSettingsPatch = named(
  'CenterSettingsPatch',
  {
    ...Object.fromEntries(Object.entries(place).map(([key, schema]) => [key, Type.Optional(schema)])),
    branding: Type.Optional(partial('BrandingPatch', 'Branding settings to change.', branding)),
    features: Type.Optional(
      Type.Record(Type.String(), nullable(Type.Boolean()), {
        ...anySwitch,
        title: 'FeaturesPatch',
        description: 'Features to turn on or off, by name. Null removes the switch.',
        examples: [{ booking: true }],
      }),
    ),
    sender: Type.Optional(partial('SenderSettingsPatch', 'Settings of the sender to change.', senderSettings)),
    booking: Type.Optional(partial('BookingSettingsPatch', 'Booking settings to change.', booking)),
    terms: Type.Optional(
      nullable(
        partial(
          'CenterTermsPatch',
          "Words to change. Null restores the vertical's own words: all of them, or one.",
          Object.fromEntries(
            Object.entries(terms).map(([name, description]) => [name, described(TermPatch, description)]),
          ),
        ),
      ),
    ),
  },
  {
    description: 'The settings to change. Settings that you omit stay as they are.',
    minProperties: 1,
    examples: [{ booking: { slotMinutes: 50 } }],
  },
)
