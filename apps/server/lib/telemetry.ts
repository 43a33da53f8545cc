/** OpenTelemetry over OTLP (HTTP, protobuf): spans in batches, and the metrics of `/metrics` at intervals. */
import { DiagLogLevel, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Logger } from 'pino'
import type { TelemetryConfig } from '../config/settings-telemetry.ts'
import type { Metrics } from './metrics.ts'
import { metricProducer } from './telemetry-metrics.ts'
import type { Tracing } from './tracing.ts'
import { version } from './version.ts'

/** A collector that hangs does not keep the process from its end. */
const closeMs = 3000

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

export function openTelemetry(config: TelemetryConfig, metrics: Pick<Metrics, 'values'>, log: Logger): Tracing {
  const { serviceName, attributes, traces, metricsUrl, headers, timeoutMs } = config
  diag.setLogger(reportTo(log), { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true })
  const resource = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version, ...attributes })
  const spans = traces && openSpans(resource, traces, { headers: headers(), timeoutMillis: timeoutMs })
  const reader =
    metricsUrl &&
    new PeriodicExportingMetricReader({
      exporter: new OTLPMetricExporter({ url: metricsUrl, headers: headers(), timeoutMillis: timeoutMs }),
      exportIntervalMillis: config.metricsEveryMs,
      exportTimeoutMillis: Math.min(timeoutMs, config.metricsEveryMs),
      metricProducers: [metricProducer(metrics, resource)],
    })
  const meters = reader ? new MeterProvider({ resource, readers: [reader] }) : null
  return {
    start: spans?.start ?? (() => null),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, closeMs).unref())
      await Promise.race([Promise.allSettled([spans?.close(), meters?.shutdown()]), late])
    },
  }
}

function openSpans(
  resource: Resource,
  { url, sampler, everyMs }: TelemetryConfig['traces'] & object,
  sending: { readonly headers: Readonly<Record<string, string>>; readonly timeoutMillis: number },
): Tracing {
  const exporter = new OTLPTraceExporter({ url, ...sending })
  const provider = new TracerProvider({
    resource,
    sampler: samplers[sampler.kind](sampler.ratio),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: everyMs })],
  })
  const tracer = provider.getTracer('countersign', version)
  return {
    start(kind, name, attributes, parent) {
      const { traceId = '', spanId = '', flags = '' } = parent ?? {}
      const context = parent
        ? trace.setSpanContext(ROOT_CONTEXT, {
            traceId,
            spanId,
            traceFlags: Number.parseInt(flags, 16) & 1,
            isRemote: true,
          })
        : ROOT_CONTEXT
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, context)
      const own = span.spanContext()
      return {
        trace: { traceId: own.traceId, spanId: own.spanId, flags: own.traceFlags & 1 ? '01' : '00' },
        end(more = {}, error = null) {
          span.setAttributes(more)
          if (error !== null) span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    close: () => provider.shutdown(),
  }
}

type SamplerKind = (TelemetryConfig['traces'] & object)['sampler']['kind']

const samplers: Record<SamplerKind, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
}

/** Failures to send are one line a minute: while a collector is away, every batch fails. */
function reportTo(log: Logger) {
  let quietUntil = 0
  function error(message: string): void {
    if (performance.now() < quietUntil) return
    quietUntil = performance.now() + 60_000
    log.warn({ cause: message.slice(0, 500) }, 'telemetry was not delivered; requests are not affected')
  }
  const silent = () => {}
  return { error, warn: silent, info: silent, debug: silent, verbose: silent }
}
