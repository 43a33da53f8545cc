/** The days on which the center is closed, and a form that closes more of them. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { addDays, dayText, today } from '../../ui/day.ts'
import { Part } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { openAgain } from './data.ts'
import { StayLine } from './stay-line.tsx'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly isAdmin: boolean
}

export function ClosedDays({ center, isAdmin }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const found = useQuery({
    queryKey: ['bookings', center, 'closures', 'coming'],
    queryFn: ({ signal }) => api.closures.list(center, {}, { signal }),
  })
  const open = useChange<{ date: string; name: string }>(
    ['bookings'],
    ({ date }) => api.closures.remove(center, date),
    {
      told: (_, { date }) => say('dayOpened', { day: dayText(date, language, 'short') }),
      undo:
        (_, { date, name }) =>
        () =>
          api.closures.add(center, { from: date, name }),
    },
  )
  return (
    <Part title={say('closedDays')}>
      <p className="soft">{say('closedDaysHint')}</p>
      <Loaded query={found} skeletonRows={3}>
        {(closures) =>
          closures.length === 0 ? (
            <p>{say('noClosedDays')}</p>
          ) : (
            <ul className="closed-days" aria-label={say('closedDays')}>
              {closures.map((closure) => (
                <li key={closure.date}>
                  <b>{dayText(closure.date, language, 'full')}</b>
                  <span>{closure.name}</span>
                  {isAdmin && (
                    <button
                      type="button"
                      className="btn plain low"
                      disabled={open.isPending}
                      aria-label={say('openDayOf', { day: dayText(closure.date, language, 'short') })}
                      onClick={() => open.mutate(closure)}
                    >
                      {say('openDay')}
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ErrorLine error={open.error} />
      {isAdmin && <CloseForm center={center} />}
    </Part>
  )
}

function CloseForm({ center }: Pick<Properties, 'center'>) {
  const say = useBookingsWords()
  const done = useDoneWords()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [name, setName] = useState('')
  const [stay, setStay] = useState<number | null>(null)
  const close = useChange(
    ['bookings'],
    async () => {
      const made = await api.closures.add(center, { from, ...(to && { to }), name })
      setStay(made.appointments)
      return made
    },
    {
      told: () => done('daysClosed', { name }),
      // Days of the span that were closed before stay closed.
      undo:
        ({ closures }) =>
        () =>
          openAgain(center, closures),
      onDone() {
        setFrom('')
        setTo('')
        setName('')
      },
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setStay(null)
    close.mutate()
  }
  return (
    <form className="closing" onSubmit={submit}>
      <Field
        label={say('firstDay')}
        type="date"
        required
        min={today()}
        data-field="from"
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <Field
        label={say('lastDay')}
        hint={say('lastDayHint')}
        type="date"
        min={from || today()}
        {...(from && { max: addDays(from, 30) })}
        data-field="to"
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <Field
        label={say('closureName')}
        hint={say('closureNameHint')}
        required
        maxLength={100}
        data-field="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className="btn" disabled={close.isPending}>
        {say('closeDays')}
      </button>
      <StayLine center={center} count={stay} />
      <ErrorLine error={close.error} />
    </form>
  )
}
