/** Days beside each other, hours below each other. A slip of paper is an appointment, and a click on free time books. */
import type { ListedBooking, Slot, WeekHours } from '@countersign/sdk'
import { type KeyboardEvent, useId, useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { type Day, dayOf, dayText, minutesOf, today, weekdayOf } from '../../ui/day.ts'
import { type SlotsByDay, timesOf } from './free-slots.ts'
import { placed } from './lanes.ts'
import { MoveLines } from './move-lines.tsx'
import { useSlipMove } from './slip-move.ts'
import { useMove } from './use-move.ts'
import { WeekSlip } from './week-slip.tsx'
import { useBookingsWords } from './words.ts'

const hourPx = 64
const names = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Interval = readonly [from: number, to: number]

const minutes = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}
const openOn = (day: Day, hours: WeekHours): Interval[] =>
  (hours[names[weekdayOf(day)] ?? 'mon'] ?? []).map(({ from, to }) => [minutes(from), minutes(to)])

/** What lies between the opening hours of the day, within the hours that the view shows. */
function closedTimes(open: readonly Interval[], [first, last]: Interval): Interval[] {
  const closed: Interval[] = []
  let at = first
  for (const [from, to] of open.toSorted(([one], [other]) => one - other)) {
    if (from > at) closed.push([at, from])
    at = Math.max(at, to)
  }
  if (at < last) closed.push([at, last])
  return closed
}

interface Properties {
  readonly center: string
  readonly days: readonly Day[]
  readonly bookings: readonly ListedBooking[]
  readonly hours: WeekHours
  readonly closures: ReadonlyMap<Day, string>
  readonly slots: SlotsByDay
  readonly onOpen: (id: string) => void
  readonly onDay: (day: Day) => void
  readonly onBook: (slot: Slot) => void
}

export function Columns({ center, days, bookings, hours, closures, slots, onOpen, onDay, onBook }: Properties) {
  const say = useBookingsWords()
  const language = useLanguage()
  const shown = days.flatMap((day) => openOn(day, hours))
  const times = bookings.flatMap(({ startsAt, endsAt }) => [minutesOf(startsAt), minutesOf(endsAt) || 1440])
  const first = Math.floor(Math.min(...shown.map(([from]) => from), ...times, 9 * 60) / 60) * 60
  const last = Math.ceil(Math.max(...shown.map(([, to]) => to), ...times, 18 * 60) / 60) * 60
  const place = (from: number, to: number) => ({
    top: ((from - first) / 60) * hourPx + 2,
    height: ((to - from) / 60) * hourPx - 3,
  })
  const height = ((last - first) / 60) * hourPx
  const labels = Array.from({ length: (last - first) / 60 }, (_, at) => first + at * 60)
  const hourText = (at: number) =>
    new Intl.DateTimeFormat(language === 'ko' ? 'ko-KR' : 'en-US', {
      hour: 'numeric',
      hour12: true,
      timeZone: 'UTC',
    }).format(at * 60_000)
  const hint = useId()
  const [refused, setRefused] = useState<ListedBooking | null>(null)
  const state = useMove(center)
  const moving = useSlipMove({
    ...{ slots, hourPx, first },
    onMove: (booking, to) => state.move.mutate({ booking, to }),
    onPick: () => {
      setRefused(null)
      state.forget()
    },
    onRefused: setRefused,
  })
  const target = moving.picked?.target
  return (
    <>
      <p id={hint} hidden>
        {say('moveHint')}
      </p>
      <MoveLines state={state} picked={moving.picked} refused={refused} />
      <div className="week" style={{ gridTemplateColumns: `64px repeat(${days.length}, minmax(0, 1fr))` }}>
        <div className="week-day" />
        {days.map((day) => (
          <button
            key={day}
            type="button"
            className="week-day"
            aria-current={day === today() ? 'date' : undefined}
            title={dayText(day, language, 'full')}
            onClick={() => onDay(day)}
          >
            {dayText(day, language, 'weekday')}
            {day === today() && ` · ${say('todayMark')}`}
            {closures.has(day) && ` · ${say('closedMark')}`}
            <b>{Number(day.slice(8))}</b>
          </button>
        ))}
        <div className="week-hours" style={{ height }} aria-hidden="true">
          {labels.map((at) => (
            <span key={at} style={{ top: Math.max(0, ((at - first) / 60) * hourPx - 10) }}>
              {hourText(at)}
            </span>
          ))}
        </div>
        {days.map((day) => (
          <ol
            key={day}
            data-day={day}
            className="week-column"
            style={{ height }}
            aria-label={dayText(day, language, 'full')}
            onKeyDown={goByArrow}
          >
            {closures.has(day) && (
              <li className="slip-off week-closed" style={place(first, last)}>
                <b>{closures.get(day)}</b>
              </li>
            )}
            {timesOf(slots.get(day) ?? []).map((slot, at) => (
              <li
                key={`free ${slot.startsAt}`}
                className="slot-free"
                style={place(minutesOf(slot.startsAt), minutesOf(slot.endsAt) || 1440)}
              >
                <button
                  type="button"
                  tabIndex={at === 0 ? 0 : -1}
                  aria-label={say('bookAt', { time: timeText(slot.startsAt, language, 'short') })}
                  onClick={() => onBook(slot)}
                >
                  <span aria-hidden="true">+ {timeText(slot.startsAt, language, 'clock')}</span>
                </button>
              </li>
            ))}
            {target && dayOf(target.startsAt) === day && (
              <li className="slot-target" style={place(minutesOf(target.startsAt), minutesOf(target.endsAt) || 1440)} />
            )}
            {!closures.has(day) &&
              closedTimes(openOn(day, hours), [first, last]).map(([from, to]) => (
                <li key={`closed ${from}`} className="slip-off" style={place(from, to)}>
                  {to - from >= 60 && say('closed')}
                </li>
              ))}
            {placed(bookings.filter(({ startsAt }) => dayOf(startsAt) === day)).map(({ value, lane, lanes }) => (
              <li
                key={value.id}
                className="slip-place"
                style={{
                  ...place(minutesOf(value.startsAt), minutesOf(value.endsAt) || 1440),
                  left: `calc(${(lane / lanes) * 100}% + 5px)`,
                  width: `calc(${100 / lanes}% - ${lanes > 1 ? 7 : 10}px)`,
                }}
              >
                <WeekSlip booking={value} moving={moving} hint={hint} onOpen={onOpen} />
              </li>
            ))}
            {day === today() && <Now first={first} last={last} />}
          </ol>
        ))}
      </div>
    </>
  )
}

/** Tab leads to the first free time of each day, and the arrows to the others. */
function goByArrow(event: KeyboardEvent<HTMLOListElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : undefined
  const free = [...event.currentTarget.querySelectorAll<HTMLElement>('.slot-free > button')]
  const at = free.indexOf(event.target as HTMLElement)
  const next = step === undefined || at < 0 ? undefined : free[at + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** The one heavy line of this view. */
function Now({ first, last }: { readonly first: number; readonly last: number }) {
  const say = useBookingsWords()
  const language = useLanguage()
  const at = minutesOf(Date.now())
  if (at < first || at >= last) return null
  return (
    <li className="week-now" style={{ top: ((at - first) / 60) * hourPx }}>
      <span>
        {say('now')} {timeText(Date.now(), language, 'clock')}
      </span>
    </li>
  )
}
