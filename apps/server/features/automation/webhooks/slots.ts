/** So many at a time in this process; the others wait in line. */
export interface Slots {
  take(): Promise<void>
  give(): void
}

export function slots(most: number): Slots {
  let free = most
  const waiting: (() => void)[] = []
  return {
    take() {
      if (free > 0) {
        free--
        return Promise.resolve()
      }
      return new Promise((resolve) => waiting.push(resolve))
    },
    give() {
      const next = waiting.shift()
      if (next) next()
      else free++
    },
  }
}
