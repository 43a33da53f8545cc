/** Sends one request in up to four attempts, and reads the responses of both surfaces. */
import type { Answer, Row } from './call.ts'
import { type Clock, systemClock } from './clock.ts'
import { type ApiError, apiError, ConnectionError, TimeoutError, UnreadableAnswerError } from './errors.ts'
import { retryAfterMs, waitAfterLoss, waitAfterStatus } from './retry.ts'

export interface ClientOptions {
  /** The server's address without `/api`, such as `https://proof.example`; by default, `COUNTERSIGN_URL`. */
  readonly baseUrl?: string
  /** The timeout for one attempt, in milliseconds; 30 seconds by default. */
  readonly timeoutMs?: number
  /** The longest `Retry-After` to wait for, 60 seconds by default; a call that would have to wait longer fails right away. */
  readonly maxRetryAfterMs?: number
  readonly fetch?: typeof fetch
  readonly clock?: Clock
}

/** A request that all its attempts send in the same form. */
export interface Outgoing {
  readonly row: Row
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

export type Send = (outgoing: Outgoing, token: string | null) => Promise<Answer<unknown>>

interface Received {
  readonly response: Response
  /** Null for a stream, which the caller reads. */
  readonly text: string | null
}

export function transport(options: ClientOptions): Send {
  const { timeoutMs = 30_000, maxRetryAfterMs = 60_000, clock = systemClock } = options
  const send = options.fetch ?? fetch

  async function attempt(outgoing: Outgoing, token: string | null): Promise<Received> {
    const cancel = new AbortController()
    const limit = outgoing.timeoutMs ?? timeoutMs
    const timer = new AbortController()
    clock.sleep(limit, timer.signal).then(
      () => cancel.abort(timedOut),
      () => {},
    )
    const { row, url, headers, body, signal } = outgoing
    try {
      const response = await send(url, {
        method: row.method,
        headers: { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) },
        ...(body !== undefined && { body }),
        signal: signal ? AbortSignal.any([signal, cancel.signal]) : cancel.signal,
        // A redirect would turn a POST into a GET.
        redirect: 'error',
        // Only the credential of this client counts, never a cookie of the page.
        credentials: 'omit',
      })
      return { response, text: streams.has(row.reply) && response.ok ? null : await response.text() }
    } catch (error) {
      throw cancel.signal.aborted ? timedOut : error
    } finally {
      timer.abort()
    }
  }

  /** Without a response, only requests that the server executes once, even if they arrive twice, are sent again. */
  const isHarmless = ({ row }: Outgoing): boolean => row.method === 'GET' || row.repeat !== undefined

  return async (outgoing, token) => {
    const { signal, row } = outgoing
    for (let attempts = 1; ; attempts++) {
      signal?.throwIfAborted()
      let failure: Error
      let wait: number | null
      try {
        const received = await attempt(outgoing, token)
        if (received.response.ok) return answerOf(received, row, attempts)
        const refusal = refusalOf(received, outgoing.url, attempts, clock.now())
        failure = refusal
        wait = waitAfterStatus(refusal.status, attempts, refusal.retryAfterMs, maxRetryAfterMs)
      } catch (error) {
        if (error instanceof UnreadableAnswerError) throw error
        signal?.throwIfAborted()
        failure = lossOf(error, outgoing, attempts)
        wait = waitAfterLoss(attempts, isHarmless(outgoing))
      }
      if (wait === null) throw failure
      await clock.sleep(wait, signal)
    }
  }
}

const streams: ReadonlySet<Row['reply']> = new Set(['lines', 'bytes'])

const timedOut = new Error('time-out')

function lossOf(error: unknown, { row, url }: Outgoing, attempts: number): ConnectionError {
  const where = `${row.method} ${url}`
  if (error === timedOut) return new TimeoutError(`${where} timed out before the response was complete.`, attempts)
  const { message, cause } = error as Error & { cause?: { message?: string } }
  return new ConnectionError(`${where} got no complete response: ${cause?.message ?? message}`, attempts, error)
}

function answerOf({ response, text }: Received, row: Row, attempts: number): Answer<unknown> {
  const { status, headers } = response
  const answer = { status, headers, requestId: headers.get('x-request-id'), attempts, text: text ?? '' }
  if (text === null) return { ...answer, data: response.body }
  if (row.reply === 'none') return { ...answer, data: undefined }
  if (row.reply === 'text') return { ...answer, data: text }
  const body = parsed(text)
  if (body === undefined || (row.reply !== 'bare' && !isObject(body))) {
    throw new UnreadableAnswerError(
      `${row.method} ${row.path} returned ${status} without JSON. Check that baseUrl is your Countersign server's address.`,
    )
  }
  return { ...answer, data: row.reply === 'data' ? (body as { data: unknown }).data : body }
}

function refusalOf({ response, text }: Received, url: string, attempts: number, now: number): ApiError {
  const { status, headers } = response
  const body = parsed(text ?? '')
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null)
  return apiError({
    status,
    code: textOf(error.code) ?? `HTTP_${status}`,
    message: textOf(error.message) ?? `The server returned ${status}.`,
    requestId: textOf(error.requestId) ?? headers.get('x-request-id'),
    details: isObject(error.details) ? error.details : {},
    retryAfterMs: retryAfterMs(headers.get('retry-after'), now),
    docsUrl: helpOf(headers.get('link'), url),
    attempts,
  })
}

/** The target of `Link: <…>; rel="help"`, which the server gives relative to itself. */
function helpOf(link: string | null, url: string): string | null {
  const [, target] = /<([^>]*)>; rel="help"/.exec(link ?? '') ?? []
  return target !== undefined && URL.canParse(target, url) ? new URL(target, url).href : null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Undefined when it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
