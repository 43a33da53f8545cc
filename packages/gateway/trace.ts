/** The trace that a call belongs to: the agent's, or one that begins here. */
import { randomBytes } from 'node:crypto'
import { type Trace as Known, traceOf } from '@countersign/mcp'
import { TRACEPARENT_META_KEY } from '@modelcontextprotocol/server'

export type Trace = Required<Known>

const newId = (bytes: number): string => randomBytes(bytes).toString('hex')

export function traceOfCall(meta: Readonly<Record<string, unknown>> | undefined): Trace {
  const { traceId, spanId } = traceOf(meta)
  return traceId && spanId ? { traceId, spanId } : { traceId: newId(16), spanId: newId(8) }
}

/** The span of what the gateway does, within the same trace. */
export const childOf = ({ traceId }: Trace): Trace => ({ traceId, spanId: newId(8) })

export const traceMeta = ({ traceId, spanId }: Trace): Readonly<Record<string, string>> => ({
  [TRACEPARENT_META_KEY]: `00-${traceId}-${spanId}-01`,
})
