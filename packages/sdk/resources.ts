/** The methods of a client, made from its table of operations. */
import { type Answer, type CallOptions, callOf, type Row, type Table } from './call.ts'
import { urlFromEnvironment } from './environment.ts'
import { linesOf } from './lines.ts'
import { pageCall } from './page.ts'
import type { Outgoing } from './transport.ts'

export type Run = (outgoing: Outgoing) => Promise<Answer<unknown>>
type Members = Readonly<Record<string, unknown>>

export function resources(
  table: Table,
  baseUrl: string | undefined,
  run: Run,
): Record<string, Record<string, unknown>> {
  const base = addressOf(baseUrl)
  const methodOf =
    (row: Row) =>
    (...values: unknown[]): unknown => {
      const { path, input, options } = argumentsOf(row, values)
      const send = (given: unknown) => run(outgoing(row, base + path, given, options))
      if (row.reply === 'page') return pageCall((input ?? {}) as Members, send)
      return row.reply === 'lines' ? linesOf(() => send(input)) : callOf(send(input))
    }
  const mapped = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
  return mapped(table, (rows) => mapped(rows, methodOf))
}

function addressOf(given: string | undefined): string {
  const baseUrl = given || urlFromEnvironment()
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (url === null || !/^https?:$/.test(url.protocol) || /\/api\/*$/.test(url.pathname)) {
    throw new TypeError(
      `baseUrl is ${JSON.stringify(baseUrl)}. Use the server's address without /api, such as https://proof.example.`,
    )
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** In this order: the path parameters, then the body or the query if there is one, then the options. */
function argumentsOf(row: Row, values: readonly unknown[]) {
  let used = 0
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = values[used++]
    // An empty part, or one of dots only, would address another operation.
    if (!/[^.]/.test(String(value ?? ''))) throw new TypeError(`${row.method} ${row.path} needs a value for ${name}.`)
    return encodeURIComponent(String(value))
  })
  const input = row.input && values[used++]
  return { path, input, options: (values[used] ?? {}) as CallOptions }
}

/** Chooses the idempotency key, once for all attempts. */
function outgoing(row: Row, url: string, input: unknown, options: CallOptions): Outgoing {
  const { signal, timeoutMs, idempotencyKey, headers } = options
  const key = () => idempotencyKey ?? crypto.randomUUID()
  const fields = row.repeat === 'field' ? { idempotencyKey: key(), ...defined(input) } : (input ?? {})
  return {
    ...{ row, signal, timeoutMs },
    url: row.input === 'query' ? url + queryOf(input) : url,
    headers: {
      ...(row.input === 'body' && { 'content-type': 'application/json' }),
      ...(row.repeat === 'header' && { 'idempotency-key': key() }),
      ...headers,
    },
    ...(row.input === 'body' && { body: JSON.stringify(fields) }),
  }
}

const defined = (input: unknown): object =>
  Object.fromEntries(Object.entries((input ?? {}) as object).filter(([, value]) => value !== undefined))

function queryOf(query: unknown): string {
  const pairs = Object.entries(defined(query)).map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
