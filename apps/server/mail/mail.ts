/**
 * Mail is queued in the transaction that causes it and sent after the commit; a job sends mail that a crash left unsent.
 * Without SMTP the message is written to the log in development, and refused in production.
 */
import { visible } from '@countersign/design/drawing.ts'
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { Language } from '@countersign/words/say.ts'
import { createTransport } from 'nodemailer'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Caller, Directory, DirectoryTx, IdentityTx, OperatorTx } from '../data/directory.ts'
import { now, secondsFromNow } from '../lib/clock.ts'
import { newUuid } from '../lib/ids.ts'
import type { MailFigures } from '../lib/metrics-scanned.ts'
import { Problem } from '../lib/problem.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { compose, languageOf } from './compose.ts'
import { type Brand, mailHtml } from './html.ts'
import { type Preview, previews } from './preview.ts'
import {
  claimDueMails,
  countWaitingMails,
  deleteMail,
  findBrand,
  insertMail,
  isSandboxOwner,
  putOff,
} from './queries.ts'
import type { Written } from './templates.ts'

export type Message = Written & {
  readonly to: string
  /** The center that the mail is about; absent: the center of the transaction's caller. */
  readonly centerId?: number
  /** Of the person who reads it; absent: of the center, and both where there is none. */
  readonly language?: Language
}

export interface Mail {
  /** False in production without SMTP_URL: `queue` then refuses. */
  readonly canSend: boolean
  /** A mail about a sandbox that it may not send is dropped. */
  queue(tx: DirectoryTx | IdentityTx | OperatorTx, message: Message): Promise<void>
  /** A sandbox writes to the ADMIN who made it and to no other person. */
  reaches(centerId: number, address: string): Promise<boolean>
  /** Sends mails that are due; returns how many were sent. */
  sendDue(): Promise<number>
  figures(): Promise<MailFigures>
  /** What this process would have sent, in development without a mail server. */
  readonly previews: readonly Preview[]
  /** Waits for mails that are being sent: a stop between sending a mail and recording it would send it twice. */
  close(): Promise<void>
}

const caller: Caller = { requestId: 'mail', actorId: null, centerId: 0 }
const leaseSeconds = 60
const keptSeconds = 3 * 86_400
const batch = 20

export function openMail(config: Config, directory: Directory, box: SecretBox, log: Logger): Mail {
  const sending = new Set<Promise<unknown>>()
  const addresses = [config.publicUrl, config.authUrl]
  const kept = previews()
  const transport = config.smtpUrl ? createTransport(config.smtpUrl, { from: config.mailFrom }) : null

  /** Words and brand are those of the moment of sending: a center that changes its language is asked no more in the old one. */
  async function deliver(message: Message & { readonly centerId: number }): Promise<void> {
    const { to, centerId, language } = message
    const brand = centerId === 0 ? null : await directory.identity(caller, (tx) => findBrand(tx, centerId), 'read')
    const words = compose(message, language ?? (brand ? languageOf(brand.locale) : null))
    const { subject, text } = words
    const html = mailHtml(words, addresses, brand)
    if (transport) {
      await transport.sendMail({ to, subject, text, html, ...(brand && { from: senderOf(config.mailFrom, brand) }) })
      return
    }
    // In development there is no mail server: the developer reads the mail in the log and at /dev/mail.
    kept.add({ to, subject, html, at: now() })
    log.warn({ printedMail: { to, subject } }, `mail, printed because SMTP_URL is not set:\n${text}`)
  }

  async function send({ id, sealed, attempts }: { id: string; sealed: Buffer; attempts: number }): Promise<boolean> {
    try {
      await deliver(JSON.parse(box.open(sealed, id).toString()))
      await directory.identity(caller, (tx) => deleteMail(tx, id))
      return true
    } catch (error) {
      log.warn({ err: error, attempts }, 'mail could not be sent; it will be tried again')
      await directory.identity(caller, (tx) => putOff(tx, id, secondsFromNow(30 * 2 ** Math.min(attempts, 8))))
      return false
    }
  }

  async function sendDue(): Promise<number> {
    let sent = 0
    for (;;) {
      const due = await directory.identity(caller, (tx) => claimDueMails(tx, batch, secondsFromNow(leaseSeconds)))
      for (const mail of due) if (await send(mail)) sent++
      if (due.length < batch) return sent
    }
  }

  const reaches = async (centerId: number, address: string): Promise<boolean> =>
    !isSandboxCenter(centerId) ||
    (await directory.identity(caller, (tx) => isSandboxOwner(tx, centerId, address), 'read'))

  const canSend = transport !== null || !config.production

  function requireTransport(): void {
    if (canSend) return
    throw new Problem('SERVICE_UNAVAILABLE', 'This server cannot send mail yet: its operator must set SMTP_URL.')
  }

  return {
    canSend,
    sendDue,
    reaches,
    figures: () => directory.identity(caller, countWaitingMails, 'read'),
    previews: kept.all,
    async queue(tx, { centerId = tx.caller.centerId, ...message }) {
      if (!(await reaches(centerId, message.to))) return
      requireTransport()
      const id = newUuid()
      await insertMail(tx, {
        id,
        sealed: box.seal(JSON.stringify({ ...message, centerId }), id),
        next_at: now(),
        expires_at: secondsFromNow(keptSeconds),
      })
      tx.afterCommit(() => {
        const round = sendDue()
          .catch((error: unknown) => log.warn({ err: error }, 'mail was not sent; the mail job will try again'))
          .finally(() => sending.delete(round))
        sending.add(round)
      })
    },
    close: async () => {
      await Promise.all(sending)
    },
  }
}

/** The name of the center beside the address of the service. */
function senderOf(mailFrom: string, { name }: Brand) {
  const address = /<([^>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom
  return { name: `${visible(name)} (Countersign)`, address }
}
