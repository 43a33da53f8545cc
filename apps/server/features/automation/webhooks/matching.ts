/** Patterns of subscriptions, and the events that they match. Pure. */

/** Sent on request to one endpoint: no subscription matches it and none can name it. */
const onRequest = 'ping'

/** All patterns that match this type: `*`, `agent.*`, `agent.decision.*`, and the type itself. */
export function patternsOf(type: string): string[] {
  if (type === onRequest) return []
  const patterns = ['*']
  for (let dot = type.indexOf('.'); dot !== -1; dot = type.indexOf('.', dot + 1)) {
    patterns.push(`${type.slice(0, dot)}.*`)
  }
  patterns.push(type)
  return patterns
}

export const matches = (subscribed: readonly string[], type: string): boolean =>
  patternsOf(type).some((pattern) => subscribed.includes(pattern))

/**
 * The first pattern that matches no event type, or null. A wildcard replaces whole names at the end: `pay*` and
 * `*.completed` are unknown, and so is `payment.completed.*`.
 */
export function unknownPattern(subscribed: readonly string[], types: readonly string[]): string | null {
  const known = new Set(['*', ...types.flatMap(patternsOf)])
  return subscribed.find((pattern) => !known.has(pattern)) ?? null
}
