/** The passkeys of a center's members, and their confirmation by an ADMIN or the partner. These operations aren't in the specification. */
import { Type } from 'typebox'
import { ActorId, CenterDomain, CenterId, DateTime, described, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'
import { Assertion, ConfirmStatement, RequestOptions } from './passkeys.ts'

export const MemberPasskey = named(
  'MemberPasskey',
  {
    id: TypedId('passkey', "The passkey's ID."),
    actorId: described(ActorId, "The member's actor ID."),
    thumbprint: Type.String({ description: "The public key's thumbprint (RFC 7638)." }),
    confirmed: oneOf(
      'PasskeyConfirmedBy',
      ['mail', 'passkey', 'admin', 'partner', 'operator'],
      "How the passkey was confirmed in this center. `mail` isn't enough for an approval that needs a passkey.",
    ),
    counts: Type.Boolean({ description: 'Whether the passkey counts for approvals that need one.' }),
    removed: Type.Boolean({ description: 'Whether the member has removed the passkey.' }),
    backupEligible: Type.Boolean({ description: 'Whether the passkey can be synced to several devices.' }),
    boundAt: Type.String({ ...DateTime, description: "When the passkey was sealed in this center's log." }),
  },
  { description: "A member's passkey, as recorded in this center." },
)

const segment = (description: string, example: string) =>
  Type.String({ minLength: 1, maxLength: 255, description, examples: [example] })
const Center = segment("The center's ID or subdomain.", 'haneul')
const ofMember = {
  center: Center,
  actorId: segment("The member's actor ID.", '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'),
}
const OfPasskey = Type.Object({
  ...ofMember,
  id: segment("The passkey's ID.", 'psk_01kz9x4q8hfx5r3v7t2b6n0m1c'),
})

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
  summary: "List a member's passkeys",
  description:
    "Returns the member's passkeys that are known to this center, and whether each one counts for approvals.",
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
  summary: 'List unconfirmed passkeys',
  description:
    'Returns the passkeys of ADMIN and INSTRUCTOR members that are waiting for confirmation, oldest first, up to 100. Passkeys of other members only sign in, and need no confirmation.',
  params: Type.Object({ center: Center }),
  replies: {
    200: Type.Array(
      named(
        'UnconfirmedPasskey',
        {
          ...MemberPasskey.properties,
          membershipId: TypedId('membership', "The member's membership."),
          name: Type.String({ description: "The member's name." }),
          email: Type.String({ description: "The member's email address. Empty if they have none." }),
          mayConfirm: Type.Boolean({
            description: "Whether you may confirm the passkey: it isn't yours, under any of your accounts.",
          }),
        },
        { description: "A member's passkey that's waiting for confirmation." },
      ),
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
  summary: 'Create a challenge for confirming a passkey',
  description:
    "Returns the statement that your own passkey signs to confirm another member's passkey. The challenge can be used once, within five minutes, and only your passkeys that count in this center can sign it. Send the assertion to `POST /api/centers/{center}/members/{actorId}/passkeys/{id}/confirm`.",
  params: OfPasskey,
  replies: {
    200: named(
      'PasskeyConfirmation',
      {
        statement: described(ConfirmStatement, 'The statement that your passkey signs.'),
        publicKey: RequestOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: "What your passkey signs to confirm another member's passkey." },
    ),
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
  summary: "Confirm a member's passkey",
  description:
    "Confirms that the passkey belongs to this member, so that it counts for approvals in this center. The confirmation is sealed with your name. You can't confirm your own passkey, nor any passkey before your own role counts. To sign the confirmation with your own passkey, send `assertion`.",
  params: OfPasskey,
  body: named(
    'NewPasskeyConfirmation',
    { assertion: Type.Optional(described(Assertion, "Your own passkey's signature over the statement.")) },
    { description: 'The confirmation, optionally signed with your own passkey.', examples: [{}] },
  ),
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
  summary: 'Confirm a passkey as a partner',
  description:
    'Confirms a passkey that belongs to the only ADMIN of one of your centers. If the center has another ADMIN, that person must confirm it instead. The confirmation is sealed with your name.',
  params: Type.Object({
    centerId: described(CenterId, "The center's ID, as in the list of centers."),
    actorId: segment("The member's actor ID.", '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'),
    id: segment("The passkey's ID.", 'psk_01kz9x4q8hfx5r3v7t2b6n0m1c'),
  }),
  replies: { 200: MemberPasskey },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})

const SoleAdminPasskey = named(
  'SoleAdminPasskey',
  {
    ...MemberPasskey.properties,
    name: Type.String({ description: "The administrator's name." }),
    email: Type.String({ description: "The administrator's email address. Empty if they have none." }),
    centerId: described(CenterId, 'The center that has no other administrator.'),
    centerName: Type.String({ description: 'What that center is called.' }),
    centerDomain: described(CenterDomain, "The center's subdomain."),
    partnerName: nullable(
      Type.String({ description: 'The partner that can confirm the passkey. Null if only the operator can.' }),
    ),
  },
  { description: "A passkey of a center's only ADMIN that's waiting for confirmation." },
)

export const listPartnerPasskeys = operation({
  ...shared,
  id: 'partner.listPasskeys',
  method: 'GET',
  path: '/partner/passkeys',
  access: { kind: 'partner', roles: ['PARTNER_ADMIN'] },
  store: 'partner',
  summary: "List a partner's passkeys to confirm",
  description:
    "Returns up to 50 passkeys that are waiting for the partner, oldest first: those of the only ADMIN of one of your centers. Your own aren't among them.",
  replies: { 200: Type.Array(SoleAdminPasskey) },
})

const operators = { ...shared, tag: 'Platform operators', access: { kind: 'operator' }, store: 'none' } as const

export const listPlatformPasskeys = operation({
  ...operators,
  id: 'admin.listPasskeys',
  method: 'GET',
  path: '/admin/passkeys',
  summary: 'List passkeys for the operator to confirm',
  description:
    "Returns up to 50 passkeys of centers' only ADMINs that are waiting for confirmation, oldest first. If `partnerName` isn't null, the partner can confirm the passkey too. Your own aren't among them.",
  replies: { 200: Type.Array(SoleAdminPasskey) },
})

export const confirmPasskeyAsOperator = operation({
  ...operators,
  id: 'admin.confirmPasskey',
  stepUp: { within: 'keys' },
  method: 'POST',
  path: '/admin/centers/{centerId}/members/{actorId}/passkeys/{id}/confirm',
  summary: 'Confirm a passkey as the operator',
  description:
    "Confirms a passkey that belongs to a center's only ADMIN. If the center has another ADMIN, that person must confirm it instead. The center's log says that the operator confirmed it, and its audit log names you. You can't confirm your own passkey.",
  params: Type.Object({
    centerId: described(CenterId, "The center's ID, as in the list of centers."),
    actorId: segment("The member's actor ID.", '0198c5f2-7d1a-7c3e-9b40-5a6c1d2e3f40'),
    id: segment("The passkey's ID.", 'psk_01kz9x4q8hfx5r3v7t2b6n0m1c'),
  }),
  replies: { 200: MemberPasskey },
  errors: ['CENTER_NOT_FOUND', 'NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'CHAIN_BROKEN'],
})
