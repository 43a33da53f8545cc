/** Where a webhook sends: a URL, a subject of NATS or an exchange of RabbitMQ. Checked and stored. */
import type { BodyOf, SpecOf } from '@countersign/contract/operation.ts'
import type { updateWebhook } from '@countersign/contract/webhooks.ts'
import type { Destination } from '../../../delivery/transports/destination.ts'
import type { Transports } from '../../../delivery/transports.ts'
import { typedId } from '../../../lib/ids.ts'
import { refusedField } from '../../../lib/problem.ts'
import type { SecretBox } from '../../../lib/secret-box.ts'
import type { DestinationRow, DestinationType } from './queries.ts'

export const invalid = (path: string, message: string, reason?: string) => refusedField(path, message, message, reason)

/** The context that binds the sealed credentials to their row. */
export const credentialsContext = (webhookId: string): string => `webhook credentials ${webhookId}`

interface Needs {
  readonly transports: Pick<Transports, DestinationType>
  readonly box: SecretBox
  readonly webhookId: string
}

type Changed = BodyOf<SpecOf<typeof updateWebhook>>
type Given = { readonly [field in 'type' | 'url' | keyof typeof fields]?: Changed[field] | undefined }

/** The fields of each type; one that belongs to another type is refused, because it would have no effect. */
const fields = { subject: 'nats', exchange: 'rabbitmq', routingKey: 'rabbitmq' } as const

export function newDestination(needs: Needs, given: Given & { readonly url: string }): DestinationRow {
  const { type = 'http', url, subject = null, exchange = '', routingKey = '' } = given
  for (const [field, of] of Object.entries(fields)) {
    if (given[field as keyof typeof fields] === undefined || of === type) continue
    throw invalid(
      field,
      `"${field}" is only for webhooks of the type "${of}", and this webhook's type is "${type}". Leave the field out.`,
    )
  }
  const { shown, userinfo } = checkedUrl(needs, type, url)
  if (type === 'nats' && subject === null)
    throw invalid('subject', '"subject" is missing. Send the subject to publish to.')
  if (type === 'rabbitmq' && exchange === '' && routingKey === '')
    throw invalid(
      'exchange',
      '"exchange" is missing. Send an exchange, or a queue\'s name as "routingKey" to use the default exchange.',
    )
  return {
    type,
    url: shown,
    credentials: userinfo === null ? null : needs.box.seal(userinfo, credentialsContext(needs.webhookId)),
    subject,
    exchange: type === 'rabbitmq' ? exchange : null,
    routing_key: type === 'rabbitmq' ? routingKey : null,
  }
}

/**
 * Null where the change does not name the destination. The stored credentials are kept only with the stored URL: with
 * another host they would go to a server that they were not given for.
 */
export function changedDestination(needs: Needs, row: DestinationRow, given: Given): DestinationRow | null {
  if (Object.values(given).every((value) => value === undefined)) return null
  const isSame = given.type === undefined || given.type === row.type
  const kept = isSame ? { subject: row.subject, exchange: row.exchange, routingKey: row.routing_key } : {}
  const named = { subject: given.subject, exchange: given.exchange, routingKey: given.routingKey }
  const { credentials, ...changed } = newDestination(needs, {
    ...present(kept),
    ...present(named),
    type: given.type ?? row.type,
    url: given.url ?? row.url,
  })
  return given.url === undefined ? changed : { ...changed, credentials: credentials ?? null }
}

const present = (values: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined))

function checkedUrl({ transports }: Needs, type: DestinationType, url: string) {
  const read = transports[type].readUrl(url)
  if (typeof read === 'string') throw invalid('url', read, 'address')
  return read
}

/** As it is stored, with the credentials in base64. */
type StoredDestination = Omit<DestinationRow, 'credentials'> & { readonly credentials: string | null }

export function destinationOf(
  row: StoredDestination,
  centerId: number,
  webhookId: string,
  box: SecretBox,
): Destination {
  const { type, url, credentials, subject, exchange, routing_key } = row
  return {
    type,
    url,
    centerId,
    webhookId: typedId('webhook', webhookId),
    userinfo: credentials && box.open(Buffer.from(credentials, 'base64'), credentialsContext(webhookId)).toString(),
    route: { subject: subject ?? undefined, exchange: exchange ?? undefined, routingKey: routing_key ?? undefined },
  }
}
