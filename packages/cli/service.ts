/** The logs of a Countersign server, as an audit reads them. */
import { Again, ChainBroken, openClient, reason, ServiceError, silence } from './client.ts'
import { entryOf, linesOf, type ValuedEntry, valuedEntryOf } from './entry-lines.ts'
import type { Speech } from './words.ts'

export { ChainBroken, ServiceError }

export interface LogDocument {
  readonly logHost: string
  readonly keys: readonly { vkey: string; from: string; endorsement: string | null }[]
}

export interface Service {
  readonly baseUrl: string
  /** Null where the server has none. */
  logDocument(): Promise<LogDocument | null>
  /** The signed note; null for an empty chain. */
  checkpoint(domain: string): Promise<{ log: string; checkpoint: string | null }>
  inclusionProof(domain: string, index: number, size: number): Promise<readonly string[]>
  consistencyProof(domain: string, from: number, to: number): Promise<readonly string[]>
  /** Declared losses of the chain. A server that knows none of them says so by 404. */
  declarations(domain: string): Promise<readonly unknown[]>
  /**
   * From the first entry on, in chunks as they arrive; resumes after a lost connection. With values where the server shows
   * them to this key.
   */
  entries(domain: string, withValues?: boolean): AsyncGenerator<readonly ValuedEntry[]>
}

/** A key that is bound to one actor, and a server that knows no values. */
const unshown = new Set<number | null>([400, 403, 422])

export function openService(
  baseUrl: string,
  key: string,
  { say, language }: Speech,
  note: (line: string) => void,
): Service {
  const { ask, wait, json } = openClient(key, { say, language }, note)
  const data = async <T>(path: string) => {
    const answer = await json<{ data?: T }>(`${baseUrl}/api/v1/chains/${path}`)
    if (!answer?.data) throw new ServiceError(say('badAnswer', { why: path }))
    return answer.data
  }

  async function* entries(domain: string, withValues = false): AsyncGenerator<readonly ValuedEntry[]> {
    let next = 0
    let valued = withValues
    for (let failures = 0; ; ) {
      const first = next
      const breaker = new AbortController()
      const watch = setTimeout(() => breaker.abort(new Error('silence')), silence)
      try {
        const url = `${baseUrl}/api/v1/chains/${domain}/entries?from=${next}${valued ? '&values=true' : ''}`
        const response = await ask(url, breaker.signal)
        for await (const lines of linesOf(response.body as AsyncIterable<Uint8Array>)) {
          watch.refresh()
          yield lines.map(valued ? valuedEntryOf : entryOf)
          next += lines.length
          failures = 0
        }
        // A proxy may cut a response without an error: only a response without entries is the end.
        if (next === first) return
      } catch (error) {
        if (valued && error instanceof ServiceError && unshown.has(error.status)) {
          valued = false
          continue
        }
        if (error instanceof ServiceError) throw error
        failures++
        const again = error instanceof Again ? error : new Again(say('unreachable', { why: reason(error) }), null, null)
        if (!(error instanceof Again)) note(say('resumed', { index: next }))
        await wait(failures, again)
      } finally {
        clearTimeout(watch)
        breaker.abort()
      }
    }
  }

  return {
    baseUrl,
    async logDocument() {
      try {
        return await json<LogDocument>(`${new URL(baseUrl).origin}/.well-known/countersign-log.json`)
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) return null
        throw error
      }
    },
    checkpoint: (domain) => data(`${domain}/checkpoint`),
    inclusionProof: async (domain, index, size) =>
      (await data<{ inclusionProof: string[] }>(`${domain}/proofs/${index}?size=${size}`)).inclusionProof,
    consistencyProof: async (domain, from, to) =>
      (await data<{ consistencyProof: string[] }>(`${domain}/consistency?from=${from}&to=${to}`)).consistencyProof,
    async declarations(domain) {
      try {
        const { generations } = await data<{ generations: { declaration: unknown }[] }>(`${domain}/generations`)
        return generations.map(({ declaration }) => declaration)
      } catch (error) {
        if (error instanceof ServiceError && error.status === 404) return []
        throw error
      }
    },
    entries,
  }
}
