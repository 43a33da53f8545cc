/**
 * Which addresses a delivery may reach. A customer chooses the URL, so without this check a customer could make the
 * service send requests into its own network (SSRF).
 *
 * Only globally routable unicast passes. Forms of IPv6 that carry an IPv4 address (6to4, Teredo, NAT64, ISATAP,
 * IPv4-compatible) are refused as a whole: where they lead depends on a gateway that we cannot see. A NAT64 prefix of
 * an operator's own looks like any other public address and cannot be detected.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressGuard {
  allows(ip: string): boolean
  /** What is wrong with the URL and what to do about it, or null. Asks no name server: see guarded-connect.ts. */
  refusalOfUrl(url: string): string | null
  /** The same for a host in its canonical form. `useSecure` is the advice for a protocol without encryption. */
  refusalOfHost(host: string, isSecure: boolean, useSecure: string): string | null
}

type Address = ReturnType<typeof ipaddr.process>
type Network = readonly [Address, number]

const maxUrlLength = 2048
/** All allocated global unicast space. Unallocated space may be routed inside a private network. */
const allocatedIpv6: Network = [ipaddr.parse('2000::'), 3]
/** Reachable from every virtual machine of Azure, and public by its number. */
const azureHostAddress = '168.63.129.16'
/** Never public, whatever a resolver answers: RFC 6761, 6762, 8375, and ICANN's reservation of `internal`. */
const localDomains = ['localhost', 'localdomain', 'local', 'internal', 'home.arpa']

const useHttps = "The URL doesn't use HTTPS. Use https:// instead of http://."
const usePublic =
  'Use a public host such as hooks.example.com, or ask the operator to allow private addresses for development.'

export function addressGuard(allowedNetworks: readonly string[]): AddressGuard {
  const networks = allowedNetworks.map(parseNetwork)
  const isListed = (address: Address) => networks.some((network) => isInside(address, network))

  const allows = (ip: string) => {
    const address = parse(ip)
    return address !== null && (isListed(address) || isPublic(address))
  }

  const refusalOfUrl = (text: string) => {
    const url = readUrl(text)
    if (typeof url === 'string') return url
    return refusalOfHost(hostOf(url), url.protocol === 'https:', useHttps)
  }

  const refusalOfHost = (host: string, isSecure: boolean, useSecure: string) => {
    const literal = parse(host)
    if (literal === null) return refusalOfName(host) ?? (isSecure ? null : useSecure)
    if (isListed(literal)) return null
    if (!isPublic(literal)) {
      return `The host is in a private or reserved network. ${usePublic}`
    }
    return isSecure ? null : useSecure
  }

  return { allows, refusalOfUrl, refusalOfHost }
}

/** Without the brackets of IPv6 and the dot at the end that means "absolute". */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

function parseNetwork(text: string): Network {
  let network: [Address, number]
  try {
    network = ipaddr.parseCIDR(text)
  } catch {
    throw new Error(`"${text}" is not a network. Write it as address/bits, for example 10.1.0.0/16.`)
  }
  const [address, bits] = network
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? [address.toIPv4Address(), bits - 96]
    : network
}

/**
 * An IPv4 address that is written as IPv6 becomes IPv4 again. A zone (fe80::1%eth0) names a link, never the internet.
 * IPv6 passes through the URL parser first: ipaddr.js takes the dotted ::10.0.0.1 for the mapped ::ffff:10.0.0.1.
 */
function parse(ip: string): Address | null {
  const family = ip.includes('%') ? 0 : isIP(ip)
  if (family === 0) return null
  return ipaddr.process(family === 4 ? ip : new URL(`https://[${ip}]`).hostname.slice(1, -1))
}

const isInside = (address: Address, network: Network): boolean =>
  address.kind() === network[0].kind() && address.match(network[0], network[1])

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  if (address instanceof ipaddr.IPv6) return isInside(address, allocatedIpv6) && !isIsatap(address)
  return address.toString() !== azureHostAddress
}

const isIsatap = ({ parts }: ipaddr.IPv6): boolean => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)

/**
 * The URL standard is lenient: it drops line breaks, turns backslashes into slashes and adds missing slashes. A stricter
 * parser may read the stored URL as another host, so only URLs that every parser reads alike are accepted.
 */
function readUrl(text: string): URL | string {
  if (text.length > maxUrlLength) return `The URL is longer than ${maxUrlLength} characters. Use a shorter one.`
  if (/[\s\\\p{Cc}]/u.test(text)) {
    return 'The URL contains a space, a line break or a backslash. Remove it or percent-encode it.'
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1]
  if (authority === undefined) return "The URL isn't complete. Send one that starts with https://."
  if (authority.includes('@')) return 'The URL contains a user name or password. Remove everything up to the "@".'
  if (text.includes('#')) return 'The URL contains a fragment. Remove the "#" and everything after it.'
  const url = URL.parse(text)
  if (url === null) return "This isn't a valid URL. Check the host name and the port."
  if (url.port === '0') return "Port 0 can't be reached. Leave out the port, or send the one your server listens on."
  if (url.href.length > maxUrlLength) return `The URL is longer than ${maxUrlLength} characters. Use a shorter one.`
  return url
}

function refusalOfName(host: string): string | null {
  if (host.length > 253 || !host.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) {
    return "The host isn't a valid name. Check its spelling."
  }
  if (!host.includes('.') || localDomains.some((domain) => host === domain || host.endsWith(`.${domain}`))) {
    return `The host is a local name. ${usePublic}`
  }
  return null
}
