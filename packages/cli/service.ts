/** The client of a Countersign server: it retries, and validates every response. */
import { setTimeout as sleep } from 'node:timers/promises'
import { entryOf, linesOf, type ValuedEntry, valuedEntryOf } from './entry-lines.ts'
import type { Speech } from './words.ts'

/** The server is unreachable or its response cannot be checked: exit code 2. */
export class ServiceError extends Error {
  /** The status of the response; null without one. */
  readonly status: number | null
  constructor(message: string, status: number | null = null) {
    super(message)
    this.status = status
  }
}

/** The server reports that its data differs from what it signed. */
export class ChainBroken extends ServiceError {}

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

const attempts = 6
const longestWait = 300
const silence = 60_000
const patient = new Set([429, 500, 502, 503, 504])

/** A key that is bound to one actor, and a server that knows no values. */
const unshown = new Set<number | null>([400, 403, 422])

/** A failure to retry, after the given seconds if the server named them. */
class Again extends Error {
  readonly after: number | null
  readonly status: number | null
  constructor(message: string, after: number | null, status: number | null) {
    super(message)
    this.after = after
    this.status = status
  }
}

export function openService(baseUrl: string, key: string, { say }: Speech, note: (line: string) => void): Service {
  async function ask(url: string, signal: AbortSignal): Promise<Response> {
    let response: Response
    try {
      const headers = { authorization: `Bearer ${key}`, 'user-agent': 'countersign-cli' }
      // Redirects are refused: the API key must not be sent to another address.
      response = await fetch(url, { headers, signal, redirect: 'manual' })
    } catch (error) {
      throw new Again(say('unreachable', { why: reason(error) }), null, null)
    }
    if (response.ok) return response
    const { status } = response
    const { code, message: why } = await response.text().then(errorIn, () => errorIn(''))
    const message = say('refused', { status: String(status), why: response.headers.get('location') ?? why })
    if (code === 'CHAIN_BROKEN') throw new ChainBroken(message, status)
    if (patient.has(status)) throw new Again(message, retryAfter(response), status)
    throw new ServiceError(message, status)
  }

  /** The delay after the n-th consecutive failure. */
  async function wait(failures: number, error: unknown): Promise<void> {
    if (!(error instanceof Again)) throw error
    const { after, status, message } = error
    if (failures >= attempts || (after ?? 0) > longestWait) throw new ServiceError(message, status)
    if (after !== null) note(say('waitsFor', { seconds: after, status: String(status) }))
    await sleep(1000 * (after ?? Math.min(8, 2 ** (failures - 1) / 2)))
  }

  async function json<T>(url: string): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        const response = await ask(url, AbortSignal.timeout(silence))
        const text = await response.text().catch((error: unknown) => {
          throw new Again(say('unreachable', { why: reason(error) }), null, null)
        })
        return JSON.parse(text) as T
      } catch (error) {
        if (error instanceof SyntaxError) throw new ServiceError(say('badAnswer', { why: error.message }))
        await wait(failures, error)
      }
    }
  }
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

/** The cause of `fetch failed` is more specific. */
function reason(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message || (cause as NodeJS.ErrnoException).code})` : message
}

/** Members of both error formats. */
function errorIn(text: string): { code: string; message: string } {
  try {
    const { code, message } = JSON.parse(text).error
    return { code: String(code), message: String(message) }
  } catch {
    return { code: '', message: text.slice(0, 200) }
  }
}

/** Seconds, or a date. */
function retryAfter({ headers }: Response): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
