/** Appointments from the next one on: the next in large, the others by day. */
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { dayOf, dayText, today } from '../../ui/day.ts'
import { StatusWord } from '../../ui/status-word.tsx'
import { isOpen } from './appointment.ts'
import { type Appointment, overlapsOf } from './overlap.ts'
import { useFamilyWords } from './words.ts'

export interface Opened {
  readonly id: string
  readonly doing?: 'move' | 'cancel'
}

interface Properties {
  readonly appointments: readonly Appointment[]
  /** Names the child on each: a guardian's page. */
  readonly ofChildren?: boolean
  readonly mayMove: (appointment: Appointment) => boolean
  readonly onOpen: (opened: Opened) => void
}

/** Appointments of each day, in the order of time. */
const byDay = (appointments: readonly Appointment[]) => [
  ...Map.groupBy(appointments, ({ startsAt }) => dayOf(startsAt)),
]

export function Slips({ appointments, ofChildren = false, mayMove, onOpen }: Properties) {
  const say = useFamilyWords()
  const language = useLanguage()
  const next = appointments.find(isOpen)
  const several = new Set(appointments.map(({ centerDomain }) => centerDomain)).size > 1
  const overlaps = overlapsOf(appointments)
  const dayOfText = (startsAt: string) => {
    const day = dayOf(startsAt)
    return `${dayText(day, language, 'short')}${day === today() ? ` · ${say('today')}` : ''}`
  }
  const withWhom = (each: Appointment) =>
    [each.instructorName ?? say('formerMember'), several ? each.centerName : ''].filter(Boolean).join(' · ')
  const warning = (each: Appointment) =>
    overlaps.get(each.id)?.map((other) => (
      <small key={other.id} className="waiting">
        <span aria-hidden="true">◷ </span>
        {say('overlaps', { center: other.centerName, time: timeText(other.startsAt, language, 'clock') })}
      </small>
    ))
  return (
    <>
      {next && (
        <section className="family-first" aria-label={say('next')}>
          <p className="small soft">
            {say('next')}
            {ofChildren && ` · ${next.childName}`}
          </p>
          <h2>
            {dayOfText(next.startsAt)} {timeText(next.startsAt, language, 'clock')}
          </h2>
          <p>{withWhom(next)}</p>
          {warning(next)}
          <div className="family-moves">
            {mayMove(next) && (
              <button type="button" className="btn" onClick={() => onOpen({ id: next.id, doing: 'move' })}>
                {say('move')}
              </button>
            )}
            <button type="button" className="btn plain" onClick={() => onOpen({ id: next.id, doing: 'cancel' })}>
              {say('cancel')}
            </button>
          </div>
        </section>
      )}
      {byDay(appointments.filter((each) => each !== next)).map(([day, ofDay]) => (
        <div key={day}>
          <h2 className="family-day">{dayOfText(ofDay[0]?.startsAt ?? '')}</h2>
          <ul>
            {ofDay.map((each) => (
              <li key={each.id}>
                <button
                  type="button"
                  className={`family-slip ${each.status === 'canceled' ? 'canceled' : ''}`}
                  onClick={() => onOpen({ id: each.id })}
                >
                  <b className="family-time">{timeText(each.startsAt, language, 'clock')}</b>
                  <span>
                    {ofChildren && <b>{each.childName}</b>}
                    <small>{withWhom(each)}</small>
                    {each.status === 'canceled' && <StatusWord tone="plain">{say('statuscanceled')}</StatusWord>}
                    {warning(each)}
                  </span>
                  <span aria-hidden="true">→</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  )
}
