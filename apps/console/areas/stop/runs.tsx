/** How much ran in the minutes before a stop, and since: a plot, said in words too. */
import type { FreezeCoverage } from '@countersign/sdk'
import { useId } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { Part } from '../../ui/desk.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { useStopWords } from '../../ui/stops/words.ts'

type Counted = NonNullable<FreezeCoverage['runs']>

const [height, ground, tallest] = [116, 84, 60]
const minute = 60_000

interface Properties {
  readonly runs: Counted
  readonly stoppedAt: string
}

export function Runs({ runs: { minutes, later }, stoppedAt }: Properties) {
  const say = useStopWords()
  const language = useLanguage()
  const pattern = useId()
  const width = useNarrow() ? 350 : 616
  const stop = Math.round(width * 0.27)
  const [step, most] = [stop / minutes.length, Math.max(1, ...minutes)]
  const before = minutes.reduce((sum, each) => sum + each, 0)
  const since = later === null ? say('runsMany') : say('runsLater', { count: later })
  const time = (at: number) => timeText(at, language, 'clock')
  const at = Date.parse(stoppedAt)
  return (
    <Part title={say('runs')} aside={say('runsUnit')}>
      <svg
        className="stop-runs"
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={say('runsLabel', { before, since })}
      >
        <defs>
          <pattern id={pattern} width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0V9" className="hatch" />
          </pattern>
        </defs>
        <rect x={stop} y="8" width={width - stop} height={ground - 8} fill={`url(#${pattern})`} />
        {minutes.map((count, place) => (
          <path
            key={place}
            className="run"
            d={`M${((place + 0.5) * step).toFixed(1)} ${ground}V${(ground - (count / most) * tallest).toFixed(1)}`}
            strokeWidth={(step * 0.55).toFixed(1)}
          />
        ))}
        <path d={`M0 ${ground + 0.5}H${width}`} className="ground" />
        <path d={`M${stop} 4V92`} className="moment" />
        <text x="0" y="110">
          {time(at - minutes.length * minute)}
        </text>
        <text x={stop} y="110" textAnchor="middle" className="ink">
          {say('runsStop', { time: time(at) })}
        </text>
        <text x={width} y="110" textAnchor="end">
          {say('runsNow')}
        </text>
        <text x={stop + (width - stop) / 2} y="50" textAnchor="middle" className="ink since">
          {since}
        </text>
      </svg>
    </Part>
  )
}
