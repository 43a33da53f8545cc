/**
 * Figures over time: a picture, a hand that moves along it by pointer, finger or arrow keys, and the same numbers as a table.
 * Text keeps its size on every screen, because the picture is drawn for the width that it has.
 */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { DataTable } from '../data-table.tsx'
import { useUiWords } from '../words.ts'
import { Bars, Lines } from './marks.tsx'
import './plot.css'
import { frameOf } from './frame.ts'
import type { PlotPoint, Series } from './series.ts'

interface Properties {
  readonly title: string
  /** What is drawn how, small beside the title. */
  readonly note?: ReactNode
  readonly kind: 'lines' | 'bars'
  /** Fills between the first two lines. */
  readonly band?: true
  readonly points: readonly PlotPoint[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
  /** For the axis, where it is said in another way. */
  readonly axis?: (value: number) => string
  /** Sums over the bars. */
  readonly totals?: true
  /** Instead of the picture, where every value is zero or missing. */
  readonly empty: string
  /** The largest value of the axis, at least. */
  readonly atLeast?: number
  /** One word for each point under the axis, however many there are. */
  readonly everyPoint?: true
  /** The table is open from the start. */
  readonly tableOpen?: boolean
}

const usualWidth = 480

function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(usualWidth)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      const wide = Math.round(entry?.contentRect.width ?? 0)
      if (wide > 0) setWidth(wide)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [ref, width] as const
}

export function Plot({
  title,
  note,
  kind,
  band,
  points,
  series,
  format,
  axis = format,
  totals,
  empty,
  atLeast,
  everyPoint,
  tableOpen = false,
}: Properties) {
  const say = useUiWords()
  const [ref, width] = useWidth()
  const [at, setAt] = useState<number | null>(null)
  const said = (index: number) =>
    series
      .map(({ name, values }) => `${name} ${values[index] == null ? '–' : format(values[index] as number)}`)
      .join(' · ')
  const isEmpty = series.every(({ values }) => values.every((value) => !value))
  const last = points.length - 1
  const frame = frameOf({ width, kind, points, series, atLeast, format, axis, everyPoint: everyPoint ?? false })
  const here = at === null ? null : Math.min(at, last)
  return (
    <figure className="plot" ref={ref}>
      <figcaption>
        <b>{title}</b>
        <span className="small soft">{here === null || isEmpty ? note : `${points[here]?.label} · ${said(here)}`}</span>
      </figcaption>
      {isEmpty ? (
        <p className="plot-empty soft">{empty}</p>
      ) : (
        <div className="plot-picture">
          <svg
            width={width}
            height={frame.height}
            role="img"
            aria-label={say('plotOf', {
              title,
              from: points[0]?.label ?? '',
              to: points[last]?.label ?? '',
              first: said(0),
              last: said(last),
            })}
          >
            {frame.ticks.map(({ y, text, isBase }) => (
              <g key={y}>
                <path d={`M0 ${y}H${frame.right}`} className={isBase ? 'plot-base' : 'plot-grid'} />
                {text && (
                  <text x="0" y={y - 6}>
                    {text}
                  </text>
                )}
              </g>
            ))}
            {kind === 'bars' ? (
              <Bars frame={frame} series={series} totals={totals ?? false} format={format} />
            ) : (
              <Lines frame={frame} series={series} band={band ?? false} format={format} />
            )}
            {frame.labels.map(({ x, text, anchor }) => (
              <text key={x} x={x} y={frame.height - 4} textAnchor={anchor}>
                {text}
              </text>
            ))}
            {here !== null && <path className="plot-hand" d={`M${frame.xOf(here)} ${frame.top}V${frame.bottom}`} />}
          </svg>
          <input
            type="range"
            min={0}
            max={last}
            step={1}
            value={here ?? last}
            aria-label={say('plotHand', { title })}
            aria-valuetext={`${points[here ?? last]?.label}: ${said(here ?? last)}`}
            style={{ width: frame.right }}
            onChange={(event) => setAt(Number(event.target.value))}
            onFocus={() => setAt(here ?? last)}
            onBlur={() => setAt(null)}
            onPointerMove={({ nativeEvent: { offsetX } }) => setAt(frame.nearest(offsetX))}
            onPointerLeave={() => setAt(null)}
          />
        </div>
      )}
      {!isEmpty && (
        <details key={String(tableOpen)} open={tableOpen || undefined}>
          <summary>
            {say('plotTable')}
            <span className="plot-hidden"> {title}</span>
          </summary>
          <DataTable
            label={title}
            columns={[
              { id: 'at', title: say('plotTime'), cell: (index: number) => points[index]?.label },
              ...series.map(({ id, name, values }) => ({
                id,
                title: name,
                align: 'right' as const,
                cell: (index: number) => (values[index] == null ? '–' : format(values[index] as number)),
              })),
            ]}
            rows={points.map((_, index) => index)}
            keyOf={(index) => points[index]?.key ?? index}
          />
        </details>
      )}
    </figure>
  )
}
