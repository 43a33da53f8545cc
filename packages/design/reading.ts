/** Which parts of a page have been in view: each from its upper to its lower edge, without a gap. */

interface Edges {
  readonly top: number
  readonly bottom: number
}

/** An element, or whatever has edges. */
interface Part {
  getBoundingClientRect(): Edges
}

export interface Reading<P> {
  /** Looks at what is in view now, and returns the parts that have been. */
  look(): readonly P[]
  /** How far to scroll to go on. Negative where a part was passed over. */
  ahead(): number
}

/** Pixels that rounding takes from an edge. */
const slack = 1
/** The share of the window that stays in view. */
const overlap = 0.1

/** `band` is where parts can be seen: between a fixed head and the bar with the buttons. */
export function readingOf<P extends Part>(parts: readonly P[], band: () => Edges): Reading<P> {
  /** How far below its upper edge each was in view; Infinity for one that was in view as a whole, for good. */
  const read = new Map(parts.map((part) => [part, 0]))
  const isRead = (part: P): boolean => read.get(part) === Number.POSITIVE_INFINITY
  const left = (): readonly P[] => parts.filter((part) => !isRead(part))
  return {
    look() {
      const { top, bottom } = band()
      for (const part of left()) {
        const rect = part.getBoundingClientRect()
        const height = rect.bottom - rect.top
        const [from, to] = [top - rect.top, Math.min(height, bottom - rect.top)]
        const before = read.get(part) as number
        if (height <= 0 || from > before + slack || to <= before) continue
        read.set(part, to >= height - slack ? Number.POSITIVE_INFINITY : to)
      }
      return parts.filter(isRead)
    },
    ahead() {
      const { top, bottom } = band()
      const [next] = left()
      if (!next) return 0
      return next.getBoundingClientRect().top + (read.get(next) as number) - top - (bottom - top) * overlap
    },
  }
}
