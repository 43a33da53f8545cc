/** Two weeks of appointments as bars, and the same numbers as a table. */
import type { Today } from '@countersign/sdk'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { dayText } from '../../ui/day.ts'
import { Plot } from '../../ui/plot/plot.tsx'
import type { Series } from '../../ui/plot/series.ts'
import { useTodayWords } from './words.ts'

type Day = Today['days'][number]

export function Attendance({ days }: { readonly days: readonly Day[] }) {
  const say = useTodayWords()
  const language = useLanguage()
  const series = (id: keyof Day & ('attended' | 'missed' | 'open'), name: string, look: Series['look']): Series => ({
    id,
    name,
    look,
    values: days.map((day) => day[id]),
  })
  return (
    <section className="part today-plot">
      <Plot
        title={say('attendance')}
        note={say('attendanceMarks')}
        kind="bars"
        totals
        everyPoint
        points={days.map(({ day }) => ({
          key: day,
          label: dayText(day, language, 'short'),
          short: dayText(day, language, 'weekday'),
        }))}
        format={(value) => numberText(Math.round(value), language)}
        empty={say('noDays')}
        series={[
          series('attended', say('attended'), 'filled'),
          series('missed', say('missed'), 'outlined'),
          series('open', say('openDays'), 'dotted'),
        ]}
      />
    </section>
  )
}
