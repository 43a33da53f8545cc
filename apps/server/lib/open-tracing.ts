/** Starts telemetry where the settings name a collector, and loads nothing where they do not. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Metrics } from './metrics.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** The libraries load in the background: a span before they are there is not recorded. */
export function openTracing(config: Config['telemetry'], metrics: Pick<Metrics, 'values'>, log: Logger): Tracing {
  if (config === null) return noTracing
  let tracing = noTracing
  const loading = import('./telemetry.ts').then(({ openTelemetry }) => {
    tracing = openTelemetry(config, metrics, log)
  })
  loading.catch((error: unknown) => log.error({ err: error }, 'telemetry is off: its libraries did not load'))
  return {
    start: (...span) => tracing.start(...span),
    async close() {
      await loading.catch(() => {})
      await tracing.close()
    },
  }
}
