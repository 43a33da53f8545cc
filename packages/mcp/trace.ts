/** The trace of the caller, which MCP carries in `_meta` of a request. */
import { traceParentOf } from '@countersign/contract'
import { TRACEPARENT_META_KEY } from '@modelcontextprotocol/server'

/** Members of `aiContext`; empty without a trace. */
export interface Trace {
  readonly traceId?: string
  readonly spanId?: string
}

export function traceOf(meta: Readonly<Record<string, unknown>> | undefined): Trace {
  const { traceId, spanId } = traceParentOf(meta?.[TRACEPARENT_META_KEY]) ?? {}
  return traceId && spanId ? { traceId, spanId } : {}
}
