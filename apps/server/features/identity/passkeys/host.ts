/**
 * The host that passkeys belong to: that of AUTH_URL. WebAuthn accepts no IP address, and a passkey works at one host for
 * life, so the host is stored at the first start and a start with another one is refused.
 */
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../../../config/config.ts'
import type { Directory } from '../../../data/directory.ts'
import { Problem } from '../../../lib/problem.ts'
import { storedRpId, storeRpId } from './queries.ts'

/** Both throw 409 where there are no passkeys. */
export interface PasskeyHost {
  /** The host name, without port. */
  readonly rpId: string
  /** The only origin whose pages may ask for a passkey. */
  readonly origin: string
}

export function passkeyHost({ authUrl }: Pick<Config, 'authUrl'>): PasskeyHost {
  const { hostname, origin } = new URL(authUrl)
  const having = (value: string): string => {
    if (isAddress(hostname)) {
      throw new Problem(
        'CONFLICT',
        "This server's address is an IP address, and passkeys need a host name. Ask the operator to set one up.",
        { details: { reason: 'noHostName' } },
      )
    }
    return value
  }
  return {
    get rpId() {
      return having(hostname)
    },
    get origin() {
      return having(origin)
    },
  }
}

const isAddress = (hostname: string): boolean => isIP(hostname) !== 0 || hostname.startsWith('[')

const caller = { requestId: 'passkey-host', actorId: null, centerId: 0 }

/** At start: stores the host, or compares it with the stored one. */
export async function requirePasskeyHost(
  { authUrl }: Pick<Config, 'authUrl'>,
  directory: Directory,
  log: Logger,
): Promise<void> {
  const { hostname } = new URL(authUrl)
  const off = isAddress(hostname)
  const stored = await directory.identity(caller, async (tx) => {
    if (!off) await storeRpId(tx, hostname)
    return storedRpId(tx)
  })
  if (stored !== undefined && stored !== hostname) {
    throw new ConfigError(
      `setting AUTH_URL: the passkeys of this installation belong to the host "${stored}" and do not work at "${hostname}". Start with an AUTH_URL at that host.`,
    )
  }
  if (off) log.warn({ hostname }, 'there are no passkeys: the host of AUTH_URL is an IP address, not a name')
}
