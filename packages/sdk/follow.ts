/** Tells when a decision has changed, from the server's event stream, so that a program that waits need not ask again and again. */
import type { Clock } from './clock.ts'
import { ApiError } from './errors.ts'
import type { Send } from './transport.ts'

/** Rings at each sign of a change until the stream ends. Throws `NoStream` where the server has none. */
export type Follow = (eventId: string, ring: () => void, signal: AbortSignal) => Promise<void>

export class NoStream extends Error {}

const row = { method: 'GET', path: '/api/v1/decision-events/{id}/stream', reply: 'bytes' } as const

/** Signs of a change; `ready` too, because the decision may have changed before the stream was open. */
const signs = /^event: (?:ready|change|reload)$/

export const follow =
  (send: Send, baseUrl: string, apiKey: string): Follow =>
  async (eventId, ring, signal) => {
    const path = row.path.replace('{id}', encodeURIComponent(eventId)).slice(1)
    const url = new URL(path, `${baseUrl.replace(/\/+$/, '')}/`).href
    const { data } = await send({ row, url, headers: {}, signal }, apiKey).catch((error: unknown) => {
      // 404 of a server that is older than the stream, 405 of a proxy, 429 where too many are open.
      throw error instanceof ApiError ? new NoStream('', { cause: error }) : error
    })
    const reader = (data as ReadableStream<Uint8Array>).getReader()
    const decoder = new TextDecoder()
    const leave = () => void reader.cancel().catch(() => {})
    signal.addEventListener('abort', leave, { once: true })
    try {
      let rest = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (signs.test(line)) ring()
      }
    } finally {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

export interface Bell {
  /** Until a sign of a change; without a stream, for as long as the pause. Rejects with the signal's reason. */
  rest(pauseMs: number): Promise<void>
}

/** A stream may break without a sign: a decision is read again after this time anyway. */
const longestLiveMs = 60_000

export function openBell(follow: Follow, eventId: string, clock: Clock, signal: AbortSignal): Bell {
  let [isOpening, isLive, isRung, hasNone] = [false, false, false, false]
  let wake = () => {}
  // Streams that always break are opened no more often than a program without streams would ask.
  let opensAt = 0
  async function listen(): Promise<void> {
    isOpening = true
    const ring = () => {
      isLive = isRung = true
      wake()
    }
    await follow(eventId, ring, signal).catch((error: unknown) => {
      hasNone = error instanceof NoStream
    })
    isOpening = isLive = false
    wake()
  }
  return {
    async rest(pauseMs) {
      signal.throwIfAborted()
      if (!isOpening && !hasNone && clock.now() >= opensAt) {
        opensAt = clock.now() + pauseMs
        void listen()
      }
      if (!isRung) {
        const nap = new AbortController()
        wake = () => nap.abort()
        await clock.sleep(isLive ? longestLiveMs : pauseMs, AbortSignal.any([signal, nap.signal])).catch(() => {
          signal.throwIfAborted()
        })
        wake = () => {}
      }
      isRung = false
    },
  }
}
