/** Looks for TXT records. A name server that gives no answer is an error, and never means that a record is absent. */
import { Resolver } from 'node:dns/promises'
import { isNone } from './resolver.ts'

export type TxtLookup = { readonly found: 'error' } | { readonly found: 'answer'; readonly values: readonly string[] }

export interface TxtRecords {
  at(name: string): Promise<TxtLookup>
  close(): void
}

const timeoutMs = 1500

export function openTxtRecords(servers: readonly string[]): TxtRecords {
  const resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  return {
    async at(name) {
      try {
        // A long value is in several strings.
        return { found: 'answer', values: (await resolver.resolveTxt(name)).map((strings) => strings.join('')) }
      } catch (error) {
        return isNone(error) ? { found: 'answer', values: [] } : { found: 'error' }
      }
    },
    close: () => resolver.cancel(),
  }
}
