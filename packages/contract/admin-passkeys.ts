/** A center that asks its administrators for passkeys. These operations aren't in the specification. */
import { Type } from 'typebox'
import { CenterParam } from './centers.ts'
import { ActorId, described, named } from './common.ts'
import { operation } from './operation.ts'

const Required = Type.Boolean({
  description: 'Whether administrators can work in this center only with a passkey that counts in it.',
  examples: [true],
})

const AdminPasskeys = named(
  'AdminPasskeys',
  {
    required: Required,
    admins: Type.Array(
      named(
        'AdminPasskeyHolder',
        {
          actorId: described(ActorId, "The administrator's actor ID."),
          name: Type.String({ description: "The administrator's name." }),
          counts: Type.Boolean({ description: 'Whether one of their passkeys counts in this center.' }),
        },
        { description: 'An administrator, and whether they have a passkey that counts.' },
      ),
      { description: "The center's first 100 ACTIVE administrators." },
    ),
  },
  { description: 'Whether the center asks its administrators for passkeys, and who has one.' },
)

const shared = {
  surface: 'platform',
  tag: 'Passkeys',
  path: '/centers/{center}/admin-passkeys',
  access: { kind: 'actor', center: 'addressed', roles: ['ADMIN'] },
  params: CenterParam,
} as const

export const getAdminPasskeys = operation({
  ...shared,
  id: 'adminPasskeys.get',
  method: 'GET',
  store: 'none',
  summary: 'Retrieve whether administrators need passkeys',
  description:
    'Returns whether the center asks its administrators for passkeys, and which of them have one that counts.',
  replies: { 200: AdminPasskeys },
})

export const setAdminPasskeys = operation({
  ...shared,
  id: 'adminPasskeys.set',
  stepUp: { within: 'rules' },
  method: 'PUT',
  store: 'directory',
  summary: 'Ask administrators for passkeys',
  description:
    "Sets whether administrators can work in this center only with a passkey that counts in it. While it's on, an administrator's session must have signed in or stepped up with such a passkey, and every operation that asks for a step-up asks for a passkey; a password isn't enough. Other members and API keys aren't affected, and stopping is always possible. To turn it on, your own session must have used a passkey that counts here. All administrators are told by email.",
  body: named(
    'AdminPasskeysUpdate',
    { required: Required },
    { description: 'Whether to ask.', examples: [{ required: true }] },
  ),
  replies: {
    200: named(
      'AdminPasskeysSetting',
      { required: Required },
      { description: 'Whether administrators need a passkey.' },
    ),
  },
  errors: ['FORBIDDEN'],
})
