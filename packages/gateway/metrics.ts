/** Counters for Prometheus. Labels are names of the configuration and a closed list of outcomes, so their number is bounded. */
import type { Phase } from './journal.ts'

export interface Metrics {
  forwarded(upstream: string): void
  passed(upstream: string, ok: boolean): void
  ended(upstream: string, outcome: string, ms: number): void
  refused(reason: string): void
  /** In the text format of Prometheus. */
  text(now: Readonly<Snapshot>): string
}

export interface Snapshot {
  readonly calls: Readonly<Record<Phase, number>>
  readonly upstreams: readonly { readonly name: string; readonly isReady: boolean }[]
  readonly changes: number
}

const buckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3600]

/** Those that an alert asks for begin at zero: a counter that appears with its first event has no increase. */
const [watched, reasons] = [
  ['succeeded', 'failed', 'unknown', 'refused'],
  ['handle', 'journal', 'state', 'too-many'],
]

export function openMetrics(upstreams: readonly string[]): Metrics {
  const counters = new Map<string, number>()
  const times = new Map<string, { readonly counts: number[]; sum: number }>()
  const add = (name: string, labels: Readonly<Record<string, string>>): void => {
    const key = `${name}${labelled(labels)}`
    counters.set(key, (counters.get(key) ?? 0) + 1)
  }
  const none = (name: string, labels: Readonly<Record<string, string>>) => counters.set(`${name}${labelled(labels)}`, 0)
  for (const upstream of upstreams) {
    for (const outcome of watched) none('countersign_gateway_calls_total', { upstream, outcome })
    for (const ok of ['true', 'false']) none('countersign_gateway_passed_total', { upstream, ok })
    none('countersign_gateway_forwarded_total', { upstream })
  }
  for (const reason of reasons) none('countersign_gateway_refused_total', { reason })
  return {
    forwarded: (upstream) => add('countersign_gateway_forwarded_total', { upstream }),
    passed: (upstream, ok) => add('countersign_gateway_passed_total', { upstream, ok: String(ok) }),
    refused: (reason) => add('countersign_gateway_refused_total', { reason }),
    ended(upstream, outcome, ms) {
      add('countersign_gateway_calls_total', { upstream, outcome })
      const time = times.get(upstream) ?? { counts: [...buckets, 0].map(() => 0), sum: 0 }
      times.set(upstream, time)
      const at = buckets.findIndex((most) => ms / 1000 <= most)
      time.counts[at < 0 ? buckets.length : at] = (time.counts[at < 0 ? buckets.length : at] ?? 0) + 1
      time.sum += ms / 1000
    },
    text({ calls, upstreams, changes }) {
      const gauges = [
        ...Object.entries(calls).map(
          ([phase, count]) => `countersign_gateway_journal_calls${labelled({ phase })} ${count}`,
        ),
        ...upstreams.map(
          ({ name, isReady }) => `countersign_gateway_upstream_ready${labelled({ upstream: name })} ${Number(isReady)}`,
        ),
        `countersign_gateway_changed_tools ${changes}`,
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
      ]
      const name = 'countersign_gateway_call_seconds'
      const histograms = [...times].flatMap(([upstream, { counts, sum }]) => {
        let total = 0
        const lines = counts.map((count, at) => {
          total += count
          return `${name}_bucket${labelled({ upstream, le: String(buckets[at] ?? '+Inf') })} ${total}`
        })
        return [
          ...lines,
          `${name}_sum${labelled({ upstream })} ${sum}`,
          `${name}_count${labelled({ upstream })} ${total}`,
        ]
      })
      const counted = [...counters].map(([key, value]) => `${key} ${value}`)
      return `${[...gauges, ...counted, ...histograms].join('\n')}\n`
    },
  }
}

const labelled = (labels: Readonly<Record<string, string>>): string =>
  `{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, '_')}"`)
    .join()}}`
