/** The example of a reply, in its envelope. `examples.json` holds payloads, most of them recorded from a server. */
import recorded from './examples.json' with { type: 'json' }
import { type Operation, payloadName } from './operation.ts'

/** By the name of a payload, or by an operation's ID, with or without a status, where its reply differs from the usual one. */
const examples: Readonly<Record<string, unknown>> = recorded

function payloadExample({ id, definition, spec, envelope }: Operation, status: number): unknown {
  const payload = spec.replies[status]
  if (!payload) return undefined
  const own = [`${id} ${status}`, id, `${definition} ${status}`, definition].find((name) => name in examples)
  if (own !== undefined) return examples[own]
  const { items } = payload as { items?: { title?: string } }
  const one = examples[items?.title ?? payloadName(payload) ?? '']
  return one && (items || envelope === 'page') ? [one] : one
}

export function replyExample(operation: Operation, status: number): unknown {
  const { spec, envelope } = operation
  const data = payloadExample(operation, status)
  if (data === undefined || envelope === 'bare') return data
  const cursor = (spec.query as { properties?: object } | undefined)?.properties
  const last = cursor && 'cursor' in cursor ? { nextCursor: null } : {}
  if (spec.surface === 'proof')
    return envelope === 'page'
      ? { data, pagination: { total: 1, limit: 20, offset: 0, hasMore: false, ...last } }
      : { data }
  if (envelope === 'data') return { success: true, data }
  const pagination = { page: 1, limit: 50, total: 1, totalPages: 1, hasMore: false, ...last }
  const counts = spec.counts && { counts: examples[payloadName(spec.counts) ?? ''] }
  return { success: true, data, pagination, meta: { page: 1, total: 1 }, ...counts }
}
