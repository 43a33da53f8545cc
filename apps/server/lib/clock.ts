/** The only place that reads the time, so that a test can move it. */
let source: () => number = Date.now

export const nowMs = (): number => source()
export const now = (): Date => new Date(source())
export const secondsFromNow = (seconds: number): Date => new Date(source() + seconds * 1000)

/** The day in UTC, as 2026-11-15. */
export const today = (): string => now().toISOString().slice(0, 10)

/** Tests only. Returns a function that restores real time. */
export function useClock(replacement: () => number): () => void {
  source = replacement
  return () => {
    source = Date.now
  }
}
