/**
 * Joins single reads into one query: reads that are requested in one turn of the event loop, or while `maxQueries` are
 * in flight, form the next query. A burst of a thousand different keys then makes a few queries instead of a thousand.
 */
const maxQueries = 2
const maxKeys = 500

interface Waiting<V> {
  readonly promise: Promise<V | undefined>
  resolve(value: V | undefined): void
  reject(error: unknown): void
}

/** `read` returns what it found by key; a key that is missing there resolves to undefined. */
export function gather<V>(
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): (key: string) => Promise<V | undefined> {
  let waiting = new Map<string, Waiting<V>>()
  let queries = 0
  let scheduled = false

  function schedule(): void {
    if (scheduled || queries === maxQueries || waiting.size === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      void query()
    })
  }

  async function query(): Promise<void> {
    const all = [...waiting]
    const taken = new Map(all.slice(0, maxKeys))
    waiting = new Map(all.slice(maxKeys))
    queries++
    schedule()
    try {
      const found = await read([...taken.keys()])
      for (const [key, { resolve }] of taken) resolve(found.get(key))
    } catch (error) {
      for (const { reject } of taken.values()) reject(error)
    } finally {
      queries--
      schedule()
    }
  }

  return (key) => {
    let each = waiting.get(key)
    if (!each) {
      each = Promise.withResolvers<V | undefined>()
      waiting.set(key, each)
      schedule()
    }
    return each.promise
  }
}
