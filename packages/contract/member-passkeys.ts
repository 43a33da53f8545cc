/** Passkeys of the members of a center, and their confirmation by an ADMIN or the partner. Not in the specification. */
import { Type } from 'typebox'
import { ActorId, CenterId, DateTime, named } from './common.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Assertion, ConfirmStatement, RequestOptions } from './passkeys.ts'

export const MemberPasskey = named('MemberPasskey', {
  id: TypedId('passkey', 'Passkey id'),
  actorId: ActorId,
  thumbprint: Type.String({ description: 'Thumbprint of the public key (RFC 7638)' }),
  confirmed: oneOf(
    'PasskeyConfirmedBy',
    ['mail', 'passkey', 'admin', 'partner', 'operator'],
    'How it was confirmed in this center. `mail` is not enough for an approval that needs a passkey',
  ),
  counts: Type.Boolean({ description: 'Whether it counts for approvals that need a passkey' }),
  removed: Type.Boolean(),
  backupEligible: Type.Boolean({ description: 'It may be kept in an account and be on several devices' }),
  boundAt: Type.String({ ...DateTime, description: 'When this center sealed it' }),
})

const segment = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })
const Center = segment('Center id or domain slug')
const ofMember = { center: Center, actorId: segment('Actor id of the member') }
const OfPasskey = Type.Object({ ...ofMember, id: segment('Passkey id') })

const shared = { surface: 'platform', tag: 'Passkeys' } as const
const admins = { kind: 'actor', center: 'addressed', roles: ['ADMIN'] } as const
const member = '/centers/{center}/members/{actorId}/passkeys'

export const listMemberPasskeys = operation({
  ...shared,
  id: 'memberPasskeys.list',
  method: 'GET',
  path: member,
  access: admins,
  store: 'none',
  summary: 'List the passkeys of a member that this center knows',
  params: Type.Object(ofMember),
  replies: { 200: Type.Array(MemberPasskey) },
  errors: ['NOT_FOUND'],
})

export const listUnconfirmedPasskeys = operation({
  ...shared,
  id: 'memberPasskeys.listUnconfirmed',
  method: 'GET',
  path: '/centers/{center}/passkeys',
  access: admins,
  store: 'none',
  summary: 'List the passkeys of members that wait for a confirmation, the oldest first, at most 100',
  params: Type.Object({ center: Center }),
  replies: {
    200: Type.Array(
      named('UnconfirmedPasskey', { ...MemberPasskey.properties, name: Type.String(), email: Type.String() }),
    ),
  },
})

export const challengeConfirmation = operation({
  ...shared,
  id: 'memberPasskeys.challengeConfirmation',
  method: 'POST',
  path: `${member}/{id}/confirm/options`,
  access: admins,
  store: 'none',
  summary: 'Get the statement that your own passkey signs to confirm the passkey of another member',
  description: 'The challenge is good for five minutes, once. Only your passkeys that count in this center are asked.',
  params: OfPasskey,
  replies: {
    200: named('PasskeyConfirmation', { statement: ConfirmStatement, publicKey: RequestOptions, expiresAt: DateTime }),
  },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
})

export const confirmPasskey = operation({
  ...shared,
  id: 'memberPasskeys.confirm',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: `${member}/{id}/confirm`,
  access: admins,
  store: 'sequenced',
  summary: 'Confirm that a passkey is that of this member',
  description:
    'The confirmation is sealed with your name and counts in this center only. Nobody confirms a passkey of their own. With `assertion` your own passkey has signed it.',
  params: OfPasskey,
  body: named('NewPasskeyConfirmation', { assertion: Type.Optional(Assertion) }, { examples: [{}] }),
  replies: { 200: MemberPasskey },
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})

export const confirmPasskeyAsPartner = operation({
  ...shared,
  id: 'partner.confirmPasskey',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/partner/centers/{centerId}/members/{actorId}/passkeys/{id}/confirm',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN'] },
  store: 'partner',
  summary: 'Confirm a passkey of the only ADMIN of one of your centers',
  description: 'A center with another ADMIN confirms it itself. The confirmation is sealed with your name.',
  params: Type.Object({ centerId: CenterId, actorId: segment('Actor id of the member'), id: segment('Passkey id') }),
  replies: { 200: MemberPasskey },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})
