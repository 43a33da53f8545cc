/** How people are reached. */
import { matching } from './setting-kinds.ts'

export const mailSettings = {
  SMTP_URL: matching('smtp://user:password@host:587', (text) => /^smtps?:\/\//.test(text), {
    unset:
      'none: in development, mail is written to the log; in production, requests that send mail are refused (503). A password reset gets the usual response and is logged',
    doc: 'The mail server for invitations, password resets and other mail. `smtps://` uses TLS',
  }),
  MAIL_FROM: matching(
    'Name <address@host>',
    (text) => /^[^<>]*<[^@\s<>]+@[^@\s<>]+>$|^[^@\s<>]+@[^@\s<>]+$/.test(text),
    {
      unset: '`Countersign <no-reply@…>` with the host of `PUBLIC_URL`',
      doc: 'The sender of all mail',
    },
  ),
}
