/** The metrics of `/metrics` in the form of OpenTelemetry, so that each figure is counted in one place only. */
import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import { version } from './version.ts'

interface Value {
  readonly value: number
  readonly metricName?: string
  readonly labels: Readonly<Record<string, string | number | undefined>>
}

export interface MetricValues {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly values: readonly Value[]
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

export function metricProducer(
  metrics: { values(): Promise<readonly MetricValues[]> },
  resource: Resource,
): MetricProducer {
  const startTime = hrTime(performance.timeOrigin)
  return {
    async collect() {
      const endTime = hrTime(performance.timeOrigin + performance.now())
      const data = (await metrics.values()).flatMap((metric) => dataOf(metric, { startTime, endTime }) ?? [])
      const scope = { name: 'countersign', version }
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: data }] }, errors: [] }
    },
  }
}

interface Span {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** Null for a type that OpenTelemetry has no equivalent of. */
function dataOf({ name, help, type, values }: MetricValues, span: Span): MetricData | null {
  const shared = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const points = () => values.map(({ value, labels }) => ({ ...span, attributes: given(labels), value }))
  switch (type) {
    case 'counter':
      return { ...shared, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: points() }
    case 'gauge':
      return { ...shared, dataPointType: DataPointType.GAUGE, dataPoints: points() }
    case 'histogram':
      return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints: histograms(name, values, span) }
    default:
      return null
  }
}

const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : ''

const given = (labels: Value['labels']): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(labels).filter((label): label is [string, string | number] => label[1] !== undefined),
  )

interface Gathered {
  readonly labels: Value['labels']
  readonly upTo: [number, number][]
  sum: number
  count: number
}

/** Prometheus counts the values up to each bound, OpenTelemetry those between two bounds. */
function histograms(name: string, values: readonly Value[], span: Span): DataPoint<Histogram>[] {
  const byLabels = new Map<string, Gathered>()
  for (const {
    value,
    metricName,
    labels: { le, ...labels },
  } of values) {
    const key = JSON.stringify(labels)
    const gathered = byLabels.get(key) ?? { labels, upTo: [], sum: 0, count: 0 }
    byLabels.set(key, gathered)
    if (metricName === `${name}_sum`) gathered.sum = value
    else if (metricName === `${name}_count`) gathered.count = value
    else if (le !== '+Inf') gathered.upTo.push([Number(le), value])
  }
  return Array.from(byLabels.values(), ({ labels, upTo, sum, count }) => {
    const boundaries = upTo.map(([bound]) => bound)
    const cumulative = [...upTo.map(([, values]) => values), count]
    const counts = cumulative.map((values, index) => values - (cumulative[index - 1] ?? 0))
    return { ...span, attributes: given(labels), value: { buckets: { boundaries, counts }, sum, count } }
  })
}
