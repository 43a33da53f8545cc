/** The trust policy of this host: its own keys, the witnesses in TLOG_POLICY_FILE, and where its passkeys sign. */
import { isIP } from 'node:net'
import { MalformedPolicy, parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { type Config, ConfigError } from '../../../config.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import type { OpenWatching } from './api.ts'
import { openTileCache } from './tile-cache.ts'

export function openWatching(config: Pick<Config, 'log' | 'authUrl'>, book: LogBook): OpenWatching {
  const written = config.log.policy.trim()
  const logs = book.keys.all.map(({ vkey }) => `log ${vkey}\n`).join('')
  const policyText = `${logs}${passkeyLine(config.authUrl)}${written === '' ? 'quorum none' : written}\n`
  return { book, policyText, policy: readPolicy(policyText), cache: openTileCache() }
}

/** A comment for other programs. At an IP address there are no passkeys. */
function passkeyLine(authUrl: string): string {
  const { hostname, origin } = new URL(authUrl)
  return isIP(hostname) !== 0 || hostname.startsWith('[') ? '' : `#passkeys ${hostname} ${origin}\n`
}

function readPolicy(text: string): TrustPolicy {
  try {
    return parsePolicy(text)
  } catch (error) {
    if (error instanceof MalformedPolicy) throw new ConfigError(`setting TLOG_POLICY_FILE: ${error.message}`)
    throw error
  }
}
