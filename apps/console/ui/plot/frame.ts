/** Where things are in a plot of a width: the axes, their words, and the places of the points. Pure. */
import { scaleLinear } from 'd3-scale'
import type { PlotPoint, Series } from './series.ts'

interface Wanted {
  readonly width: number
  readonly kind: 'lines' | 'bars'
  readonly points: readonly PlotPoint[]
  readonly series: readonly Series[]
  readonly atLeast: number | undefined
  readonly format: (value: number) => string
  readonly axis: (value: number) => string
  readonly everyPoint: boolean
}

export type Frame = ReturnType<typeof frameOf>

const top = 24
const plotHeight = 92
/** Of a word of 14 pixels, roughly. */
const letter = 8
const wide = 14
const narrowest = 64

const widthOf = (text: string): number =>
  [...text].reduce((sum, each) => sum + (each.charCodeAt(0) > 0x1100 ? wide : letter), 0)

export function highestOf(kind: 'lines' | 'bars', series: readonly Series[]): number {
  const count = series[0]?.values.length ?? 0
  let highest = 0
  for (let at = 0; at < count; at++) {
    const values = series.map(({ values }) => values[at] ?? 0)
    highest = Math.max(highest, kind === 'bars' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values))
  }
  return highest
}

export function frameOf({ width, kind, points, series, atLeast = 0, format, axis, everyPoint }: Wanted) {
  const bottom = top + plotHeight
  const count = points.length
  const last = series.map(({ values }) => values.at(-1))
  // Lines end in their last value, at the right.
  const room =
    kind === 'lines' ? Math.max(narrowest, ...last.map((value) => widthOf(value == null ? '' : format(value)) + 16)) : 0
  const right = Math.max(120, width - room)
  const scale = scaleLinear()
    .domain([0, Math.max(highestOf(kind, series), atLeast, Number.MIN_VALUE)])
    .nice(2)
    .range([bottom, top])
  const ceiling = scale.domain()[1] as number
  const step = right / Math.max(1, count)
  const xOf = (at: number) =>
    kind === 'bars' ? step * (at + 0.5) : count === 1 ? right / 2 : 5 + (at * (right - 10)) / (count - 1)
  const longest = Math.max(...points.map(({ short }) => widthOf(short)))
  const places = Math.max(1, Math.floor(right / (longest + 20)))
  const every = everyPoint ? 1 : Math.max(1, Math.ceil((count - 1) / Math.max(1, Math.min(places - 1, 6))))
  const labels = points.flatMap(({ short }, at) => {
    // Counted from the newest, which is always there.
    if ((count - 1 - at) % every !== 0) return []
    const half = widthOf(short) / 2
    const x = xOf(at)
    const anchor = x - half < 0 ? ('start' as const) : x + half > width ? ('end' as const) : ('middle' as const)
    return { x: anchor === 'start' ? 0 : anchor === 'end' ? width : x, text: short, anchor }
  })
  return {
    ...{ width, right, top, bottom, height: bottom + 26, xOf, count, labels },
    barWidth: Math.max(2, Math.min(40, step * 0.72)),
    yOf: (value: number) => scale(value),
    ticks: [0, ceiling / 2, ceiling].map((value) => ({
      y: Math.round(scale(value)) + 0.5,
      text: value === ceiling ? axis(value) : null,
      isBase: value === 0,
    })),
    nearest: (x: number) => {
      const places = Array.from({ length: count }, (_, at) => Math.abs(xOf(at) - x))
      return places.indexOf(Math.min(...places))
    },
  }
}
