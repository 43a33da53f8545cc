/** Signing up. Only someone who can read mail at the address gets the account and chooses its password. */
import { ActorId, described, Email, named, PlainName } from './common.ts'
import { Accepted, MailedToken, NewPassword } from './entry.ts'
import { operation } from './operation.ts'

const shared = {
  surface: 'platform',
  tag: 'Sign-in',
  method: 'POST',
  access: { kind: 'public' },
  store: 'identity',
  rate: 'entry',
} as const

export const signUp = operation({
  ...shared,
  id: 'auth.signUp',
  path: '/auth/signup',
  summary: 'Sign up',
  description:
    'Emails a link for creating an account. The response is the same whether or not the address has an account; if it has one, the email says so. At most one such email a minute is sent to an address. If new accounts need an invitation (`SIGN_UP`), the response is 403 `FORBIDDEN`. Next, call `POST /api/auth/signup/confirm`.',
  body: named(
    'SignUp',
    {
      email: described(Email, 'The address to send the link to.'),
      name: described(PlainName, 'Your name, as others will see it.', 'Kim Haneul'),
    },
    {
      description: 'The person who wants an account.',
      examples: [{ email: 'director@haneul.example', name: 'Kim Haneul' }],
    },
  ),
  replies: { 202: Accepted },
  errors: ['FORBIDDEN'],
})

export const confirmSignUp = operation({
  ...shared,
  id: 'auth.confirmSignUp',
  path: '/auth/signup/confirm',
  summary: 'Create an account',
  description:
    'Creates the account with the token from the email and sets its password. Next, sign in with `POST /api/auth/login`.',
  body: named(
    'SignUpConfirmation',
    { token: MailedToken, password: NewPassword },
    {
      description: 'The token from the email, and the password to set.',
      examples: [{ token: 'csu_…', password: 'a new password' }],
    },
  ),
  replies: {
    201: named(
      'NewAccount',
      {
        actorId: described(ActorId, "The new account's actor ID."),
        email: described(Email, "The account's email address."),
      },
      { description: 'The account that was created.' },
    ),
  },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
})
