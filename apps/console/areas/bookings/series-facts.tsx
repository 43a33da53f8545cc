/** Which week of its series an appointment is, and the weeks that differ from the others. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { dayText } from '../../ui/day.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly id: string
  readonly week: number
}

export function SeriesFacts({ center, id, week }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: ['bookings', center, 'series', id],
    queryFn: ({ signal }) => api.bookingSeries.get(center, id, { signal }),
  })
  return (
    <>
      <dt>{say('series')}</dt>
      <dd>
        <span aria-hidden="true">↻ </span>
        {data ? say('seriesWeekOf', { week, weeks: data.weeks }) : say('seriesWeek', { week })}
        {data && data.exceptions.length > 0 && (
          <ul className="series-exceptions" aria-label={say('seriesExceptions')}>
            {data.exceptions.map((each) => (
              <li key={each.week} className="soft small">
                {dayText(each.date, language, 'short')} · {say(`exception${each.kind}`)}
              </li>
            ))}
          </ul>
        )}
      </dd>
    </>
  )
}
