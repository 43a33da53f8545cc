/** What the address of the bookings says beside the center. */
import { isDay } from '../../ui/day.ts'

const views = ['week', 'day', 'list'] as const
const statuses = ['booked', 'attended', 'no_show', 'canceled'] as const

export interface BookingsSearch {
  readonly view?: (typeof views)[number] | undefined
  readonly date?: string | undefined
  /** The list: only these. */
  readonly status?: (typeof statuses)[number] | undefined
  readonly instructor?: string | undefined
  /** Appointments that have begun and have no attendance mark. */
  readonly open?: true | undefined
  /** The appointment whose slip is open. */
  readonly booking?: string | undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const oneOf = <T extends string>(list: readonly T[], value: unknown): T | undefined =>
  list.find((each) => each === value)

export const searchOf = (search: Record<string, unknown>): BookingsSearch => ({
  view: oneOf(views, search.view),
  date: isDay(search.date) ? search.date : undefined,
  status: oneOf(statuses, search.status),
  instructor: text(search.instructor),
  open: search.open === true ? true : undefined,
  booking: text(search.booking),
})

export const attendanceKinds = ['attended', 'no_show'] as const

/** What the address of the attendance says beside the center. */
export interface AttendanceSearch {
  readonly kind?: (typeof attendanceKinds)[number] | undefined
  readonly client?: string | undefined
  readonly instructor?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const attendanceSearch = (search: Record<string, unknown>): AttendanceSearch => ({
  kind: oneOf(attendanceKinds, search.kind),
  client: text(search.client),
  instructor: text(search.instructor),
  from: isDay(search.from) ? search.from : undefined,
  to: isDay(search.to) ? search.to : undefined,
})

/** Whose hours are shown. */
export const hoursSearch = (search: Record<string, unknown>): Pick<AttendanceSearch, 'instructor'> => ({
  instructor: text(search.instructor),
})

/** All instructors, where one's own are the default. */
export const everyone = 'all'

/** What the address of the roll call says beside the center. */
export const rollSearch = (search: Record<string, unknown>): RollSearch => ({
  date: isDay(search.date) ? search.date : undefined,
  instructor: text(search.instructor),
})
export type RollSearch = Pick<BookingsSearch, 'date' | 'instructor'>
