/**
 * Spans of requests, delivery attempts and jobs, which an OpenTelemetry collector may receive. Without one `start`
 * returns null, so that a process without telemetry pays nothing.
 */
import type { TraceParent } from '@countersign/contract/trace-context.ts'

export type Attributes = Readonly<Record<string, string | number>>

export interface Span {
  readonly trace: TraceParent
  /** `error` is a code or a class of failures; with it the span counts as failed. */
  end(attributes?: Attributes, error?: string | null): void
}

export interface Tracing {
  start(
    kind: 'server' | 'client' | 'internal',
    name: string,
    attributes: Attributes,
    parent?: TraceParent | null,
  ): Span | null
  /** Sends what is left. */
  close(): Promise<void>
}

export const noTracing: Tracing = { start: () => null, close: async () => {} }
