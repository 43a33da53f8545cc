export interface Spaced {
  ask(): void
  stop(): void
}

/**
 * Calls `run` at once, then at most every `everyMs` while it is asked for, and once more after the last time. The last call sees
 * what the first one was too early for, such as a row that is due a few milliseconds later by the clock of another machine.
 */
export function spaced(everyMs: number, run: () => void): Spaced {
  let timer: NodeJS.Timeout | null = null
  let asked = false

  function wait(): void {
    timer = setTimeout(() => {
      timer = null
      run()
      if (!asked) return
      asked = false
      wait()
    }, everyMs)
  }

  return {
    ask() {
      if (timer) {
        asked = true
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
