/** Edges and strokes as a knife leaves them, as SVG path data. */
import { short } from './drawing.ts'
import type { Box, Stroke } from './strokes.ts'
import type { Uneven } from './uneven.ts'

type Point = readonly [x: number, y: number]

const perSide = 9

/** A rectangle whose sides wander, with worn corners and, where `chips`, a few chips. */
export function carvedEdge(next: Uneven, { x0, y0, x1, y1 }: Box, wander: number, chips: boolean): string {
  const points: Point[] = []
  const side = (from: Point, to: Point, [outX, outY]: Point) => {
    const chip = chips && next() < 0.75 ? 1 + Math.floor(next() * (perSide - 2)) : -1
    const drift = (next() - 0.6) * wander * 1.3
    for (let at = 0; at < perSide; at++) {
      const along = (at + (at ? (next() - 0.5) * 0.5 : 0)) / perSide
      let out = (next() - 0.5) * wander + drift * Math.sin(along * Math.PI)
      if (at === 0) out = -wander * (0.1 + next() * 0.9)
      if (at === chip) out -= wander * (1.2 + next() * 1.4)
      const point: Point = [
        from[0] + (to[0] - from[0]) * along + outX * out,
        from[1] + (to[1] - from[1]) * along + outY * out,
      ]
      points.push(point)
      // Twice: the corner stays a corner.
      if (at === 0) points.push(point)
    }
  }
  side([x0, y0], [x1, y0], [0, -1])
  side([x1, y0], [x1, y1], [1, 0])
  side([x1, y1], [x0, y1], [0, 1])
  side([x0, y1], [x0, y0], [-1, 0])
  return roundedThrough(points)
}

/** Curves through the middles, so that the edge looks worn and not torn. */
function roundedThrough(points: readonly Point[]): string {
  const middle = (a: Point, b: Point) => `${short((a[0] + b[0]) / 2)} ${short((a[1] + b[1]) / 2)}`
  const curves = points.map((point, at) => {
    const following = points[(at + 1) % points.length] as Point
    return `Q${short(point[0])} ${short(point[1])} ${middle(point, following)}`
  })
  return `M${middle(points.at(-1) as Point, points[0] as Point)}${curves.join('')}Z`
}

/** Strokes of the unit square in a cell of the stone. */
export function carvedStrokes(next: Uneven, lines: readonly Stroke[], cell: Box, shake: number): string {
  const [width, height] = [cell.x1 - cell.x0, cell.y1 - cell.y0]
  return lines
    .map(({ points, round }) => {
      const off = () => (next() - 0.5) * shake * (round ? 0.5 : 1)
      const at = (x: number, y: number) =>
        `${short(cell.x0 + x * width + off())} ${short(cell.y0 + y * height + off())}`
      const cut = points.flatMap(([x, y], index) => {
        const before = points[index - 1]
        return before && !round ? [at((x + before[0]) / 2, (y + before[1]) / 2), at(x, y)] : [at(x, y)]
      })
      return `M${cut.join('L')}`
    })
    .join('')
}
