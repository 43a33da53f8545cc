/**
 * A semaphore that is fair to keys, such as centers. It bounds the weight in use, of all keys together and of each key.
 * Keys that wait are served in turn, one waiter of each, so the number of waiters of one key does not delay another.
 */
export interface Turns {
  /** Takes `weight` if nothing has to wait for it; null otherwise. */
  tryTake(key: string, weight?: number): Release | null
  /** Resolves with the function that gives the weight back. An aborted signal removes the waiter and rejects. */
  take(key: string, weight?: number, signal?: AbortSignal): Promise<Release>
  /** Holds the weight while `work` runs. */
  run<T>(key: string, work: () => T | Promise<T>, weight?: number): Promise<T>
  /** How many waiters `key` has. */
  waiting(key: string): number
}

/** Calls after the first have no effect. */
export type Release = () => void

interface Waiter {
  readonly weight: number
  readonly admit: () => void
}

interface TurnsOptions {
  readonly total: number
  /** By default as much as `total`. */
  readonly perKey?: number
}

export function turns({ total, perKey = total }: TurnsOptions): Turns {
  const held = new Map<string, number>()
  /** In the order of turns: a key that was served moves to the end. */
  const queues = new Map<string, Waiter[]>()
  let used = 0
  /** A waiter has its turn and waits for the total. A newcomer that took what is free would delay it without bound. */
  let totalAwaited = false

  // A weight above a bound is admitted alone; otherwise it would wait forever.
  const fitsKey = (key: string, weight: number): boolean => {
    const own = held.get(key) ?? 0
    return own === 0 || own + weight <= perKey
  }
  const fitsTotal = (weight: number): boolean => used === 0 || used + weight <= total

  function hold(key: string, weight: number): Release {
    used += weight
    held.set(key, (held.get(key) ?? 0) + weight)
    let released = false
    return () => {
      if (released) return
      released = true
      used -= weight
      const rest = (held.get(key) as number) - weight
      if (rest > 0) held.set(key, rest)
      else held.delete(key)
      admitWaiters()
    }
  }

  function admitWaiters(): void {
    totalAwaited = false
    for (let admitted = true; admitted; ) {
      admitted = false
      for (const [key, queue] of [...queues]) {
        const first = queue[0] as Waiter
        if (!fitsKey(key, first.weight)) continue
        if (!fitsTotal(first.weight)) {
          totalAwaited = true
          return
        }
        queue.shift()
        queues.delete(key)
        if (queue.length > 0) queues.set(key, queue)
        first.admit()
        admitted = true
      }
    }
  }

  function tryTake(key: string, weight = 1): Release | null {
    if (totalAwaited || queues.has(key) || !fitsKey(key, weight)) return null
    return fitsTotal(weight) ? hold(key, weight) : null
  }

  function take(key: string, weight = 1, signal?: AbortSignal): Promise<Release> {
    const taken = tryTake(key, weight)
    if (taken) return Promise.resolve(taken)
    return new Promise((resolve, reject) => {
      const queue = queues.get(key) ?? []
      const waiter = {
        weight,
        admit: () => {
          signal?.removeEventListener('abort', leave)
          resolve(hold(key, weight))
        },
      }
      const leave = (): void => {
        queue.splice(queue.indexOf(waiter), 1)
        if (queue.length === 0) queues.delete(key)
        reject(signal?.reason)
        admitWaiters()
      }
      queue.push(waiter)
      queues.set(key, queue)
      totalAwaited ||= queue.length === 1 && fitsKey(key, weight)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }

  return {
    tryTake,
    take,
    async run(key, work, weight) {
      const release = await take(key, weight)
      try {
        return await work()
      } finally {
        release()
      }
    },
    waiting: (key) => queues.get(key)?.length ?? 0,
  }
}
