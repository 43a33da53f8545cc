/** Requests to servers behind the gateway: no redirects, no endless streams, and no answer above the limits. */

export class AnswerTooLargeError extends Error {}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

export interface Bounds {
  readonly mostBytes: number
  /** From the request to the last byte of its answer. */
  readonly withinMs: number
}

export function boundedFetch({ mostBytes, withinMs }: Bounds, fetched: Fetch = fetch): Fetch {
  return async (url, init = {}) => {
    // The stream for unasked messages stays open for ever. Lists are read again from time to time instead.
    if ((init.method ?? 'GET') === 'GET') return new Response(null, { status: 405 })
    // The protocol gives up a call without closing its stream, which a server could keep open for ever.
    const late = AbortSignal.timeout(withinMs)
    const signal = init.signal ? AbortSignal.any([init.signal, late]) : late
    // Another host must not get the credential.
    const response = await fetched(url, { ...init, signal, redirect: 'error' })
    const declared = Number(response.headers.get('content-length') ?? 0)
    if (declared > mostBytes) {
      await response.body?.cancel()
      throw new AnswerTooLargeError(`The answer has ${declared} bytes, and the limit is ${mostBytes}.`)
    }
    if (!response.body) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(counted(mostBytes)), { status, statusText, headers })
  }
}

function counted(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (bytes > mostBytes) controller.error(new AnswerTooLargeError(`The answer has more than ${mostBytes} bytes.`))
      else controller.enqueue(chunk)
    },
  })
}
