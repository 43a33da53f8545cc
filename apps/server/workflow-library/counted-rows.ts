/** The rows that a draft counts, for its reviewer: the draft says only how many there are. Pure. */
import type { Counted } from '../features/automation/workflows/api.ts'
import { attendee, label } from './figures.ts'
import { type Period, within } from './period.ts'
import type { AttendanceFound, BookedSessionRow } from './queries.ts'

/** What is stored with a step is passed to the steps after it, and read with every look at the execution. */
const maxRows = 500

type CountedRow = Counted['rows'][number]

/** A row of attendance with an appointment says only what became of that appointment, which has a row of its own. */
export function countedRows(
  sessions: readonly BookedSessionRow[],
  attendance: readonly AttendanceFound[],
  period: Period,
): Counted | null {
  const rows = [
    ...sessions.map(({ startsAt, client, instructor, missed, recorded }) =>
      row(startsAt, label(client), label(instructor), missed ? 'missed' : recorded ? 'attended' : 'unrecorded'),
    ),
    ...attendance
      .filter(({ booked }) => !(booked && sessions.length > 0))
      .map((each) =>
        row(each.at, attendee(each), each.instructor && label(each.instructor), each.missed ? 'missed' : 'attended'),
      ),
  ]
    .filter(({ at }) => within(period, new Date(at)))
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0))
  return rows.length === 0 ? null : { rows: rows.slice(0, maxRows), total: rows.length }
}

const row = (at: Date, who: string | null, by: string | null, state: CountedRow['state']): CountedRow => ({
  ...{ at: at.toISOString(), who, by, state },
})
