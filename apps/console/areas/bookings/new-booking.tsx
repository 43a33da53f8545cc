/** A new appointment, or one every week: for whom, then when and with whom. */
import type { Slot } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useRole } from '../../app/role.ts'
import { timeText } from '../../ui/clock.ts'
import { addDays, type Day, notPast, startOf, today } from '../../ui/day.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { SlotPicker } from '../../ui/slot-picker.tsx'
import { WaitForPlace } from '../../ui/wait-for-place.tsx'
import { leftOut, SeriesPreview, useSeriesPreview } from './series-preview.tsx'
import { useSlotWords } from './slot-words.ts'
import { useBookingsWords } from './words.ts'

interface Client {
  readonly id: string
  readonly name: string
}

const clientOrder = (role: string): number => (role === 'CHILD' ? 0 : role === 'PARENT' ? 1 : 2)
const recentDays = 56

/** An ADMIN reads the members; an INSTRUCTOR may not, and chooses among those who came in the last weeks. */
async function findClients(center: string, role: string, search: string, signal: AbortSignal): Promise<Client[]> {
  if (role === 'ADMIN') {
    const query = { status: 'ACTIVE', limit: 100, ...(search !== '' && { search }) } as const
    const { data } = await api.members.list(center, query, { signal })
    return data
      .flatMap(({ actorId, name, role: theirs }) => (actorId === null ? [] : [{ id: actorId, name, theirs }]))
      .toSorted((one, other) => clientOrder(one.theirs) - clientOrder(other.theirs))
  }
  const query = { from: startOf(addDays(today(), -recentDays)), limit: 100 }
  const known = new Map<string, Client>()
  for await (const { bookedFor, clientName } of api.bookings.list(center, query, { signal })) {
    if (clientName?.includes(search)) known.set(bookedFor, { id: bookedFor, name: clientName })
    if (known.size === 50) break
  }
  return [...known.values()]
}

/** How often an appointment can be repeated from here; the API takes any number of weeks up to 52. */
const repeats = [1, 4, 8, 12, 16, 24, 52]

interface Properties {
  readonly center: string
  readonly day: Day
  /** Chosen already, by a click on it. */
  readonly slot?: Slot
  readonly onClose: () => void
}

export function NewBooking({ center, day: wanted, slot: given, onClose }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const done = useDoneWords()
  const words = useSlotWords()
  const role = useRole(center)
  const group = useId()
  const [search, setSearch] = useState('')
  const asked = useDeferredValue(search.trim())
  const [client, setClient] = useState<Client | null>(null)
  const [day, setDay] = useState(notPast(wanted))
  const [slot, setSlot] = useState<Slot | null>(given ?? null)
  const [weeks, setWeeks] = useState(1)
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set())
  const preview = useSeriesPreview({ center, slot, bookedFor: client?.id, weeks })
  const dates = weeks > 1 ? preview.data?.dates : undefined
  const out = dates ? leftOut(dates, skipped) : []
  const count = dates ? dates.length - out.length : 1
  const { data: clients, error } = useQuery({
    queryKey: ['members', center, 'clients', role, asked],
    queryFn: ({ signal }) => findClients(center, role, asked, signal),
  })
  const book = useChange<{ client: Client; slot: Slot }, string | null>(
    ['bookings'],
    async (to) => {
      const { instructorId, startsAt } = to.slot
      const asked = { instructorId, startsAt, bookedFor: to.client.id }
      if (!dates) return (await api.bookings.create(center, asked)).id
      await api.bookingSeries.create(center, { ...asked, weeks, leaveOut: out })
      return null
    },
    {
      told: (_, to) => done('booked', { name: to.client.name, time: timeText(to.slot.startsAt, language, 'short') }),
      undo: (id) => (id === null ? undefined : () => api.bookings.cancel(center, id)),
      onDone: onClose,
      // What the preview said is no longer so.
      onFailed: () => void preview.refetch(),
    },
  )
  return (
    <Dialog
      title={say('newTitle')}
      onClose={onClose}
      closing={say('close')}
      action={{
        text: weeks > 1 ? say('confirmSeries', { count }) : say('confirmBook'),
        disabled: !client || !slot || book.isPending || (weeks > 1 && (!dates || count === 0)),
        run: () => client && slot && book.mutate({ client, slot }),
      }}
    >
      <Field label={say('clientSearch')} value={search} onChange={({ target }) => setSearch(target.value)} />
      <fieldset className="clients">
        <legend className="unseen">{say('newFor')}</legend>
        {clients?.length === 0 && <p className="soft">{say('noClient')}</p>}
        {clients?.map((each) => (
          <label key={each.id}>
            <input type="radio" name={group} checked={client?.id === each.id} onChange={() => setClient(each)} />
            {each.name}
          </label>
        ))}
      </fieldset>
      <SlotPicker center={center} day={day} onDay={setDay} chosen={slot} onChoose={setSlot} words={words} />
      <WaitForPlace center={center} day={day} clientId={client?.id} />
      <label className="labeled repeat">
        <span className="label">{say('repeat')}</span>
        <select className="field" value={weeks} onChange={({ target }) => setWeeks(Number(target.value))}>
          {repeats.map((each) => (
            <option key={each} value={each}>
              {each === 1 ? say('repeatOnce') : say('repeatWeeks', { count: each })}
            </option>
          ))}
        </select>
      </label>
      {weeks > 1 && slot && client && <SeriesPreview preview={preview} skipped={skipped} onSkip={setSkipped} />}
      {slot && !client && <p className="soft small">{say('chooseClient')}</p>}
      <ErrorLine error={error ?? book.error} />
    </Dialog>
  )
}
