/** How people are reached. */
import { matching } from './setting-kinds.ts'

export const mailSettings = {
  SMTP_URL: matching('smtp://user:password@host:587', (text) => /^smtps?:\/\//.test(text), {
    unset:
      'none: mail is written to the log in development and refused (503) in production; a forgotten password is answered as always and logged',
    doc: 'The mail server for invitations and forgotten passwords; `smtps://` uses TLS',
  }),
  MAIL_FROM: matching(
    'Name <address@host>',
    (text) => /^[^<>]*<[^@\s<>]+@[^@\s<>]+>$|^[^@\s<>]+@[^@\s<>]+$/.test(text),
    {
      unset: '`Countersign <no-reply@…>` with the host of `PUBLIC_URL`',
      doc: 'The sender of mail',
    },
  ),
}
