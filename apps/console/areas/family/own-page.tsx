/** For a client, phone first: the own appointments in this center, and a new one. */
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useOffers } from '../../app/offers.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WaitingList } from '../../ui/waiting-list.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { BookDialog } from './book-dialog.tsx'
import { useOwnAppointments, useOwnClient } from './data.ts'
import './family.css'
import { OwnLastAttendance } from './last-attendance.tsx'
import { Slips } from './slips.tsx'
import { useFamilyWords } from './words.ts'

const route = getRouteApi('/c/$center/appointments')

export function OwnPage() {
  const say = useFamilyWords()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [booking, setBooking] = useState(false)
  const offers = useOffers(center)
  const client = useOwnClient(center)
  const { appointments, error, again, more } = useOwnAppointments(center)
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const chosen = appointments?.find(({ id }) => id === search.appointment)
  return (
    <Page
      title={say('ownTitle')}
      actions={
        offers.booking && (
          <button type="button" className="btn first" onClick={() => setBooking(true)}>
            {say('book')}
          </button>
        )
      }
    >
      {offers.center && !offers.booking && <p className="soft">{say('bookingOff', { center: offers.center.name })}</p>}
      {client && <WaitingList center={center} clientId={client.childId} part="offers" />}
      <section className="family-next" aria-label={say('appointments')}>
        {error && <ErrorPanel error={error} onRetry={again} />}
        {!appointments && !error && <Skeleton rows={4} />}
        {appointments?.length === 0 && (
          <Empty title={say('nothing')}>
            <p>{say(offers.booking ? 'nothingText' : 'nothingOff')}</p>
          </Empty>
        )}
        <Slips
          appointments={appointments ?? []}
          mayMove={() => offers.booking}
          onOpen={({ id, doing }) => go({ appointment: id, doing })}
        />
        {more && (
          <button type="button" className="btn plain" onClick={more}>
            {say('showMore')}
          </button>
        )}
      </section>
      {client && <WaitingList center={center} clientId={client.childId} part="others" />}
      <OwnLastAttendance center={center} />
      <p className="small">
        <a href="/me#calendar" className="tap">
          {say('calendar')}
        </a>
      </p>
      {chosen && (
        <AppointmentDialog
          appointment={chosen}
          own={appointments}
          mayMove={offers.booking}
          doing={search.doing}
          onClose={() => go({ appointment: undefined, doing: undefined })}
        />
      )}
      {booking && client && (
        <BookDialog clients={[client]} own={appointments ?? []} onClose={() => setBooking(false)} />
      )}
    </Page>
  )
}
