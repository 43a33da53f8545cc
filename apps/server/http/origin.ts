/** Which origins a change with a cookie may come from. */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config/config.ts'

type Addresses = Pick<Config, 'publicUrl' | 'authUrl'>

/** The pages for people are at both: links in mails name one, `approvalUrl` the other. */
export const ownOrigins = ({ publicUrl, authUrl }: Addresses): ReadonlySet<string> =>
  new Set([publicUrl, authUrl].map((address) => new URL(address).origin))

/** Also that of a custom domain: no page can choose the `Origin` or the `Host` that its browser sends. */
export const isOwnOrigin = (addresses: Addresses, { headers, hostname }: FastifyRequest): boolean =>
  ownOrigins(addresses).has(headers.origin ?? '') || headers.origin === `https://${hostname}`
