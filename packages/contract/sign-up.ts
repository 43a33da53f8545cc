/** Signing up. Whoever can read the mailbox of the address gets the account, and only they choose its password. */
import { ActorId, Email, named, PlainName } from './common.ts'
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
  summary: 'Send a link for opening an account',
  description:
    'The reply is the same whether or not the address has an account; an address that has one gets a mail that says so. An address gets at most one such mail a minute. Where accounts are opened by invitation only (`SIGN_UP`): 403 `FORBIDDEN`.',
  body: named(
    'SignUp',
    {
      email: Email,
      name: PlainName,
    },
    { examples: [{ email: 'director@haneul.example', name: 'Kim Haneul' }] },
  ),
  replies: { 202: Accepted },
  errors: ['FORBIDDEN'],
})

export const confirmSignUp = operation({
  ...shared,
  id: 'auth.confirmSignUp',
  path: '/auth/signup/confirm',
  summary: 'Open the account with the token from the email, and set its password',
  body: named(
    'SignUpConfirmation',
    { token: MailedToken, password: NewPassword },
    { examples: [{ token: 'csu_…', password: 'a new password' }] },
  ),
  replies: { 201: named('NewAccount', { actorId: ActorId, email: Email }) },
  errors: ['UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT'],
})
