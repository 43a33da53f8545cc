/** A rule over many things is one test: it holds each of them against the rule and lists those that break it. */
export async function offenders<T>(
  all: readonly T[],
  nameOf: (each: T) => string,
  rule: (each: T) => void | Promise<void>,
): Promise<string[]> {
  const found: string[] = []
  for (const each of all) {
    try {
      await rule(each)
    } catch (error) {
      found.push(`${nameOf(each)}: ${(error as Error).message}`)
    }
  }
  return found
}
