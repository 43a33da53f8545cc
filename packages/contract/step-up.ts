/** Confirming again that it's you, for changes that a session alone doesn't permit. These operations aren't in the specification. */
import { Type } from 'typebox'
import { ActorId, DateTime, described, named } from './common.ts'
import { operation } from './operation.ts'
import { Assertion, RequestOptions } from './passkeys.ts'

const shared = {
  surface: 'platform',
  method: 'POST',
  tag: 'Passkeys',
  access: { kind: 'actor', center: 'optional', confined: true },
  store: 'identity',
} as const

export const challengeStepUp = operation({
  ...shared,
  id: 'auth.challengeStepUp',
  path: '/auth/step-up/options',
  summary: 'Create a step-up challenge',
  description:
    "Returns the challenge that a passkey signs to confirm that it's you. The challenge can be used once, within five minutes, in this session. Send the assertion to `POST /api/auth/step-up`.",
  replies: {
    200: named(
      'StepUpChallenge',
      {
        statement: named(
          'StepUpStatement',
          {
            type: Type.Literal('countersign-step-up-v1', { description: 'The format of the statement.' }),
            actorId: described(ActorId, 'The person who confirms their identity.'),
            sid: Type.String({ description: "The session's ID." }),
            rpId: Type.String({ description: 'The host that the passkey belongs to.' }),
            nonce: Type.String({ description: 'A random value that makes the statement unique.' }),
            issuedAt: described(DateTime, 'When the server issued the statement.'),
          },
          { description: 'The statement that the passkey signs.' },
        ),
        publicKey: RequestOptions,
        expiresAt: described(DateTime, 'When the challenge expires.'),
      },
      { description: "What your passkey signs to confirm that it's you." },
    ),
  },
  errors: ['CONFLICT'],
})

export const stepUp = operation({
  ...shared,
  id: 'auth.stepUp',
  path: '/auth/step-up',
  rate: 'login',
  summary: "Confirm that it's you",
  description:
    "Confirms your identity with a password or a passkey. Operations that change permissions respond with 403 `FORBIDDEN` and `details.reason` `stepUp` if this session's last sign-in or step-up was too long ago: more than 15 minutes, or more than 5 for keys, passkeys and roles. Step up, then repeat the request. If you have neither a password nor a passkey, sign in again. Five failed attempts are allowed in 15 minutes.",
  body: named(
    'NewStepUp',
    {
      password: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 1024,
          description: 'Your password. Send this or `assertion`.',
          examples: ['correct horse battery staple'],
        }),
      ),
      assertion: Type.Optional(
        described(Assertion, "Your passkey's signature over the challenge. Send this or `password`."),
      ),
    },
    {
      description: "Either a password or a passkey's assertion.",
      examples: [{ password: 'correct horse battery staple' }],
    },
  ),
  replies: {
    200: named(
      'SteppedUp',
      { steppedUpAt: described(DateTime, 'When you confirmed your identity.') },
      { description: 'When your identity was confirmed.' },
    ),
  },
  errors: ['INVALID_CREDENTIALS', 'CONFLICT'],
})
