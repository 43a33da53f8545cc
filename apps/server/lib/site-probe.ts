/**
 * What the internet sees at a domain that a customer says leads here: the addresses in the DNS, and the certificate that a
 * browser would be shown. The connection goes through the guard for outgoing connections, and sends no request.
 */
import { Resolver } from 'node:dns/promises'
import type { TLSSocket } from 'node:tls'
import { addressGuard } from './address-guard.ts'
import { nowMs } from './clock.ts'
import { guardedConnect, OutboundFailure } from './guarded-connect.ts'
import { isNone, openResolver } from './resolver.ts'

export type AddressState = 'right' | 'elsewhere' | 'absent' | 'private' | 'error'
export type CertificateState =
  | 'valid'
  | 'expiring'
  | 'expired'
  | 'wrongName'
  | 'untrusted'
  | 'none'
  | 'unreachable'
  | 'unchecked'

export interface SiteFinding {
  /** `found`: the name that the domain is an alias of, or its addresses. */
  readonly address: { readonly state: AddressState; readonly found: string[] }
  /** The issuer's name, and an end in ISO 8601, of a certificate that holds. */
  readonly certificate: {
    readonly state: CertificateState
    readonly issuer: string | null
    readonly validUntil: string | null
  }
}

export interface SiteProbe {
  /** Where domains have to lead. */
  readonly target: string
  at(domain: string): Promise<SiteFinding>
  close(): void
}

interface ProbeOptions {
  readonly allowedNetworks: readonly string[]
  /** Empty means the system's. */
  readonly dnsServers: readonly string[]
  readonly target: string
  /** Trusted instead of the well-known authorities, in PEM. For tests. */
  readonly ca?: string | undefined
}

const timeoutMs = 5000
const mostShown = 6
const expiringMs = 14 * 86_400_000

const nothing = (state: CertificateState): SiteFinding['certificate'] => ({ state, issuer: null, validUntil: null })

const refusals: Readonly<Record<string, CertificateState>> = {
  CERT_HAS_EXPIRED: 'expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrongName',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted',
  CERT_NOT_YET_VALID: 'untrusted',
}

/** A handshake that fails for another reason than its certificate had none to show. */
function refusalOf(error: unknown): CertificateState {
  if (!(error instanceof OutboundFailure) || error.kind !== 'tls') return 'unreachable'
  const code = (error.cause as { readonly code?: unknown } | undefined)?.code
  return refusals[String(code)] ?? 'none'
}

export function openSiteProbe({ allowedNetworks, dnsServers, target, ca }: ProbeOptions): SiteProbe {
  const guard = addressGuard(allowedNetworks)
  const resolver = openResolver({ servers: dnsServers, timeoutMs })
  const names = new Resolver({ timeout: 1500, maxTimeout: 1500, tries: 2 })
  if (dnsServers.length > 0) names.setServers([...dnsServers])

  const addressesOf = async (name: string): Promise<string[] | 'absent' | 'error'> => {
    try {
      return [...(await resolver.addressesOf(name))]
    } catch (error) {
      return isNone(error) ? 'absent' : 'error'
    }
  }

  const aliasOf = async (name: string): Promise<string[]> => {
    try {
      return (await names.resolveCname(name)).slice(0, 1)
    } catch {
      return []
    }
  }

  async function addressAt(domain: string): Promise<SiteFinding['address']> {
    const [own, wanted, alias] = await Promise.all([addressesOf(domain), addressesOf(target), aliasOf(domain)])
    if (typeof own === 'string') return { state: own, found: alias }
    const found = alias.length > 0 ? alias : own.slice(0, mostShown)
    // Aliases are compared by where they end: an apex has addresses in place of an alias.
    if (typeof wanted !== 'string' && own.every((each) => wanted.includes(each))) return { state: 'right', found }
    if (!own.every(guard.allows)) return { state: 'private', found }
    return { state: typeof wanted === 'string' ? 'error' : 'elsewhere', found }
  }

  async function certificateAt(domain: string): Promise<SiteFinding['certificate']> {
    const stop = AbortSignal.timeout(timeoutMs)
    const connecting = { guard, resolver, ca, timeoutMs }
    try {
      const socket = (await guardedConnect(
        { protocol: 'https:', hostname: domain, port: 443 },
        connecting,
        stop,
      )) as TLSSocket
      socket.on('error', () => {})
      const { issuer, valid_to } = socket.getPeerCertificate()
      socket.destroy()
      const validUntil = new Date(valid_to)
      const name = issuer.O ?? issuer.CN ?? ''
      return {
        state: validUntil.getTime() - nowMs() < expiringMs ? 'expiring' : 'valid',
        issuer: (Array.isArray(name) ? name.join(', ') : name).slice(0, 200) || null,
        validUntil: validUntil.toISOString(),
      }
    } catch (error) {
      return nothing(refusalOf(error))
    }
  }

  return {
    target,
    async at(domain) {
      const address = await addressAt(domain)
      const isThere = address.state === 'right' || address.state === 'elsewhere'
      return { address, certificate: isThere ? await certificateAt(domain) : nothing('unchecked') }
    },
    close() {
      resolver.close()
      names.cancel()
    },
  }
}
