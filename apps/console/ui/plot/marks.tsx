/** The marks of a plot: lines with their last value, a band between two of them, and bars that stand on each other. */
import { area, line, stack } from 'd3-shape'
import type { Frame } from './frame.ts'
import type { Series } from './series.ts'

interface Marks {
  readonly frame: Frame
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

const textHeight = 16

export function Lines({ frame, series, band, format }: Marks & { readonly band: boolean }) {
  const { xOf, yOf, count } = frame
  const indexes = Array.from({ length: count }, (_, at) => at)
  const value = (each: Series | undefined, at: number) => each?.values[at] ?? null
  const [first, second] = series
  const between = area<number>()
    .defined((at) => value(first, at) !== null && value(second, at) !== null)
    .x(xOf)
    .y0((at) => yOf(value(first, at) ?? 0))
    .y1((at) => yOf(value(second, at) ?? 0))
  // Values that end near each other are written below each other.
  let above = Number.NEGATIVE_INFINITY
  const ends = series
    .flatMap((each) => {
      const last = each.values.at(-1)
      return last == null ? [] : { each, last, y: yOf(last) }
    })
    .toSorted((a, b) => a.y - b.y)
    .map((end) => {
      above = Math.max(end.y, above + textHeight)
      return { ...end, textY: above }
    })
  const over = Math.max(0, above - frame.bottom - 2)
  return (
    <>
      {band && <path className="plot-band" d={between(indexes) ?? undefined} />}
      {series.map((each) => {
        const path = line<number>()
          .defined((at) => value(each, at) !== null)
          .x(xOf)
          .y((at) => yOf(value(each, at) ?? 0))
        const alone = indexes.filter(
          (at) => value(each, at) !== null && value(each, at - 1) === null && value(each, at + 1) === null,
        )
        return (
          <g key={each.id} className={`plot-line ${each.look}`}>
            <path d={path(indexes) ?? undefined} />
            {alone.map((at) => (
              <circle key={at} cx={xOf(at)} cy={yOf(value(each, at) ?? 0)} r="2.5" />
            ))}
          </g>
        )
      })}
      {ends.map(({ each, last, y, textY }) => (
        <g key={each.id} className={`plot-end ${each.look}`}>
          {each.look === 'solid' && <circle cx={xOf(count - 1)} cy={y} r="4.5" />}
          <text x={xOf(count - 1) + 11} y={textY - over + 5}>
            {format(last)}
          </text>
        </g>
      ))}
    </>
  )
}

export function Bars({ frame, series, totals, format }: Marks & { readonly totals: boolean }) {
  const { xOf, yOf, count, barWidth } = frame
  const indexes = Array.from({ length: count }, (_, at) => at)
  const layers = stack<number, Series>()
    .keys(series)
    .value((at, each) => each.values[at] ?? 0)(indexes)
  // Thin bars have no room for an outline within them.
  const inset = barWidth > 8 ? 1 : 0
  return (
    <>
      {layers.map((layer) => (
        <g key={layer.key.id} className={`plot-bar ${layer.key.look}`}>
          {layer.map(([low, high], at) =>
            high > low ? (
              <rect
                key={at}
                x={xOf(at) - barWidth / 2 + inset}
                width={barWidth - 2 * inset}
                y={yOf(high) + inset}
                height={Math.max(1, yOf(low) - yOf(high) - 2 * inset)}
              />
            ) : null,
          )}
        </g>
      ))}
      {totals &&
        indexes.map((at) => {
          const total = series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0)
          return total > 0 ? (
            <text key={at} x={xOf(at)} y={yOf(total) - 6} textAnchor="middle">
              {format(total)}
            </text>
          ) : null
        })}
    </>
  )
}
