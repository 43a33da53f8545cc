/** For a guardian, phone first: the children, what comes next, and a new appointment. */
import type { FamilyAppointment } from '@countersign/sdk'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { dayOf, dayText, today } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AppointmentDialog } from './appointment-dialog.tsx'
import { BookDialog } from './book-dialog.tsx'
import { Children } from './children.tsx'
import { useAppointments, useFamily } from './data.ts'
import './family.css'
import { useFamilyWords } from './words.ts'

const route = getRouteApi('/c/$center/family')

/** Appointments of each day, in the order of time. */
function byDay(appointments: readonly FamilyAppointment[]): readonly (readonly [string, FamilyAppointment[]])[] {
  const days = new Map<string, FamilyAppointment[]>()
  for (const each of appointments) {
    const day = dayOf(each.startsAt)
    days.set(day, [...(days.get(day) ?? []), each])
  }
  return [...days]
}

export function FamilyPage() {
  const say = useFamilyWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [booking, setBooking] = useState(false)
  const family = useFamily()
  const { data, error, refetch } = useAppointments(search.child)
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const children = family.data?.children ?? []
  const canBook = children.some(({ centers }) => centers.some((each) => each.canBook))
  const shown = data?.appointments.filter(({ status }) => status !== 'canceled')
  const several = new Set(data?.appointments.map(({ centerId }) => centerId)).size > 1
  const chosen = data?.appointments.find(({ id }) => id === search.appointment)
  return (
    <Page
      title={say('title')}
      actions={
        canBook && (
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
      <section className="family-next" aria-label={say('appointments')}>
        {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton rows={4} />}
        {data?.unavailable.map(({ centerId, centerName }) => (
          <p key={centerId} className="waiting">
            <span aria-hidden="true">◷ </span>
            {say('unavailable', { center: centerName })}
          </p>
        ))}
        {shown?.length === 0 && (
          <Empty title={say('nothing')}>
            <p>{say(canBook ? 'nothingText' : 'nothingYet')}</p>
          </Empty>
        )}
        {byDay(shown ?? []).map(([day, appointments]) => (
          <div key={day}>
            <h2 className="family-day">
              {dayText(day, language, 'short')}
              {day === today() && ` · ${say('today')}`}
            </h2>
            <ul>
              {appointments.map((each) => (
                <li key={each.id}>
                  <button type="button" className="family-slip" onClick={() => go({ appointment: each.id })}>
                    <b className="family-time">{timeText(each.startsAt, language, 'clock')}</b>
                    <span>
                      <b>{each.childName}</b>
                      <small>
                        {each.instructorName ?? say('formerMember')}
                        {several && ` · ${each.centerName}`}
                      </small>
                    </span>
                    <span aria-hidden="true">→</span>
                  </button>
                </li>
              ))}
            </ul>
          </div>
        ))}
        {data?.more && <p className="soft small">{say('more')}</p>}
      </section>
      {chosen && <AppointmentDialog appointment={chosen} onClose={() => go({ appointment: undefined })} />}
      {booking && <BookDialog family={children} onClose={() => setBooking(false)} />}
    </Page>
  )
}
