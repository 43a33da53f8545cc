/**
 * Looks up the addresses of a name.
 *
 * Not `dns.lookup`: getaddrinfo blocks one of libuv's four threads for as long as a name server is silent, so four
 * names of one customer would stop every lookup, file access and password hash of the process. `Resolver` asks the name
 * servers over the event loop. It ignores /etc/hosts, search domains and mDNS, which is right for names that have to be
 * public.
 */
import { Resolver } from 'node:dns/promises'

export interface AddressResolver {
  /** At least one address, IPv4 first; rejects with the error of the name server. */
  addressesOf(name: string): Promise<readonly string[]>
  close(): void
}

export function openResolver(options: {
  /** As `address` or `address:port`; empty means those of the system. */
  readonly servers: readonly string[]
  readonly timeoutMs: number
}): AddressResolver {
  // Three tries of a fifth each: one lost packet costs little, and time is left to connect. `maxTimeout` keeps a
  // later try from waiting longer than the first.
  const timeout = Math.ceil(options.timeoutMs / 5)
  const resolver = new Resolver({ timeout, maxTimeout: timeout, tries: 3 })
  if (options.servers.length > 0) resolver.setServers(options.servers)
  /** An endpoint's first deliveries open all its connections at once; they share one lookup. */
  const underWay = new Map<string, Promise<readonly string[]>>()

  async function lookUp(name: string): Promise<readonly string[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [...(four.status === 'fulfilled' ? four.value : []), ...(six.status === 'fulfilled' ? six.value : [])]
    if (found.length > 0) return found
    // "No name server answered" for one family outweighs "no address" for the other: an address may exist.
    const reasons = [four, six].map((each) => (each.status === 'rejected' ? each.reason : null))
    throw reasons.find((reason) => reason && !isNone(reason)) ?? reasons.find(Boolean) ?? new Error('no address')
  }

  return {
    addressesOf(name) {
      const known = underWay.get(name)
      if (known) return known
      const answer = lookUp(name).finally(() => underWay.delete(name))
      underWay.set(name, answer)
      return answer
    },
    close: () => resolver.cancel(),
  }
}

/** Whether the name server answered that there is no such name or no address. */
export const isNone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTFOUND' || error.code === 'ENODATA')
