/** A collector of OpenTelemetry: takes OTLP over HTTP, and reads protobuf by the field numbers of opentelemetry-proto. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly isError: boolean
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Names of metrics with the sum of their points, and for a histogram the sum of its buckets and its count. */
  readonly metrics: Map<string, { readonly values: number[]; readonly buckets: number[]; readonly count: number }>
  readonly headers: Record<string, string>[]
  close(): Promise<void>
}

/** The fields of a message, by number: bytes for length-delimited ones, a Buffer of 8 or 4 bytes for fixed ones. */
function fieldsOf(message: Buffer): Map<number, (Buffer | number)[]> {
  const fields = new Map<number, (Buffer | number)[]>()
  let at = 0
  const varint = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = message[at++] as number
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }
  const take = (bytes: number): Buffer => {
    at += bytes
    return message.subarray(at - bytes, at)
  }
  while (at < message.length) {
    const tag = varint()
    const kind = tag & 7
    const value = kind === 0 ? varint() : take(kind === 2 ? varint() : kind === 1 ? 8 : 4)
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value])
  }
  return fields
}

const messages = (message: Buffer, ...path: number[]): Buffer[] =>
  path.reduce<Buffer[]>(
    (found, field) => found.flatMap((each) => (fieldsOf(each).get(field) ?? []) as Buffer[]),
    [message],
  )
const text = (message: Buffer, field: number): string => (messages(message, field)[0] ?? '').toString()
const hex = (message: Buffer, field: number): string => messages(message, field)[0]?.toString('hex') ?? ''
/** The value of an attribute: text, or a whole number. */
const anyValue = (message: Buffer): string => text(message, 1) || String(fieldsOf(message).get(3)?.[0] ?? '')

const spanOf = (span: Buffer): CollectedSpan => ({
  traceId: hex(span, 1),
  spanId: hex(span, 2),
  parentSpanId: hex(span, 4),
  name: text(span, 5),
  attributes: Object.fromEntries(
    messages(span, 9).map((pair) => [text(pair, 1), anyValue(messages(pair, 2)[0] as Buffer)]),
  ),
  isError: messages(span, 15).some((status) => fieldsOf(status).get(3)?.[0] === 2),
})

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const metrics: Collector['metrics'] = new Map()
  const headers: Record<string, string>[] = []

  function readMetric(metric: Buffer): void {
    const points = [...messages(metric, 5, 1), ...messages(metric, 7, 1)]
    const histograms = messages(metric, 9, 1)
    metrics.set(text(metric, 1), {
      values: points.map((point) => messages(point, 4)[0]?.readDoubleLE() ?? 0),
      buckets: histograms.flatMap((point) =>
        messages(point, 6).flatMap((packed) =>
          Array.from({ length: packed.length / 8 }, (_, index) => Number(packed.readBigUInt64LE(index * 8))),
        ),
      ),
      count: histograms.reduce((sum, point) => sum + Number(messages(point, 4)[0]?.readBigUInt64LE() ?? 0n), 0),
    })
  }

  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    headers.push(request.headers as Record<string, string>)
    if (request.url === '/v1/traces') spans.push(...messages(body, 1, 2, 2).map(spanOf))
    else if (request.url === '/v1/metrics') messages(body, 1, 2, 2).forEach(readMetric)
    response.writeHead(request.url?.startsWith('/v1/') ? 200 : 404, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, metrics, headers, close }
}
