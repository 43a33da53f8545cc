/** A webhook by HTTP. */
import type { TransportNeeds } from '../transport.ts'
import { type WebhookTransport, webhookRules } from './destination.ts'

export const http = ({ config, guard, outbound }: TransportNeeds): WebhookTransport => ({
  rules: webhookRules(
    config.webhooks.retryDelays,
    ({ responseStatus }) => `The endpoint responded with ${responseStatus}; only a 2xx response counts as received.`,
  ),
  readUrl: (url) => guard.refusalOfUrl(url) ?? { shown: url, userinfo: null },
  send: ({ url }, { headers, body }) => outbound.post(url, headers, body),
})
