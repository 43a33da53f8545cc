/** The time, which tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Rejects with the signal's reason when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  // A longer timer would fire at once.
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop)
          resolve()
        },
        Math.min(ms, 2_147_483_647),
      )
      signal?.addEventListener('abort', stop, { once: true })
    }),
}
