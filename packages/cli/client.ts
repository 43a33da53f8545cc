/** Requests to a Countersign server: they retry, wait where the server asks for it, and never follow it elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Speech } from './words.ts'

/** The server is unreachable or its response cannot be checked: exit code 2. */
export class ServiceError extends Error {
  /** The status of the response; null without one. */
  readonly status: number | null
  readonly code: string
  readonly details: Readonly<Record<string, unknown>>
  constructor(message: string, status: number | null = null, { code = '', details = {} }: Partial<Said> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.details = details
  }
}

/** The server reports that its data differs from what it signed. */
export class ChainBroken extends ServiceError {}

const attempts = 6
const longestWait = 300
export const silence = 60_000
const patient = new Set([429, 500, 502, 503, 504])

/** A failure to retry, after the given seconds if the server named them. */
export class Again extends Error {
  readonly after: number | null
  readonly status: number | null
  constructor(message: string, after: number | null, status: number | null) {
    super(message)
    this.after = after
    this.status = status
  }
}

/** What a request sends beside its address. */
export interface Sent {
  readonly method: string
  readonly type?: string
  readonly body?: string
  readonly key?: string
}

export interface Client {
  ask(url: string, signal: AbortSignal, sent?: Sent): Promise<Response>
  /** Waits before the next attempt; throws where there is none. */
  wait(failures: number, error: unknown): Promise<void>
  /** Retries only what can be repeated: reading, and requests with an Idempotency-Key. */
  json<T>(url: string, sent?: Sent): Promise<T>
}

export function openClient(key: string | null, { say }: Speech, note: (line: string) => void): Client {
  async function ask(url: string, signal: AbortSignal, sent?: Sent): Promise<Response> {
    let response: Response
    try {
      const headers = {
        'user-agent': 'countersign-cli',
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(sent?.body !== undefined && { 'content-type': sent.type ?? 'application/json' }),
        ...(sent?.key !== undefined && { 'idempotency-key': sent.key }),
      }
      // Redirects are refused: the API key must not be sent to another address.
      response = await fetch(url, {
        ...{ headers, signal, redirect: 'manual', method: sent?.method ?? 'GET' },
        ...(sent?.body !== undefined && { body: sent.body }),
      })
    } catch (error) {
      throw new Again(say('unreachable', { why: reason(error) }), null, null)
    }
    if (response.ok) return response
    const { status } = response
    const said = await response.text().then(errorIn, () => errorIn(''))
    const { code, message: why } = said
    const message = say('refused', { status: String(status), why: response.headers.get('location') ?? why })
    if (code === 'CHAIN_BROKEN') throw new ChainBroken(message, status)
    if (patient.has(status)) throw new Again(message, retryAfter(response), status)
    throw new ServiceError(message, status, said)
  }

  /** The delay after the n-th consecutive failure. */
  async function wait(failures: number, error: unknown): Promise<void> {
    if (!(error instanceof Again)) throw error
    const { after, status, message } = error
    if (failures >= attempts || (after ?? 0) > longestWait) throw new ServiceError(message, status)
    if (after !== null) note(say('waitsFor', { seconds: after, status: String(status) }))
    await sleep(1000 * (after ?? Math.min(8, 2 ** (failures - 1) / 2)))
  }

  async function json<T>(url: string, sent?: Sent): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        const response = await ask(url, AbortSignal.timeout(silence), sent)
        const text = await response.text().catch((error: unknown) => {
          throw new Again(say('unreachable', { why: reason(error) }), null, null)
        })
        return (text === '' ? null : JSON.parse(text)) as T
      } catch (error) {
        if (error instanceof SyntaxError) throw new ServiceError(say('badAnswer', { why: error.message }))
        if (sent !== undefined && sent.key === undefined && error instanceof Again) {
          throw new ServiceError(error.message, error.status)
        }
        await wait(failures, error)
      }
    }
  }
  return { ask, wait, json }
}

interface Said {
  readonly code: string
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** The cause of `fetch failed` is more specific. */
export function reason(error: unknown): string {
  const { message, cause } = error as Error
  return cause instanceof Error ? `${message} (${cause.message || (cause as NodeJS.ErrnoException).code})` : message
}

/** Members of both error formats. */
function errorIn(text: string): Said {
  try {
    const { code, message, details = {} } = JSON.parse(text).error
    return { code: String(code), message: String(message), details }
  } catch {
    return { code: '', message: text.slice(0, 200), details: {} }
  }
}

/** Seconds, or a date. */
function retryAfter({ headers }: Response): number | null {
  const value = headers.get('retry-after')
  if (value === null) return null
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null
}
