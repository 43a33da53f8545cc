/** Where a push message may go: the push services of browsers, and hosts that the operator allows. */
import type { AddressGuard } from '../../../lib/address-guard.ts'

const services = ['fcm.googleapis.com', 'updates.push.services.mozilla.com']
const domains = ['.push.services.mozilla.com', '.notify.windows.com', '.push.apple.com']

export interface TargetRules {
  readonly addressGuard: AddressGuard
  readonly config: { readonly notificationHosts: readonly string[] }
}

/** Asked again for each message: the settings may have changed since the browser subscribed. */
export function refusalOf(endpoint: string, { addressGuard, config }: TargetRules): string | null {
  const refusal = addressGuard.refusalOf(endpoint)
  if (refusal !== null) return refusal
  const { hostname } = new URL(endpoint)
  const isKnown = services.includes(hostname) || domains.some((domain) => hostname.endsWith(domain))
  if (isKnown || config.notificationHosts.includes(hostname)) return null
  return `${hostname} is the push service of no known browser. Ask the operator to add it to NOTIFICATION_HOSTS.`
}
