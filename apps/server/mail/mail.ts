/**
 * Mail is queued in the transaction that causes it and sent after the commit; a job sends mail that a crash left unsent.
 * Without SMTP the message is written to the log in development, and refused in production.
 */
import { isSandboxCenter } from '@countersign/proof/chain.ts'
import type { Language } from '@countersign/words/say.ts'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Caller, Directory, DirectoryTx, IdentityTx, OperatorTx } from '../data/directory.ts'
import { tableLeases } from '../delivery/lease-queries.ts'
import { type Outbox, outbox } from '../delivery/leases.ts'
import { type Letter, letter, type Transport } from '../delivery/transport.ts'
import { type MailMessage, mailRules } from '../delivery/transports/smtp.ts'
import { type TextMessage, textRules } from '../delivery/transports/text.ts'
import type { Transports } from '../delivery/transports.ts'
import { now } from '../lib/clock.ts'
import { newUuid } from '../lib/ids.ts'
import type { MailFigures } from '../lib/metrics-scanned.ts'
import { Problem } from '../lib/problem.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { compose, languageOf, ownService } from './compose.ts'
import { mailHtml } from './html.ts'
import { type Preview, previews, textHtml } from './preview.ts'
import { chosenLanguage, countWaitingMails, type DueMail, insertMail, isSandboxOwner, mails } from './queries.ts'
import type { Written } from './templates.ts'
import { composeText, type TextWritten } from './texts.ts'
import { type Voice, voiceOfCenter, voiceOfPerson, withLinksOf } from './voice.ts'

export type Message = Written & {
  readonly to: string
  /** The center that the mail is about; absent: the center of the transaction's caller. */
  readonly centerId?: number
  /** Whose account it is about, where nobody signs in with the address yet. */
  readonly actorId?: string
  /** Of the request that caused it. The language of the reader's account comes before it, that of the center after it; both where there is none. */
  readonly language?: Language
  /** It is not sent before. */
  readonly from?: Date
}

/** To a phone number in E.164. */
export type Text = TextWritten & {
  readonly to: string
  /** As in a mail. */
  readonly actorId?: string
  readonly language?: Language
  readonly from?: Date
}

export interface Mail extends Pick<Outbox, 'sendDue' | 'close'> {
  /** False in production without SMTP_URL: `queue` then refuses. */
  readonly canSend: boolean
  /** A mail about a sandbox that it may not send is dropped. */
  queue(tx: DirectoryTx | IdentityTx | OperatorTx, message: Message): Promise<void>
  /** The same for text messages, without TEXT_URL. */
  readonly canText: boolean
  /** A text message; it is dropped after `seconds`. */
  queueText(tx: IdentityTx, message: Text, seconds: number): Promise<void>
  /** A sandbox writes to the ADMIN who made it and to no other person. */
  reaches(centerId: number, address: string): Promise<boolean>
  figures(): Promise<MailFigures>
  /** What this process would have sent, in development without a mail server. */
  readonly previews: readonly Preview[]
}

const caller: Caller = { requestId: 'mail', actorId: null, centerId: 0 }
const keptSeconds = 3 * 86_400
/** So many connections to the mail server has a process at a time. */
const most = 5

interface MailNeeds {
  readonly config: Config
  readonly directory: Directory
  readonly box: SecretBox
  readonly transports: Pick<Transports, 'smtp' | 'text'>
  readonly log: Logger
}

export function openMail({ config, directory, box, transports: { smtp, text }, log }: MailNeeds): Mail {
  const addresses = [config.publicUrl, config.authUrl]
  const origins = addresses.map((address) => new URL(address).origin)
  const kept = previews()
  const transport = smtp ?? printed(kept.add, log)
  const phones = text ?? printedText(kept.add, log)

  /** Words and brand are those of the moment of sending: a center that changes its language is asked no more in the old one. */
  async function letterOf({ id, sealed }: DueMail): Promise<Letter> {
    const message = JSON.parse(box.open(sealed, id).toString()) as (Message & { readonly centerId: number }) | Text
    if ('text' in message) {
      const { to, actorId, language = null } = message
      const voice = await voiceOfAccount({ identifier: `phone:${to}` }, actorId)
      const said = withLinksOf(message, voice?.site ?? null, origins)
      return letter(phones, to, { text: composeText(said, language, voice?.service ?? ownService) })
    }
    const { to, actorId, centerId, language } = message
    const voice =
      centerId === 0
        ? await voiceOfAccount({ identifier: `email:${to.trim().toLowerCase()}` }, actorId)
        : await directory.identity(caller, (tx) => voiceOfCenter(tx, centerId, config), 'read')
    const chosen = await directory.identity(caller, (tx) => chosenLanguage(tx, to), 'read')
    const spoken = chosen ?? language ?? (voice?.locale ? languageOf(voice.locale) : null)
    const site = voice?.site ?? null
    const words = compose(withLinksOf(message, site, origins), spoken, voice)
    const { subject, text } = words
    const html = mailHtml(words, site === null ? addresses : [...addresses, `https://${site}`], voice)
    const replyTo = voice?.replyTo ?? null
    // Of the row: a message that is sent again after a crash is the same one to every mail program.
    const messageId = `<${id}@${hostOf(voice?.sender.address ?? config.mailFrom)}>`
    return letter(transport, to, {
      ...{ messageId, subject, text, html },
      ...(voice && { from: voice.sender }),
      ...(replyTo !== null && { replyTo }),
    })
  }

  const voiceOfAccount = (who: { identifier: string }, actorId: string | undefined): Promise<Voice | null> =>
    directory.identity(caller, (tx) => voiceOfPerson(tx, actorId === undefined ? who : { actorId }, config), 'read')

  const store = tableLeases<DueMail>(mails, (work) => directory.identity(caller, ({ db }) => work(db)))
  const sending = outbox<DueMail>({
    name: 'mail',
    store,
    most,
    log,
    fields: () => ({}),
    rules: transport.rules,
    failures: ({ epoch }) => Number(epoch) - 1,
    letterOf,
    record: (mail, outcome) => (outcome?.kind === 'later' ? store.release(mail, outcome.at) : store.remove(mail)),
  })

  const reaches = async (centerId: number, address: string): Promise<boolean> =>
    !isSandboxCenter(centerId) ||
    (await directory.identity(caller, (tx) => isSandboxOwner(tx, centerId, address), 'read'))

  const canSend = smtp !== null || !config.production

  const canText = text !== null || !config.production

  async function keep(
    tx: DirectoryTx | IdentityTx | OperatorTx,
    { from = now(), ...message }: (Omit<Message, 'mail' | 'facts'> | Omit<Text, 'text' | 'facts'>) & object,
    seconds: number,
  ): Promise<void> {
    const id = newUuid()
    const sealed = box.seal(JSON.stringify(message), id)
    await insertMail(tx, { id, sealed, next_at: from, expires_at: new Date(from.getTime() + seconds * 1000) })
    tx.afterCommit(sending.soon)
  }

  function requireTransport(): void {
    if (canSend) return
    throw new Problem('SERVICE_UNAVAILABLE', "This server can't send email yet. Ask the operator to set it up.")
  }

  return {
    canSend,
    canText,
    sendDue: sending.sendDue,
    close: sending.close,
    reaches,
    figures: () => directory.identity(caller, countWaitingMails, 'read'),
    previews: kept.all,
    async queue(tx, { centerId = tx.caller.centerId, ...message }) {
      if (!(await reaches(centerId, message.to))) return
      requireTransport()
      await keep(tx, { ...message, centerId }, keptSeconds)
    },
    async queueText(tx, message, seconds) {
      if (!canText) {
        throw new Problem(
          'SERVICE_UNAVAILABLE',
          "This server can't send text messages yet. Ask the operator to set them up.",
        )
      }
      await keep(tx, message, seconds)
    },
  }
}

/** In development there is no mail server: the developer reads the mail in the log and at /dev/mail. */
const printed = (keep: (preview: Preview) => void, log: Logger): Transport<string, MailMessage> => ({
  rules: mailRules,
  async send(to, { subject, text, html }) {
    keep({ to, subject, html, at: now() })
    log.warn({ printedMail: { to, subject } }, `mail, printed because SMTP_URL is not set:\n${text}`)
    return { responseStatus: null, retryAfter: null, excerpt: '', error: null, message: null, ms: 0 }
  },
})

/** The same for text messages. */
const printedText = (keep: (preview: Preview) => void, log: Logger): Transport<string, TextMessage> => ({
  rules: textRules,
  async send(to, { text }) {
    keep({ to, subject: text, html: textHtml(text), at: now() })
    log.warn({ printedText: { to } }, `text message, printed because TEXT_URL is not set:\n${text}`)
    return { responseStatus: null, retryAfter: null, excerpt: '', error: null, message: null, ms: 0 }
  },
})

const hostOf = (mailFrom: string): string => /@([^>\s]+)/.exec(mailFrom)?.[1] ?? 'localhost'
