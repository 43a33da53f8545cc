export interface Spaced {
  ask(): void
  stop(): void
}

/**
 * Throttles `run`: calls it immediately, then at most every `everyMs` while calls keep coming, and once more after the last one. That
 * last call sees what the first one was too early for, such as a row that is due a few milliseconds later by another machine's clock.
 */
export function spaced(everyMs: number, run: () => void): Spaced {
  let timer: NodeJS.Timeout | null = null
  let isPending = false

  function wait(): void {
    timer = setTimeout(() => {
      timer = null
      run()
      if (!isPending) return
      isPending = false
      wait()
    }, everyMs)
  }

  return {
    ask() {
      if (timer) {
        isPending = true
        return
      }
      run()
      wait()
    },
    stop() {
      if (timer) clearTimeout(timer)
    },
  }
}
