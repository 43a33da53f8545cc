/**
 * Calls of the API inside the process. They take the same way as any request: credential, limits, rights, validation,
 * idempotency, audit. So a tool can do what its key can do through the API, and nothing else.
 */
import { Countersign, type CountersignOptions } from '@countersign/sdk'
import type { FastifyInstance, InjectOptions } from 'fastify'

interface Caller {
  readonly apiKey: string
  /** The address of the client: failed credentials count against it. */
  readonly address: string
}

type Fetch = NonNullable<CountersignOptions['fetch']>

function fetchFrom(http: FastifyInstance, remoteAddress: string): Fetch {
  return async (input, init = {}) => {
    init.signal?.throwIfAborted()
    const { pathname, search } = new URL(String(input))
    const { statusCode, headers, rawPayload } = await http.inject({
      method: init.method as NonNullable<InjectOptions['method']>,
      url: pathname + search,
      headers: init.headers as Record<string, string>,
      ...(init.body != null && { payload: init.body as string }),
      remoteAddress,
    })
    return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: headers as Record<string, string>,
    })
  }
}

export function inProcessClient(http: FastifyInstance, { apiKey, address }: Caller): Countersign {
  return new Countersign({
    baseUrl: 'http://in-process.invalid',
    apiKey,
    fetch: fetchFrom(http, address),
    // The tool's client has to wait instead: a request that pauses here would count as in progress.
    maxRetryAfterMs: 0,
  })
}
