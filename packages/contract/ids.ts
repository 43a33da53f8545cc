/** Typed ids: a prefix that says what the thing is, and a UUIDv7 in base32 (TypeID). */
import { type TUnsafe, Type } from 'typebox'

export const idPrefixes = {
  decisionEvent: 'evt',
  decision: 'dec',
  evidence: 'evd',
  approval: 'apr',
  comment: 'cmt',
  dpu: 'dpu',
  history: 'hst',
  policy: 'pol',
  actionType: 'act',
  webhook: 'whk',
  webhookEvent: 'msg',
  recovery: 'rcv',
  notificationChannel: 'nch',
  membership: 'mbr',
  guardianship: 'grd',
  booking: 'bkg',
  attendance: 'att',
  centerExport: 'cex',
  workflow: 'wfl',
  execution: 'exe',
  partner: 'ptn',
  partnerInvitation: 'pin',
  apiKey: 'key',
  passkey: 'psk',
  domain: 'dom',
  signInProvider: 'sip',
  oidcAccount: 'oia',
  audit: 'aud',
  session: 'ses',
  request: 'req',
} as const
export type IdKind = keyof typeof idPrefixes

export const typedIdPattern = (kind: IdKind): string => `^${idPrefixes[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`

export function TypedId(kind: IdKind, description: string): TUnsafe<string> {
  return Type.Unsafe<string>({
    type: 'string',
    pattern: typedIdPattern(kind),
    description,
    examples: [`${idPrefixes[kind]}_01kz9x4q8hfx5r3v7t2b6n0m1c`],
  })
}

/** Of the event, decision, evidence and proof unit of a decision, which are one record. */
export const recordKinds = ['decisionEvent', 'decision', 'evidence', 'dpu'] as const satisfies readonly IdKind[]

/** Any id of a decision's record. */
export const RecordId = (description: string): TUnsafe<string> =>
  Type.Unsafe<string>({
    ...TypedId('decisionEvent', description),
    pattern: `^(?:${recordKinds.map((kind) => idPrefixes[kind]).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
  })

/** An id in a path: any short string, so that an id of another form is 404 like an unknown one. */
export const IdParam = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 255, description: 'Id as returned when the object was created' }),
})

/** The id of a record in a path: of a decision any of its ids. */
export const RecordParam = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Id as returned; a decision is found by the id of its event, decision, evidence or proof unit',
  }),
})
