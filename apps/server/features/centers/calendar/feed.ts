/** A person's calendar as text. What it leaves out, a stranger's server never gets: see decision 0102. */
import en from '@countersign/words/en/calendar.json' with { type: 'json' }
import ko from '@countersign/words/ko/calendar.json' with { type: 'json' }
import { type Language, say } from '@countersign/words/say.ts'
import { termValues } from '@countersign/words/terms.ts'
import type { Config } from '../../../config/config.ts'
import { typedId } from '../../../lib/ids.ts'
import { languageOf } from '../../../mail/compose.ts'
import type { SeenAppointment } from './appointments.ts'
import { type CalendarEvent, calendarText } from './ics.ts'
import { initialsOf } from './names.ts'

interface Shown {
  readonly names: boolean
  /** Null: that of each center. */
  readonly language: Language | null
}

const catalog = { ko, en }

/** Whom the person meets. Instructors can't agree for their clients: of those only initials. */
function otherOf({ as, clientName, instructorName }: SeenAppointment): string | null {
  if (as === 'instructor') return clientName === null ? null : initialsOf(clientName)
  return as === 'guardian' ? clientName : instructorName
}

const pathOf = ({ as, domain }: SeenAppointment, id: string): string =>
  as === 'instructor'
    ? `/c/${domain}/bookings?booking=${id}`
    : `/c/${domain}/${as === 'guardian' ? 'family' : 'appointments'}?appointment=${id}`

function eventOf(publicUrl: string, row: SeenAppointment, { names, language }: Shown): CalendarEvent {
  const id = typedId('booking', row.id)
  const { center, as, created_at: createdAt } = row
  const spoken = language ?? languageOf(center.locale)
  const changedAt = row.changed_at ?? createdAt
  const values = {
    ...termValues(center.terms, spoken),
    center: center.name,
    name: names ? otherOf(row) : null,
    with: names && as === 'guardian' ? row.instructorName : null,
  }
  const url = `${publicUrl}${pathOf(row, id)}`
  return {
    uid: `${id}@countersign`,
    // A booking has no counter of its changes; the seconds until the last one grow like one.
    sequence: Math.max(0, Math.ceil((changedAt.getTime() - createdAt.getTime()) / 1000)),
    changedAt,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    isCanceled: row.status === 'canceled',
    summary: say(catalog, spoken, 'summary', values),
    description: say(catalog, spoken, 'description', { ...values, url }),
    url,
  }
}

export function feedText(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  appointments: readonly SeenAppointment[],
  shown: Shown,
): string {
  const language = shown.language ?? languageOf(appointments[0]?.center.locale ?? 'en')
  return calendarText(
    say(catalog, language, 'title'),
    appointments.map((row) => eventOf(publicUrl, row, shown)),
  )
}
