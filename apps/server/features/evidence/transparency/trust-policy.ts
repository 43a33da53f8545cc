/** The trust policy of this host: its own keys, and the witnesses in TLOG_POLICY_FILE. */
import { MalformedPolicy, parsePolicy, type TrustPolicy } from '@countersign/proof/trust-policy.ts'
import { type Config, ConfigError } from '../../../config.ts'
import type { LogBook } from '../../../sealing/trees.ts'
import type { OpenWatching } from './api.ts'
import { openTileCache } from './tile-cache.ts'

export function openWatching(config: Pick<Config, 'log'>, book: LogBook): OpenWatching {
  const written = config.log.policy.trim()
  const logs = book.keys.all.map(({ vkey }) => `log ${vkey}\n`).join('')
  const policyText = `${logs}${written === '' ? 'quorum none' : written}\n`
  return { book, policyText, policy: readPolicy(policyText), cache: openTileCache() }
}

function readPolicy(text: string): TrustPolicy {
  try {
    return parsePolicy(text)
  } catch (error) {
    if (error instanceof MalformedPolicy) throw new ConfigError(`setting TLOG_POLICY_FILE: ${error.message}`)
    throw error
  }
}
