/** A person's own account. These operations aren't in the specification. */
import { Type } from 'typebox'
import { CurrentActor } from './auth.ts'
import { ActorId, closed, described, Email, named, nullable, Phone, PlainName } from './common.ts'
import { Accepted, NewPassword } from './entry.ts'
import { LanguageSchema, oneOf } from './enums.ts'
import { operation } from './operation.ts'

const shared = { surface: 'platform', tag: 'Account', store: 'identity' } as const
/** The rights of a session that works in some centers only don't include the person's account. */
const person = { kind: 'actor', center: 'optional' } as const

export const updateMe = operation({
  ...shared,
  id: 'auth.updateMe',
  method: 'PATCH',
  path: '/auth/me',
  access: person,
  summary: 'Change your name or language',
  description:
    'Changes your name, your language, or both. Your centers and everything you do from now on show the new name; what is already sealed keeps the name that it was sealed with. A center whose membership has ended keeps the name that it knew. Your language is used for emails and text messages to you.',
  body: named(
    'CurrentActorPatch',
    {
      name: Type.Optional(described(PlainName, 'Your name, as others see it.', 'Kim Haneul')),
      language: Type.Optional(described(LanguageSchema, 'The language that we write to you in.')),
    },
    { description: 'What to change. Send at least one member.', examples: [{ name: 'Kim Haneul' }] },
  ),
  replies: { 200: CurrentActor },
})

const Confirmation = named(
  'AddressConfirmation',
  {
    code: Type.String({
      pattern: '^[0-9]{6}$',
      description: 'The six digits that we sent to the address.',
      examples: ['482913'],
    }),
  },
  { description: 'The code that was sent to the new address.', examples: [{ code: '482913' }] },
)
const stepUp = { within: 'keys' } as const

export const changePassword = operation({
  ...shared,
  id: 'auth.changePassword',
  stepUp,
  method: 'POST',
  path: '/auth/me/password',
  access: person,
  rate: 'login',
  summary: 'Change your password',
  description:
    "Sets a new password, ends all of your other sessions, and tells you by email. Password resets that were requested before stop working. If you've never had a password, the response is 409; request a password reset instead.",
  body: named(
    'PasswordChange',
    { password: NewPassword },
    { description: 'The new password.', examples: [{ password: 'a new password' }] },
  ),
  replies: { 204: null },
  errors: ['CONFLICT'],
})

export const changeEmail = operation({
  ...shared,
  id: 'auth.changeEmail',
  stepUp,
  method: 'POST',
  path: '/auth/me/email',
  access: person,
  summary: 'Change your email address',
  description:
    "Sends a code to the new address. The address counts once you've sent the code to `POST /api/auth/me/email/confirm`; until then, nothing changes. The response is the same whether or not the address belongs to another account. You can ask for one code a minute and ten a day.",
  body: named(
    'EmailChange',
    { email: described(Email, 'The new address.', 'director@haneul.example') },
    { description: 'The new email address.', examples: [{ email: 'director@haneul.example' }] },
  ),
  replies: { 202: Accepted },
  errors: ['RATE_LIMITED'],
})

export const confirmEmail = operation({
  ...shared,
  id: 'auth.confirmEmail',
  method: 'POST',
  path: '/auth/me/email/confirm',
  access: person,
  rate: 'login',
  summary: 'Confirm your new email address',
  description:
    'Replaces your email address with the one that the code was sent to. From then on you sign in with the new address, and the old one gets an email about the change. Open invitations to the old address stop working. The code is valid for ten minutes and five attempts; afterwards, or if the address now belongs to another account, the response is 409.',
  body: Confirmation,
  replies: { 200: CurrentActor },
  errors: ['CONFLICT'],
})

export const changePhone = operation({
  ...shared,
  id: 'auth.changePhone',
  stepUp,
  method: 'POST',
  path: '/auth/me/phone',
  access: person,
  summary: 'Add or change your phone number',
  description:
    "Sends a code to the number as a text message. The number counts once you've sent the code to `POST /api/auth/me/phone/confirm`. Text messages reach Korean numbers only. The response is the same whether or not the number belongs to another account. You can ask for one code a minute and ten a day.",
  body: named(
    'PhoneChange',
    { phone: described(Phone, 'The new number.', '+821012345678') },
    { description: 'The new phone number.', examples: [{ phone: '+821012345678' }] },
  ),
  replies: { 202: Accepted },
  errors: ['RATE_LIMITED'],
})

export const confirmPhone = operation({
  ...shared,
  id: 'auth.confirmPhone',
  method: 'POST',
  path: '/auth/me/phone/confirm',
  access: person,
  rate: 'login',
  summary: 'Confirm your phone number',
  description:
    'Makes the number that the code was sent to your phone number. From then on you can sign in with it, and we tell you by email. The code is valid for ten minutes and five attempts; afterwards, or if the number now belongs to another account, the response is 409.',
  body: Confirmation,
  replies: { 200: CurrentActor },
  errors: ['CONFLICT'],
})

export const removePhone = operation({
  ...shared,
  id: 'auth.removePhone',
  stepUp,
  method: 'DELETE',
  path: '/auth/me/phone',
  access: person,
  summary: 'Remove your phone number',
  description:
    "Removes your phone number, so that it can't sign in anymore, and tells you by email. If you have none, nothing changes.",
  replies: { 204: null },
})

const CenterOfAccount = named(
  'CenterOfAccount',
  {
    id: Type.Integer({ description: "The center's ID." }),
    name: Type.String({ description: "The center's name." }),
  },
  { description: 'A center that knows the account.' },
)

const ErasureReason = oneOf(
  'ErasureReason',
  ['LAST_ADMIN', 'OWN_WORKSPACE', 'LAST_PARTNER_ADMIN', 'OPERATOR'],
  'Why the account stays. `LAST_ADMIN`: you are the last ACTIVE ADMIN of the named center. `OWN_WORKSPACE`: the named workspace is your own. `LAST_PARTNER_ADMIN`: you are the last PARTNER_ADMIN of the named partner. `OPERATOR`: you are an operator of this installation.',
)

export const AccountErasure = named(
  'AccountErasure',
  {
    obstacles: Type.Array(
      named(
        'ErasureObstacle',
        {
          reason: ErasureReason,
          name: nullable(Type.String({ description: 'The name of the center or partner. Null for an operator.' })),
        },
        { description: "A reason why the account can't be deleted yet." },
      ),
      { description: 'What has to change before the account can be deleted. Empty if it can be deleted now.' },
    ),
    ends: named(
      'ErasureEnds',
      {
        memberships: Type.Array(CenterOfAccount, { description: 'The centers whose memberships end.' }),
        children: Type.Integer({ description: 'The number of children whose guardian you are.' }),
        passkeys: Type.Integer({ description: 'The number of passkeys that stop working.' }),
        sessions: Type.Integer({ description: 'The number of sessions that end.' }),
      },
      { description: 'What ends with the account.' },
    ),
    keeps: named(
      'ErasureKeeps',
      {
        centers: Type.Array(CenterOfAccount, {
          description:
            'The centers that keep records: sealed records and audit entries with the name that you had then, and your name in the list of former members.',
        }),
        children: Type.Integer({
          description: 'The number of children without an account of their own, who stay members of their centers.',
        }),
      },
      { description: 'What stays after the account is deleted.' },
    ),
  },
  { description: 'What deleting the account ends, what it keeps, and what prevents it.' },
)

export const getErasure = operation({
  ...shared,
  id: 'auth.getErasure',
  method: 'GET',
  path: '/auth/me/erasure',
  access: person,
  summary: 'Preview deleting your account',
  description: 'Returns what would end with your account, what would be kept, and what prevents the deletion.',
  replies: { 200: AccountErasure },
})

export const deleteMe = operation({
  ...shared,
  id: 'auth.deleteMe',
  stepUp,
  method: 'DELETE',
  path: '/auth/me',
  access: person,
  summary: 'Delete your account',
  description:
    "Deletes your account for good. Your email address, phone number, password, passkeys, notifications and sign-in providers are removed, all sessions end, and so do your memberships and guardianships. What is already sealed keeps the name that it was sealed with, and so do the audit entries and the list of former members of your centers. Children without an account of their own stay members of their centers. You're told by email. If you're a center's last ACTIVE ADMIN, a partner's last PARTNER_ADMIN, or an operator, the response is 409. Your address can be invited, or sign up, again; that's a new account.",
  query: Type.Object(
    {
      actorId: described(
        ActorId,
        'Your own actor ID. A request from the wrong session deletes nothing: the response is 409.',
        '0190b5c2-8a4e-7c1d-9f3a-2b6e4d8c0a17',
      ),
    },
    closed,
  ),
  replies: { 200: AccountErasure },
  errors: ['CONFLICT', 'MISSING_REQUIRED_FIELD'],
})
