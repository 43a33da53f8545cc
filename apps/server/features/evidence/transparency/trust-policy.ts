/** The trust policy of this host: its own keys, the witnesses in TLOG_POLICY_FILE, and where its passkeys sign. */
import { isIP } from 'node:net'
import { MalformedPolicy, parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { type Config, ConfigError } from '../../../config/config.ts'
import type { LogKey } from '../../../sealing/log-keys.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import type { OpenWatching } from './api.ts'
import { openTileCache } from './tile-cache.ts'

export function openWatching(config: Pick<Config, 'log' | 'authUrl'>, book: LogBook): OpenWatching {
  const written = config.log.policy.trim()
  const rest = `${passkeyLine(config.authUrl)}${written === '' ? 'quorum none' : written}\n`
  const read = () => {
    const keys = book.keys.all
    const policyText = `${keys.map(keyLine).join('')}${rest}`
    return { keys, policyText, policy: readPolicy(policyText) }
  }
  let now = read()
  const current = () => {
    // The keys change while the process runs.
    if (now.keys !== book.keys.all) now = read()
    return now
  }
  return {
    book,
    cache: openTileCache(),
    get policyText() {
      return current().policyText
    },
    get policy() {
      return current().policy
    },
  }
}

/** A stolen key is named for verifiers that know it, in a line that the others take for a comment and so do not believe. */
const keyLine = ({ vkey, stolenAt }: LogKey): string =>
  stolenAt === null ? `log ${vkey}\n` : `#stolen ${vkey} ${stolenAt}\n`

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
