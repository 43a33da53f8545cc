/** What a call of the API is: the row that describes it, its options, and its result. */

/** One operation, as the generated tables list it. */
export interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly reply: 'data' | 'page' | 'bare' | 'lines' | 'text' | 'bytes' | 'none'
  /** Where the argument after the path parameters goes. */
  readonly input?: 'body' | 'query'
  /**
   * What makes a write safe to retry: the `Idempotency-Key` header, the body's `idempotencyKey` field, or the body itself. A
   * write without it isn't retried when its outcome is unknown.
   */
  readonly repeat?: 'header' | 'field' | 'same'
  /** No credential is needed, and none is sent. */
  readonly open?: true
  /** The response contains session tokens. */
  readonly session?: true
}

export type Table = Readonly<Record<string, Readonly<Record<string, Row>>>>

export interface CallOptions {
  /** Cancels the call, even while it's waiting to retry. */
  readonly signal?: AbortSignal | undefined
  /** Use the same key for every retry of one action, and a different key for every other action. By default, each write gets a random key. */
  readonly idempotencyKey?: string | undefined
  /** The timeout for one attempt, in milliseconds. */
  readonly timeoutMs?: number | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface Answer<T> {
  readonly data: T
  readonly status: number
  readonly headers: Headers
  /** Quote it in a support request. */
  readonly requestId: string | null
  /** How many attempts were made. */
  readonly attempts: number
  /** The raw body; empty for a stream. */
  readonly text: string
}

/** Resolves to the payload, without its envelope. */
export interface Call<T> extends Promise<T> {
  /** The payload with its status, headers, request ID and raw text. */
  withResponse(): Promise<Answer<T>>
}

/** As the server sends it; the Proof API paginates by `offset`, the platform API by `page`. */
export interface Pagination {
  readonly total: number
  readonly limit: number
  readonly hasMore: boolean
  readonly offset?: number
  readonly page?: number
  readonly totalPages?: number
  readonly nextCursor?: string | null
}

export interface Page<T, Counts = undefined> {
  readonly data: readonly T[]
  readonly pagination: Pagination
  /** Totals for the whole list, if the endpoint returns them. */
  readonly counts: Counts
  /** Loads the next page; null after the last one. */
  next(): PageCall<T, Counts> | null
}

/** Resolves to one page, or iterates over the items of this page and all later ones. */
export interface PageCall<T, Counts = undefined> extends Call<Page<T, Counts>>, AsyncIterable<T> {}

/** The request is on its way when this returns. */
export function callOf<T>(answer: Promise<Answer<T>>): Call<T> {
  const data = answer.then((each) => each.data)
  return Object.assign(data, {
    withResponse() {
      // The caller handles the failure of `answer`; `data` is not awaited then.
      data.catch(() => {})
      return answer
    },
  })
}
