/** Showing again that it is you, for what a session alone may not do. Not in the specification. */
import { Type } from 'typebox'
import { ActorId, DateTime, named } from './common.ts'
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
  summary: 'Ask for the challenge that a passkey signs to show that it is you',
  description: 'The challenge is valid for five minutes, once, in this session.',
  replies: {
    200: named('StepUpChallenge', {
      statement: named('StepUpStatement', {
        type: Type.Literal('countersign-step-up-v1'),
        actorId: ActorId,
        sid: Type.String({ description: 'Session id' }),
        rpId: Type.String(),
        nonce: Type.String(),
        issuedAt: DateTime,
      }),
      publicKey: RequestOptions,
      expiresAt: DateTime,
    }),
  },
  errors: ['CONFLICT'],
})

export const stepUp = operation({
  ...shared,
  id: 'auth.stepUp',
  path: '/auth/step-up',
  rate: 'login',
  summary: 'Show again that it is you, by password or passkey',
  description:
    'Operations that change who may do what answer 403 `FORBIDDEN` with `details.reason` `stepUp` when the last sign-in or step-up of this session is too long ago: 15 minutes, or 5 for keys, passkeys and roles. Step up, and repeat the request. A person without a password or a passkey signs in again. The limit is five failed attempts in 15 minutes per person.',
  body: named(
    'NewStepUp',
    { password: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })), assertion: Type.Optional(Assertion) },
    { description: 'One of the two', examples: [{ password: 'correct horse battery staple' }] },
  ),
  replies: { 200: named('SteppedUp', { steppedUpAt: DateTime }) },
  errors: ['INVALID_CREDENTIALS', 'CONFLICT'],
})
