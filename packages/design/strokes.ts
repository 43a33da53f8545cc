/** Strokes of carved characters: lines in the unit square, written as text in hundredths. */
type Point = readonly [x: number, y: number]

export interface Stroke {
  readonly points: readonly Point[]
  /** A ring is cut in one movement: its points shake less, and none is added between them. */
  readonly round: boolean
}

export interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

/** `0,0 100,0; ring 8,50 92,100`: strokes are separated by semicolons; a ring has two corners of its box. */
export const strokes = (text: string): readonly Stroke[] =>
  text.split(';').map((part) => {
    const points = [...part.matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]): Point => [Number(x) / 100, Number(y) / 100])
    if (!part.includes('ring')) return { points, round: false }
    const [[x0, y0], [x1, y1]] = points as [Point, Point]
    return ring({ x0, y0, x1, y1 })
  })

function ring({ x0, y0, x1, y1 }: Box): Stroke {
  const corners = 24
  // Between a circle (1) and a square (0), as a knife cuts it.
  const bend = (value: number) => Math.sign(value) * Math.abs(value) ** 0.72
  const points = Array.from({ length: corners + 1 }, (_, at): Point => {
    const angle = (at / corners) * Math.PI * 2 - Math.PI / 2
    return [
      (x0 + x1) / 2 + (bend(Math.cos(angle)) * (x1 - x0)) / 2,
      (y0 + y1) / 2 + (bend(Math.sin(angle)) * (y1 - y0)) / 2,
    ]
  })
  return { points, round: true }
}

/** Strokes of the unit square, drawn in a box of it. */
export const inBox = (lines: readonly Stroke[], { x0, y0, x1, y1 }: Box): readonly Stroke[] =>
  lines.map(({ points, round }) => ({
    points: points.map(([x, y]): Point => [x0 + x * (x1 - x0), y0 + y * (y1 - y0)]),
    round,
  }))
