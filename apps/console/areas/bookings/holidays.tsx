/** The public holidays of the country, year by year, with their source. A center adopts those of a year with one button. */
import type { NewClosures } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { dayText } from '../../ui/day.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { openAgain } from './data.ts'
import { StayLine } from './stay-line.tsx'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly isAdmin: boolean
}

export function Holidays({ center, isAdmin }: Properties) {
  const say = useBookingsWords()
  const done = useDoneWords()
  const language = useLanguage()
  const found = useQuery({
    queryKey: ['bookings', center, 'holidays'],
    queryFn: ({ signal }) => api.holidays.get(center, { signal }),
  })
  const [stay, setStay] = useState<number | null>(null)
  const adopt = useChange<number, NewClosures>(
    ['bookings'],
    async (year) => {
      const made = await api.holidays.adopt(center, { year })
      setStay(made.appointments)
      return made
    },
    {
      told: (_, year) => done('holidaysAdopted', { year: String(year) }),
      undo:
        ({ closures }) =>
        () =>
          openAgain(center, closures),
    },
  )
  return (
    <Part title={say('holidays')}>
      <Loaded query={found} skeletonRows={3}>
        {({ days, source, sourceUrl, comparedOn }) => (
          <>
            {source === null ? (
              <p className="soft">{say('noHolidays')}</p>
            ) : (
              <p className="soft">
                {say('holidaysSource', { date: comparedOn ?? '' })}{' '}
                <a href={sourceUrl ?? ''} target="_blank" rel="noreferrer">
                  {source}
                </a>
              </p>
            )}
            {[...Map.groupBy(days, ({ date }) => date.slice(0, 4))].map(([year, own]) => {
              const open = own.filter(({ closed }) => !closed)
              return (
                <section key={year} className="holidays-year" aria-label={year}>
                  <div>
                    <b>{year}</b>
                    <span className="soft">
                      {say('holidaysClosed', { count: own.length - open.length, all: own.length })}
                    </span>
                    {isAdmin && open.length > 0 && (
                      <button
                        type="button"
                        className="btn low"
                        disabled={adopt.isPending}
                        onClick={() => adopt.mutate(Number(year))}
                      >
                        {say('adoptHolidays', { year })}
                      </button>
                    )}
                  </div>
                  {open.length > 0 && (
                    <p className="soft small">
                      {open.map(({ date, name }) => `${dayText(date, language, 'short')} ${name}`).join(' · ')}
                    </p>
                  )}
                </section>
              )
            })}
          </>
        )}
      </Loaded>
      <StayLine center={center} count={stay} />
      <ErrorLine error={adopt.error} />
    </Part>
  )
}
