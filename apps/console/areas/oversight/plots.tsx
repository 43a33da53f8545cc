/** The plots of the page, each with what it is about. */
import type { Oversight, OversightPoint, OversightStep } from '@countersign/sdk'
import { type Language, useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { dayText } from '../../ui/day.ts'
import { Plot } from '../../ui/plot/plot.tsx'
import type { PlotPoint, Series } from '../../ui/plot/series.ts'
import { inOneUnit } from './times.ts'
import { useOversightWords } from './words.ts'

type Look = Series['look']

const pointsOf = (
  points: readonly OversightPoint[],
  step: OversightStep,
  language: Language,
  thisWeek: string,
  today: string,
) =>
  points.map(({ from }, at): PlotPoint => {
    const isLast = at === points.length - 1
    const day = dayText(from, language, 'short')
    const numeric = dayText(from, language, 'numeric')
    if (step === 'day') return { key: from, label: day, short: isLast ? today : numeric }
    return {
      key: from,
      label: isLast ? `${thisWeek} (${numeric}–)` : `${numeric}–`,
      short: isLast ? thisWeek : numeric,
    }
  })

interface Properties {
  readonly data: Oversight
  readonly step: OversightStep
  /** The table below each plot is open. */
  readonly withTables: boolean
}

export function Plots({ data, step, withTables }: Properties) {
  const say = useOversightWords()
  const language = useLanguage()
  const { points } = data
  const common = {
    points: pointsOf(points, step, language, say('thisWeek'), say('today')),
    empty: say('none'),
    tableOpen: withTables,
  }
  const count = (value: number) => numberText(Math.round(value), language)
  const series = (id: string, name: string, look: Look, of: (point: OversightPoint) => number | null): Series => ({
    id,
    name,
    look,
    values: points.map(of),
  })
  const bars = { ...common, kind: 'bars', format: count, atLeast: 4 } as const
  const times = (slow: keyof OversightPoint & `p90${string}`, middle: keyof OversightPoint & `median${string}`) => {
    const all = points.flatMap((point) => [point[middle], point[slow]])
    const { scale, format, axis } = inOneUnit(all, language)
    return {
      ...common,
      kind: 'lines',
      band: true,
      format,
      axis,
      series: [
        series('median', say('median'), 'solid', (point) => scale(point[middle])),
        series('p90', say('slowest'), 'dashed', (point) => scale(point[slow])),
      ],
    } as const
  }
  const decided = ({ approved, refused }: OversightPoint) => approved + refused
  return (
    <div className="oversight-plots">
      <Plot
        title={say('timeToDecide')}
        note={say('timeNote')}
        {...times('p90SecondsToDecide', 'medianSecondsToDecide')}
      />
      {points[0]?.waiting !== null && (
        <Plot
          title={say('waiting')}
          note={step === 'day' ? say('waitingNoteDay') : say('waitingNoteWeek')}
          {...common}
          kind="lines"
          atLeast={4}
          format={count}
          series={[series('waiting', say('waiting'), 'solid', ({ waiting }) => waiting)]}
        />
      )}
      <Plot title={say('timeOpen')} note={say('timeOpenNote')} {...times('p90SecondsOpen', 'medianSecondsOpen')} />
      <Plot
        title={say('opened')}
        note={say('openedNote')}
        {...bars}
        series={[
          series('opened', say('openedBefore'), 'filled', ({ opened }) => opened),
          series('unopened', say('notOpened'), 'outlined', (point) => decided(point) - point.opened),
        ]}
      />
      <Plot
        title={say('outcomes')}
        note={say('outcomesNote')}
        {...bars}
        series={[
          series('approved', say('approved'), 'filled', ({ approved }) => approved),
          series('refused', say('refused'), 'outlined', ({ refused }) => refused),
        ]}
      />
      {data.scope === 'center' && (
        <Plot
          title={say('undecided')}
          note={say('undecidedNote')}
          {...bars}
          series={[
            series('expired', say('expired'), 'failed', ({ expired }) => expired),
            series('withdrawn', say('withdrawn'), 'dotted', ({ withdrawn }) => withdrawn),
          ]}
        />
      )}
      <Plot
        title={say('void')}
        note={say('voidNote')}
        {...bars}
        series={[series('void', say('void'), 'failed', (point) => point.void)]}
      />
      {points[0]?.seals !== null && (
        <Plot
          title={say('seals')}
          note={say('sealsNote')}
          {...bars}
          series={[series('seals', say('seals'), 'filled', ({ seals }) => seals)]}
        />
      )}
      {points[0]?.deliveries && (
        <Plot
          title={say('deliveries')}
          note={say('deliveriesNote')}
          {...bars}
          series={[
            series('succeeded', say('succeeded'), 'outlined', ({ deliveries }) => deliveries?.succeeded ?? 0),
            series('failed', say('failed'), 'failed', ({ deliveries }) => deliveries?.failed ?? 0),
          ]}
        />
      )}
      {points[0]?.appointments && (
        <Plot
          title={say('attendance')}
          note={say('attendanceNote')}
          {...bars}
          series={[
            series('attended', say('attended'), 'filled', ({ appointments }) => appointments?.attended ?? 0),
            series('missed', say('missed'), 'outlined', ({ appointments }) => appointments?.missed ?? 0),
          ]}
        />
      )}
    </div>
  )
}
