/**
 * Addresses of message brokers. The form is narrower than a URL's: text that two parsers could read as two hosts is
 * refused. The part with the credentials is separated, because it is stored encrypted and never shown.
 */
import { type AddressGuard, hostOf } from '../address-guard.ts'

export type BrokerType = 'nats' | 'rabbitmq'

export interface BrokerUrl {
  readonly type: BrokerType
  readonly host: string
  readonly port: number
  readonly isSecure: boolean
  readonly vhost: string
  /** Without the credentials. */
  readonly shown: string
  /** The credentials as they are written in the URL, or null. */
  readonly userinfo: string | null
}

export interface Credentials {
  readonly user: string
  /** Null for a token of NATS. */
  readonly password: string | null
}

const schemes: Readonly<Record<string, Pick<BrokerUrl, 'type' | 'isSecure' | 'port'>>> = {
  nats: { type: 'nats', isSecure: false, port: 4222 },
  tls: { type: 'nats', isSecure: true, port: 4222 },
  amqp: { type: 'rabbitmq', isSecure: false, port: 5672 },
  amqps: { type: 'rabbitmq', isSecure: true, port: 5671 },
}
const named = { nats: { plain: 'nats://', secure: 'tls://' }, rabbitmq: { plain: 'amqp://', secure: 'amqps://' } }

const form = /^([a-z]+):\/\/(?:([^@/?#[\]]*)@)?(\[[0-9a-f:.]+\]|[^@:/?#[\]]+)(?::(\d{1,5}))?(\/[^/?#]*)?$/i
const userinfoForm = /^(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+(?::(?:[\w.~!$&'()*+,;=-]|%[0-9a-f]{2})+)?$/i

/** What is wrong with the URL and what to do about it, or its parts. Asks no name server. */
export function readBrokerUrl(type: BrokerType, text: string, guard: AddressGuard): BrokerUrl | string {
  const { plain, secure } = named[type]
  if (/[\s\\\p{Cc}]/u.test(text)) return 'The URL contains a space, a line break or a backslash. Remove it.'
  const [, scheme = '', userinfo, written = '', digits, path = ''] = form.exec(text) ?? []
  const known = schemes[scheme.toLowerCase()]
  if (known?.type !== type)
    return `This isn't a URL for this type of broker. Send one that starts with ${secure} and has no query.`
  if (userinfo !== undefined && !isUserinfo(userinfo))
    return 'The user name or password isn\'t valid. Percent-encode special characters, such as %40 for "@".'
  const parsed = URL.parse(`https://${written}`)
  if (parsed === null) return "The host isn't a valid name. Check its spelling."
  const host = hostOf(parsed)
  const port = digits === undefined ? known.port : Number(digits)
  if (port < 1 || port > 65_535) return "The port isn't valid. Use one from 1 to 65535, or leave it out."
  if (type === 'nats' && path.length > 1) return "A NATS server's URL can't have a path. Remove the path."
  const vhost = decoded(path.slice(1))
  if (vhost === null) return "The virtual host isn't valid. Percent-encode special characters."
  const refusal = guard.refusalOfHost(
    host,
    known.isSecure,
    `The connection isn't encrypted. Use ${secure} instead of ${plain}.`,
  )
  if (refusal !== null) return refusal
  const shownHost = host.includes(':') ? `[${host}]` : host
  const shown = `${scheme.toLowerCase()}://${shownHost}${digits === undefined ? '' : `:${port}`}${path}`
  return { ...known, port, host, vhost: vhost || '/', shown, userinfo: userinfo ?? null }
}

export function credentialsOf(userinfo: string | null): Credentials | null {
  if (userinfo === null) return null
  const [user = '', password] = userinfo.split(':')
  return { user: decodeURIComponent(user), password: password === undefined ? null : decodeURIComponent(password) }
}

const isUserinfo = (text: string): boolean =>
  userinfoForm.test(text) && text.split(':').every((part) => decoded(part) !== null)

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
