/**
 * Verification reads whole chains, so whoever asks for it could keep the database busy. Those who ask for the same while
 * it is under way share one run, and only a few runs are under way at a time; the others wait in line.
 */
const maxRuns = 2

export type InTurn = <T>(key: string, run: () => Promise<T>) => Promise<T>

export function inTurn(): InTurn {
  const running = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let free = maxRuns

  async function take<T>(run: () => Promise<T>): Promise<T> {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }

  return <T>(key: string, run: () => Promise<T>): Promise<T> => {
    const shared = running.get(key) as Promise<T> | undefined
    if (shared) return shared
    const own = take(run).finally(() => running.delete(key))
    running.set(key, own)
    return own
  }
}
