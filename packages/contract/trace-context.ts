/** W3C Trace Context: the trace that a request belongs to. */

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly flags: string
}

/** Null if the text has another form or an ID is all zeros. Later versions may append members, which are ignored. */
export function traceParentOf(text: unknown): TraceParent | null {
  if (typeof text !== 'string') return null
  const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/
  const [, version, traceId, spanId, flags] = form.exec(text) ?? []
  if (!traceId || !spanId || !flags || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  return { traceId, spanId, flags }
}

/** As version 00 writes it: 55 characters. */
export const traceparent = ({ traceId, spanId, flags }: TraceParent): string => `00-${traceId}-${spanId}-${flags}`
