/** A text message to a phone, by the provider of the operator: one row for each provider. */
import { createHmac, randomBytes } from 'node:crypto'
import type { TextAccount } from '../../config/text-account.ts'
import { now } from '../../lib/clock.ts'
import type { Exchange } from '../../lib/outbound-http.ts'
import type { AnswerRules } from '../outcome.ts'
import { doubling } from '../schedule.ts'
import type { Transport, TransportNeeds } from '../transport.ts'

export interface TextMessage {
  readonly text: string
}

interface Request {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

interface Provider {
  request(account: TextAccount, from: string, to: string, text: string): Request
  /** Why a message was not accepted although the status is a success. */
  refusal(excerpt: string): string | null
}

/** Half-width characters count one byte and all others two, as in the character set of the carriers. */
const textBytes = (text: string): number =>
  [...text].reduce((bytes, character) => bytes + (character.charCodeAt(0) < 0x80 ? 1 : 2), 0)
const mostShortBytes = 90

const memberOf = (excerpt: string, member: string): unknown => {
  try {
    return (JSON.parse(excerpt) as Readonly<Record<string, unknown>>)[member]
  } catch {
    return undefined
  }
}

const textProviders = {
  /** NAVER Cloud SENS, SMS API v2. The gateway refuses a timestamp that is more than five minutes off. */
  sens: {
    request({ key, secret, service }, from, to, text) {
      const path = `/sms/v2/services/${encodeURIComponent(service)}/messages`
      const timestamp = String(now().getTime())
      const signature = createHmac('sha256', secret).update(`POST ${path}\n${timestamp}\n${key}`).digest('base64')
      return {
        path,
        headers: {
          'x-ncp-apigw-timestamp': timestamp,
          'x-ncp-iam-access-key': key,
          'x-ncp-apigw-signature-v2': signature,
        },
        body: {
          type: textBytes(text) > mostShortBytes ? 'LMS' : 'SMS',
          ...{ contentType: 'COMM', countryCode: '82', from, content: text, messages: [{ to }] },
        },
      }
    },
    refusal: (excerpt) => (memberOf(excerpt, 'statusCode') === '202' ? null : "SENS didn't accept the message."),
  },
  /** SOLAPI, messages v4. It chooses between SMS and LMS by the length. */
  solapi: {
    request({ key, secret }, from, to, text) {
      const [date, salt] = [now().toISOString(), randomBytes(16).toString('hex')]
      const signature = createHmac('sha256', secret).update(`${date}${salt}`).digest('hex')
      return {
        path: '/messages/v4/send',
        headers: {
          authorization: `HMAC-SHA256 apiKey=${key}, date=${date}, salt=${salt}, signature=${signature}`,
        },
        body: { message: { to, from, text } },
      }
    },
    refusal: (excerpt) =>
      String(memberOf(excerpt, 'statusCode')).startsWith('2') ? null : "SOLAPI didn't accept the message.",
  },
} as const satisfies Readonly<Record<TextAccount['provider'], Provider>>

/** Providers here send to Korean numbers; their senders are registered in Korea. */
export const isReachable = (phone: string): boolean => /^\+82[1-9][0-9]{7,9}$/.test(phone)
const domestic = (phone: string): string => `0${phone.slice('+82'.length)}`

/** A code is worth nothing after ten minutes: the pauses are short, and a refused number is not tried again. */
export const textRules: AnswerRules = {
  schedule: doubling(5, 6),
  gone: [],
  refusals: 'final',
  answered: ({ responseStatus }) => `The provider of text messages responded with ${responseStatus}.`,
}

/** To a phone number in E.164. Null where the operator has named no provider. */
export function text({
  config,
  outbound,
}: Pick<TransportNeeds, 'config' | 'outbound'>): Transport<string, TextMessage> | null {
  if (config.text === null) return null
  const { from } = config.text
  const account = config.text.account()
  const provider: Provider = textProviders[account.provider]
  return {
    rules: textRules,
    refusalOf: (to) => (isReachable(to) ? null : 'Text messages can be sent to Korean numbers only.'),
    async send(to, message): Promise<Exchange> {
      const { path, headers, body } = provider.request(account, from, domestic(to), message.text)
      const exchange = await outbound.post(
        `${account.origin}${path}`,
        { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Countersign-Texts/1', ...headers },
        Buffer.from(JSON.stringify(body)),
      )
      const accepted = exchange.error === null && exchange.responseStatus !== null && exchange.responseStatus < 300
      const refusal = accepted ? provider.refusal(exchange.excerpt) : null
      return refusal === null ? exchange : { ...exchange, responseStatus: 400, message: refusal }
    },
  }
}
