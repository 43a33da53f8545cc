/** Beside the free times of a day: the waiting list for somebody who has none. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../app/api.ts'
import { useChange } from '../app/change.ts'
import { useLanguage } from '../app/i18n.ts'
import { type Day, dayText } from './day.ts'
import { ErrorLine } from './error-panel.tsx'
import { useUiWords } from './words.ts'
import './waiting-list.css'

interface Properties {
  readonly center: string
  readonly day: Day
  /** Who waits. */
  readonly clientId: string | undefined
}

export function WaitForPlace({ center, day, clientId }: Properties) {
  const say = useUiWords()
  const language = useLanguage()
  const [chosen, setChosen] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const instructors = useQuery({
    queryKey: ['instructors', center],
    queryFn: ({ signal }) => api.instructors.list(center, { signal }),
    staleTime: 300_000,
  })
  // The same as the free times above.
  const slots = useQuery({
    queryKey: ['bookings', center, 'slots', day, undefined],
    queryFn: ({ signal }) => api.bookings.listSlots(center, { date: day }, { signal }),
  })
  const ask = useChange<string>(
    ['bookings'],
    async (instructorId) => {
      await api.bookingWaits.create(center, { instructorId, date: day, ...(clientId && { bookedFor: clientId }) })
      setAsked(`${day} ${instructorId}`)
    },
    { told: 'shown' },
  )
  const free = new Set(
    slots.data?.slots.filter(({ startsAt }) => Date.parse(startsAt) > Date.now()).map((slot) => slot.instructorId),
  )
  const full = slots.data ? (instructors.data ?? []).filter(({ id }) => !free.has(id)) : []
  const instructorId = full.find(({ id }) => id === chosen)?.id ?? full[0]?.id
  if (!instructorId) return null
  return (
    <fieldset className="wait-for">
      <legend className="label">{say('waitTitle')}</legend>
      <p className="soft small">{say('waitHint')}</p>
      <div className="wait-for-line">
        <select
          className="field"
          aria-label={say('waitWhom')}
          value={instructorId}
          onChange={({ target }) => setChosen(target.value)}
        >
          {full.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <button
          type="button"
          className="btn plain"
          disabled={!clientId || ask.isPending}
          onClick={() => ask.mutate(instructorId)}
        >
          {say('waitAsk')}
        </button>
      </div>
      <p role="status">
        {asked === `${day} ${instructorId}` && `✓ ${say('waitAsked', { day: dayText(day, language, 'short') })}`}
      </p>
      <ErrorLine error={ask.error} />
    </fieldset>
  )
}
