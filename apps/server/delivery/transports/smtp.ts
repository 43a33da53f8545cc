/** Mail, by the mail server of the operator. */
import { createTransport } from 'nodemailer'
import type { Exchange } from '../../lib/outbound-http.ts'
import type { AnswerRules } from '../outcome.ts'
import { doubling } from '../schedule.ts'
import type { Transport, TransportNeeds } from '../transport.ts'

export interface MailMessage {
  /** The same for each attempt, so that a mail program shows a repeated message once. */
  readonly messageId: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** By default MAIL_FROM. */
  readonly from?: { readonly name: string; readonly address: string }
  readonly replyTo?: string
}

/** Until the mail expires, whatever the server answers: many refuse for a while what they accept later. */
export const mailRules: AnswerRules = {
  schedule: doubling(60, 8),
  gone: [],
  refusals: 'retried',
  answered: () => "The mail server didn't accept the message.",
}

/** A server that hangs gets no second copy: these end before the lease of a mail does. */
const bounds = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/** To an address. Null where the operator has set no server. */
export function smtp({ config }: Pick<TransportNeeds, 'config'>): Transport<string, MailMessage> | null {
  if (!config.smtpUrl) return null
  const server = createTransport({ url: config.smtpUrl, ...bounds }, { from: config.mailFrom })
  return {
    rules: mailRules,
    async send(to, message) {
      const startedAt = performance.now()
      const ended = (failure: Pick<Exchange, 'error' | 'message'>): Exchange => {
        const ms = Math.round(performance.now() - startedAt)
        return { responseStatus: null, retryAfter: null, excerpt: '', ms, ...failure }
      }
      try {
        await server.sendMail({ to, ...message })
        return ended({ error: null, message: null })
      } catch (error) {
        return ended({ error: 'rejected', message: (error as Error).message })
      }
    },
  }
}
