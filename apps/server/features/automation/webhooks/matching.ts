/** What a subscription may say, and which events it means. Pure. */

/** Sent when somebody asks for it, to one endpoint: no subscription brings it and none can name it. */
const onRequest = 'ping'

/** All that a subscription may say to receive this type: `*`, `agent.*`, `agent.decision.*`, and the type itself. */
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
 * The first pattern by which no event could ever come, or null. A wildcard stands for whole names at the end:
 * `pay*` and `*.completed` are unknown, and so is `payment.completed.*`.
 */
export function unknownPattern(subscribed: readonly string[], types: readonly string[]): string | null {
  const known = new Set(['*', ...types.flatMap(patternsOf)])
  return subscribed.find((pattern) => !known.has(pattern)) ?? null
}
