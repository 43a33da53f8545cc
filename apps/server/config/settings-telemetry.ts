/** The standard variables of OpenTelemetry that the server reads. */
import { address, choice, integer, list, matching } from './setting-kinds.ts'

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

/** Names and values are percent-encoded, as in the header `baggage`. */
const isPair = (text: string): boolean => /^[^=\s]+=[^\s]*$/.test(text) && !/%(?![0-9A-Fa-f]{2})/.test(text)
const isRatio = (text: string): boolean => /^(0(\.\d{1,6})?|1(\.0{1,6})?)$/.test(text)

export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address({
    unset: 'no telemetry is sent',
    doc: 'An OpenTelemetry collector, such as `http://127.0.0.1:4318`. Spans are sent to `/v1/traces` and metrics to `/v1/metrics` under this URL',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address({
    unset: 'as above',
    doc: 'The full URL for spans, in place of the one above',
  }),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address({
    unset: 'as above',
    doc: 'The full URL for metrics, in place of the one above',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: list('name=value pairs', isPair, {
    doc: 'Headers to send to the collector, such as a credential',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: choice(['http/protobuf'], {
    default: 'http/protobuf',
    doc: 'The export protocol. No other one is supported yet',
  }),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer(100, 60_000, {
    default: '10000',
    doc: 'Timeout for one export in milliseconds, including retries',
  }),
  OTEL_BSP_SCHEDULE_DELAY: integer(100, 60_000, { default: '5000', doc: 'Milliseconds between exports of spans' }),
  OTEL_TRACES_EXPORTER: choice(['otlp', 'none'], { default: 'otlp', doc: '`none` sends no spans' }),
  OTEL_METRICS_EXPORTER: choice(['otlp', 'none'], {
    default: 'otlp',
    doc: '`none` sends no metrics; `/metrics` still has them',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: integer(1000, 3_600_000, {
    default: '60000',
    doc: 'Milliseconds between exports of metrics',
  }),
  OTEL_TRACES_SAMPLER: choice(samplers, {
    default: 'parentbased_always_on',
    doc: "Which requests are traced. The `parentbased` samplers follow the caller's `traceparent`, which any caller can set",
  }),
  OTEL_TRACES_SAMPLER_ARG: matching('a fraction from 0 to 1, such as 0.05', isRatio, {
    default: '1',
    doc: 'The fraction of requests that a `ratio` sampler traces',
  }),
  OTEL_SERVICE_NAME: matching('at most 200 characters', (text) => text.length <= 200, {
    default: 'countersign',
    doc: 'The service name in spans and metrics',
  }),
  OTEL_RESOURCE_ATTRIBUTES: list('name=value pairs', isPair, {
    doc: 'Additional attributes for all spans and metrics, such as `deployment.environment.name=production`',
  }),
  OTEL_SDK_DISABLED: choice(['true', 'false'], { default: 'false', doc: '`true` turns off telemetry' }),
}

export interface TelemetryConfig {
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
  readonly traces: {
    readonly url: string
    readonly everyMs: number
    readonly sampler: { readonly kind: (typeof samplers)[number]; readonly ratio: number }
  } | null
  readonly metricsUrl: string | null
  readonly metricsEveryMs: number
  readonly timeoutMs: number
  /** A function, so that printing the settings does not print credentials. */
  readonly headers: () => Readonly<Record<string, string>>
}

const pairs = (items: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    items.map((item) => {
      const [name = '', ...value] = item.split('=')
      return [decodeURIComponent(name), decodeURIComponent(value.join('='))]
    }),
  )

type Names = keyof typeof telemetrySettings
type Read = <N extends Names>(name: N) => ReturnType<(typeof telemetrySettings)[N]['parse']> | undefined

/** Null where nothing is sent. */
export function readTelemetry(value: Read): TelemetryConfig | null {
  const base = value('OTEL_EXPORTER_OTLP_ENDPOINT')
  const urlOf = (signal: 'TRACES' | 'METRICS'): string | null => {
    const url =
      value(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`) ??
      (base === undefined ? null : `${base}/v1/${signal.toLowerCase()}`)
    return value(`OTEL_${signal}_EXPORTER`) === 'none' ? null : url
  }
  const [tracesUrl, metricsUrl] = [urlOf('TRACES'), urlOf('METRICS')]
  const kind = value('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on'
  const ratio = Number(value('OTEL_TRACES_SAMPLER_ARG'))
  const everyMs = value('OTEL_BSP_SCHEDULE_DELAY') ?? 5000
  const headers = pairs(value('OTEL_EXPORTER_OTLP_HEADERS') ?? [])
  value('OTEL_EXPORTER_OTLP_PROTOCOL')
  const telemetry: TelemetryConfig = {
    serviceName: value('OTEL_SERVICE_NAME') ?? 'countersign',
    attributes: pairs(value('OTEL_RESOURCE_ATTRIBUTES') ?? []),
    traces: tracesUrl === null ? null : { url: tracesUrl, everyMs, sampler: { kind, ratio } },
    metricsUrl,
    metricsEveryMs: value('OTEL_METRIC_EXPORT_INTERVAL') ?? 60_000,
    timeoutMs: value('OTEL_EXPORTER_OTLP_TIMEOUT') ?? 10_000,
    headers: () => headers,
  }
  const isOff = value('OTEL_SDK_DISABLED') === 'true' || (tracesUrl === null && metricsUrl === null)
  return isOff ? null : telemetry
}
