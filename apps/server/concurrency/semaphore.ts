/** A counting semaphore: at most `permits` pieces of work at a time in this process. Waiters are served in order. */
export interface Semaphore {
  /** Resolves when the caller holds a permit, which it must release. */
  acquire(): Promise<void>
  release(): void
  /** Holds a permit while `work` runs. */
  run<T>(work: () => Promise<T>): Promise<T>
  /** How many callers wait for a permit. */
  waiting(): number
}

export function semaphore(permits: number): Semaphore {
  let free = permits
  const queue: (() => void)[] = []

  function acquire(): Promise<void> {
    if (free === 0) return new Promise((resolve) => queue.push(resolve))
    free--
    return Promise.resolve()
  }

  /** A permit passes to the first waiter directly, so that a caller that arrives now cannot overtake it. */
  function release(): void {
    const next = queue.shift()
    if (next) next()
    else free++
  }

  return {
    acquire,
    release,
    async run(work) {
      await acquire()
      try {
        return await work()
      } finally {
        release()
      }
    },
    waiting: () => queue.length,
  }
}
