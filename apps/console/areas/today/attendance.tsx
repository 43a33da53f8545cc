/** Two weeks of appointments as bars, and the same numbers as a table. */
import type { Today } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { dayText } from '../../ui/day.ts'
import { Part } from '../../ui/desk.tsx'
import { useTodayWords } from './words.ts'

type Day = Today['days'][number]

const bar = 40
const gap = 10
const weekGap = 22
const height = 96
const top = 24
const daysInWeek = 7
const width = 14 * bar + 12 * gap + weekGap

const all = ({ attended, missed, open }: Day): number => attended + missed + open
const xOf = (at: number): number => at * (bar + gap) + (at >= daysInWeek ? weekGap - gap : 0)

function Bar({ day, at, highest }: { readonly day: Day; readonly at: number; readonly highest: number }) {
  const language = useLanguage()
  const scale = (count: number) => (count * height) / highest
  const parts = [
    ['today-attended', day.attended],
    ['today-missed', day.missed],
    ['today-open', day.open],
  ] as const
  let from = top + height
  return (
    <g transform={`translate(${xOf(at)} 0)`}>
      {parts.map(([name, count]) => {
        if (count === 0) return null
        from -= scale(count)
        return (
          <rect key={name} className={name} x="1" width={bar - 2} y={from + 1} height={Math.max(scale(count) - 2, 1)} />
        )
      })}
      {all(day) > 0 && (
        <text x={bar / 2} y={from - 6} textAnchor="middle">
          {all(day)}
        </text>
      )}
      <text x={bar / 2} y={top + height + 22} textAnchor="middle">
        {dayText(day.day, language, 'weekday')}
      </text>
    </g>
  )
}

export function Attendance({ days }: { readonly days: readonly Day[] }) {
  const say = useTodayWords()
  const language = useLanguage()
  const highest = Math.max(...days.map(all))
  if (highest === 0)
    return (
      <Part title={say('attendance')}>
        <p className="soft">{say('noDays')}</p>
      </Part>
    )
  return (
    <Part title={say('attendance')} aside={say('attendanceMarks')}>
      <div className="today-plot">
        <svg viewBox={`0 0 ${width} ${top + height + 28}`} aria-hidden="true">
          {days.map((day, at) => (
            <Bar key={day.day} day={day} at={at} highest={highest} />
          ))}
          <path d={`M0 ${top + height}H${xOf(daysInWeek) - weekGap}M${xOf(daysInWeek)} ${top + height}H${width}`} />
        </svg>
      </div>
      <details>
        <summary>{say('table')}</summary>
        <DataTable
          label={say('attendance')}
          columns={[
            { id: 'day', title: say('day'), cell: ({ day }) => dayText(day, language, 'short') },
            { id: 'attended', title: say('attended'), align: 'right', cell: ({ attended }) => attended },
            { id: 'missed', title: say('missed'), align: 'right', cell: ({ missed }) => missed },
            { id: 'open', title: say('openDays'), align: 'right', cell: ({ open }) => open },
          ]}
          rows={days}
          keyOf={({ day }) => day}
        />
      </details>
    </Part>
  )
}
