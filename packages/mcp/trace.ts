/** The trace of the caller, which MCP carries in `_meta` of a request. */
import { TRACEPARENT_META_KEY } from '@modelcontextprotocol/server'

/** Members of `aiContext`; empty without a trace. */
export interface Trace {
  readonly traceId?: string
  readonly spanId?: string
}

/** W3C Trace Context: a text of another form, or ids of zeros only, are no trace. */
export function traceOf(meta: Readonly<Record<string, unknown>> | undefined): Trace {
  const text = meta?.[TRACEPARENT_META_KEY]
  const [, version, traceId, spanId] =
    (typeof text === 'string' && /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-|$)/.exec(text)) || []
  if (!traceId || !spanId || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return {}
  return { traceId, spanId }
}
