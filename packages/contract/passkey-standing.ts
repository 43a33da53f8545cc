/** How a person's passkeys stand in a center. This operation isn't in the specification. */
import { Type } from 'typebox'
import { DateTime, described, named, nullable } from './common.ts'
import { oneOf } from './enums.ts'
import { TypedId } from './ids.ts'
import { operation } from './operation.ts'

export const PasskeyConfirmers = named(
  'PasskeyConfirmers',
  {
    by: oneOf(
      'PasskeyConfirmer',
      ['admin', 'partner', 'operator'],
      'Who can confirm: another administrator of the center; for its only administrator, the partner; without a partner, the operator.',
    ),
    names: Type.Array(Type.String(), {
      description: 'The names of up to ten administrators, or of the partner. Empty for the operator.',
    }),
  },
  {
    description:
      "Who can confirm your waiting passkeys. Null if none is waiting, or if your role in this center can't approve.",
  },
)

export const getPasskeyStanding = operation({
  id: 'passkeys.getStanding',
  evenWithoutPasskey: true,
  surface: 'platform',
  tag: 'Passkeys',
  method: 'GET',
  path: '/auth/passkeys/standing',
  access: { kind: 'actor', center: 'required' },
  store: 'none',
  summary: 'Retrieve how your passkeys stand in the center',
  description:
    "Returns whether one of your passkeys counts for approvals in the center that you're in, which of them are waiting for confirmation there, and who can confirm them.",
  replies: {
    200: named(
      'PasskeyStanding',
      {
        counts: Type.Boolean({ description: 'Whether one of your passkeys counts for approvals in this center.' }),
        waiting: Type.Array(
          named(
            'WaitingPasskey',
            {
              id: TypedId('passkey', "The passkey's ID."),
              thumbprint: Type.String({ description: "The public key's thumbprint (RFC 7638)." }),
              createdAt: described(DateTime, 'When the passkey was registered.'),
            },
            { description: "One of your passkeys that doesn't count in this center." },
          ),
          { description: "Your passkeys that don't count in this center, oldest first." },
        ),
        confirmers: nullable(PasskeyConfirmers),
      },
      { description: 'How your passkeys stand in a center.' },
    ),
  },
})
