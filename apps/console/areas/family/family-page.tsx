/** For a guardian, phone first: the children, what comes next, and a new appointment. */
import type { Family } from '@countersign/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { WaitingList } from '../../ui/waiting-list.tsx'
import type { Client } from './appointment.ts'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { BookDialog } from './book-dialog.tsx'
import { Children } from './children.tsx'
import { useAppointments, useFamily } from './data.ts'
import './family.css'
import { LastAttendance } from './last-attendance.tsx'
import type { Appointment } from './overlap.ts'
import { Slips } from './slips.tsx'
import { useFamilyWords } from './words.ts'

const route = getRouteApi('/c/$center/family')

export function FamilyPage() {
  const say = useFamilyWords()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [booking, setBooking] = useState(false)
  const family = useFamily()
  const { data, error, refetch } = useAppointments(search.child)
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const children = family.data?.children ?? []
  const clients = children.flatMap(({ actorId, name, centers }) =>
    centers
      .filter(({ canBook }) => canBook)
      .map(({ centerDomain, centerName }): Client => ({ childId: actorId, childName: name, centerDomain, centerName })),
  )
  const [first, ...others] = clients
  const mayMove = ({ childId, centerDomain }: Appointment) =>
    clients.some((each) => each.childId === childId && each.centerDomain === centerDomain)
  const chosen = data?.appointments.find(({ id }) => id === search.appointment)
  const waits = (part: 'offers' | 'others') =>
    clients.map(({ childId, childName, centerDomain, centerName }) => (
      <WaitingList
        key={`${childId} ${centerDomain}`}
        center={centerDomain}
        clientId={childId}
        of={`${childName} · ${centerName}`}
        part={part}
      />
    ))
  return (
    <Page
      title={say('title')}
      actions={
        first && (
          <button type="button" className="btn first" onClick={() => setBooking(true)}>
            {say('book')}
          </button>
        )
      }
    >
      {family.error && <ErrorPanel error={family.error} onRetry={() => void family.refetch()} />}
      {family.data && (
        <Children center={center} family={family.data} chosen={search.child} onChoose={(child) => go({ child })} />
      )}
      {waits('offers')}
      <section className="family-next" aria-label={say('appointments')}>
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton rows={4} />}
        {data?.unavailable.map(({ centerId, centerName }) => (
          <p key={centerId} className="waiting">
            <span aria-hidden="true">◷ </span>
            {say('unavailable', { center: centerName })}
          </p>
        ))}
        {data?.appointments.length === 0 && family.data && (
          <Empty title={say('nothing')}>
            <p>{say(first ? 'nothingText' : nothingToBook(family.data))}</p>
          </Empty>
        )}
        <Slips
          appointments={data?.appointments ?? []}
          ofChildren
          mayMove={mayMove}
          onOpen={({ id, doing }) => go({ appointment: id, doing })}
        />
        {data?.more && <p className="soft small">{say('more')}</p>}
      </section>
      {waits('others')}
      <LastAttendance center={center} child={search.child} />
      <p className="small">
        <a href="/me#calendar" className="tap">
          {say('calendar')}
        </a>
      </p>
      {chosen && (
        <AppointmentDialog
          appointment={chosen}
          mayMove={mayMove(chosen)}
          doing={search.doing}
          onClose={() => go({ appointment: undefined, doing: undefined })}
        />
      )}
      {booking && first && <BookDialog clients={[first, ...others]} onClose={() => setBooking(false)} />}
    </Page>
  )
}

/** The next step of a guardian who can book nothing. */
function nothingToBook({ children }: Family): 'nothingChild' | 'nothingYet' | 'nothingOff' {
  if (children.length === 0) return 'nothingChild'
  const waits = children.some(({ centers }) => centers.some(({ membership }) => membership.status !== 'ACTIVE'))
  return waits ? 'nothingYet' : 'nothingOff'
}
