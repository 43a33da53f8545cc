/** The trust policy of a program. */
import { parsePolicy, type TrustPolicy } from '@countersign/proof'
import { trustFromEnvironment } from './environment.ts'

export function trustOf(trust: TrustPolicy | string | undefined = trustFromEnvironment()): TrustPolicy {
  if (trust === undefined) {
    throw new TypeError("trust isn't set. Pass a trust policy or its text, or set COUNTERSIGN_TRUST_FILE.")
  }
  return typeof trust === 'string' ? parsePolicy(trust) : trust
}
