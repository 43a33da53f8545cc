/** Typed IDs: a prefix that names the kind of object, and a UUIDv7 in base32 (TypeID). */
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
  group: 'grp',
  actionType: 'act',
  freeze: 'frz',
  webhook: 'whk',
  webhookEvent: 'msg',
  recovery: 'rcv',
  notificationChannel: 'nch',
  membership: 'mbr',
  guardianship: 'grd',
  booking: 'bkg',
  bookingSeries: 'ser',
  bookingWait: 'bwt',
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
  savedView: 'viw',
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

/** The IDs of a decision's event, evidence and DPU, which are one record. */
export const recordKinds = ['decisionEvent', 'decision', 'evidence', 'dpu'] as const satisfies readonly IdKind[]

/** Any ID of a decision's record. */
export const RecordId = (description: string): TUnsafe<string> =>
  Type.Unsafe<string>({
    ...TypedId('decisionEvent', description),
    pattern: `^(?:${recordKinds.map((kind) => idPrefixes[kind]).join('|')})_[0-7][0-9a-hjkmnp-tv-z]{25}$`,
  })

/** What an ID in a path belongs to. */
const owners = {
  apiKey: "The API key's ID.",
  domain: "The domain's ID.",
  group: "The group's ID.",
  bookingWait: "The waiting list entry's ID.",
  freeze: "The stop's ID.",
  guardianship: "The guardianship's ID.",
  membership: "The membership's ID.",
  oidcAccount: "The linked account's ID.",
  partnerInvitation: "The invitation's ID.",
  passkey: "The passkey's ID.",
  policy: "The policy's ID.",
  savedView: "The view's ID.",
  session: "The session's ID.",
  signInProvider: "The sign-in provider's ID.",
} as const satisfies Partial<Record<IdKind, string>>

/** An ID in a path: any short string, so that an ID of another form gets 404 like an unknown one. */
export const IdParam = (kind: keyof typeof owners) =>
  Type.Object({
    id: Type.String({
      minLength: 1,
      maxLength: 255,
      description: owners[kind],
      examples: [`${idPrefixes[kind]}_01kz9x4q8hfx5r3v7t2b6n0m1c`],
    }),
  })

/** The ID of a record in a path. For a decision, any of its IDs. */
export const RecordParam = Type.Object({
  id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: "The record's ID. A decision is found by the ID of its event, decision, evidence or DPU.",
    examples: ['evt_01kz9x4q8hfx5r3v7t2b6n0m1c'],
  }),
})
