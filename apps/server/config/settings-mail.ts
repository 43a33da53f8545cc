/** How people are reached. */
import { matching } from './setting-kinds.ts'
import { textAccount } from './text-account.ts'

export const mailSettings = {
  SMTP_URL: matching('smtp://user:password@host:587', (text) => /^smtps?:\/\//.test(text), {
    unset:
      'none: in development, mail is written to the log; in production, requests that send mail are refused (503). A password reset gets the usual response and is logged',
    doc: 'The mail server for invitations, password resets and other mail. `smtps://` uses TLS',
  }),
  TEXT_URL: matching(
    'sens://key:secret@sens.apigw.ntruss.com/service or solapi://key:secret@api.solapi.com, each part percent-encoded',
    (text) => textAccount(text) !== null,
    {
      unset:
        'none: in development, text messages are written to the log; in production, requests that send one are refused (503)',
      doc: 'The provider of text messages, which carry the codes for new phone numbers: NAVER Cloud SENS or SOLAPI',
    },
  ),
  TEXT_FROM: matching('digits, such as 0212345678', (text) => /^[0-9]{8,12}$/.test(text), {
    unset: 'none: required with `TEXT_URL`',
    doc: 'The number that text messages come from, as registered with the provider',
  }),
  MAIL_FROM: matching(
    'Name <address@host>',
    (text) => /^[^<>]*<[^@\s<>]+@[^@\s<>]+>$|^[^@\s<>]+@[^@\s<>]+$/.test(text),
    {
      unset: '`Countersign <no-reply@…>` with the host of `PUBLIC_URL`',
      doc: 'The sender of all mail, except where a center or a partner has an address of its own',
    },
  ),
  MAIL_SPF: matching('a host name such as spf.mail.example', (text) => /^([a-z0-9_-]+\.)+[a-z]{2,63}$/.test(text), {
    unset: 'none: centers and partners can set the name of a sender, but no address of their own',
    doc: "The host whose SPF record lists the mail servers of `SMTP_URL`. A center or partner that sends from an address of its own includes it in its domain's SPF record",
  }),
}
