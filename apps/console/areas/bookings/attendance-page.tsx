/** Who came and who did not, newest first: of appointments, and as companion applications verified it. */
import type { Attendance } from '@countersign/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { download } from '../../app/download.ts'
import { usePages } from '../../app/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { addDays, startOf } from '../../ui/day.ts'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { BookingStatus } from './booking-status.tsx'
import './bookings.css'
import { InstructorSelect } from './instructor-select.tsx'
import { type AttendanceSearch, attendanceKinds } from './search.ts'
import { useBookingsWords } from './words.ts'

const route = getRouteApi('/c/$center/bookings/attendance')

export function AttendancePage() {
  const say = useBookingsWords()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const go = (next: AttendanceSearch) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const { kind, client, instructor, from, to } = search
  const filters = {
    ...(kind && { kind }),
    ...(client && { clientId: client }),
    ...(instructor && { instructorId: instructor }),
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(addDays(to, 1)) }),
  }
  const { rows, total, counts, error, again, more } = usePages(
    ['bookings', center, 'attendance', filters],
    ({ limit, page, signal }) => api.attendance.list(center, { limit, page, ...filters }, { signal }),
  )
  const csv = useChange(
    [],
    () => download(`/api/centers/${center}/attendance.csv?${new URLSearchParams(filters)}`, `attendance-${center}.csv`),
    { told: 'file' },
  )
  const clientOf = ({ clientName, reference, clientId }: Attendance) =>
    clientName ?? reference ?? say(clientId === null ? 'unknownClient' : 'formerMember')
  const columns: readonly Column<Attendance>[] = [
    { id: 'time', title: say('time'), cell: ({ at }) => <Time at={at} /> },
    {
      id: 'client',
      title: say('client'),
      cell: (row) => {
        const { clientId } = row
        if (clientId === null || clientId === client) return clientOf(row)
        return (
          <button type="button" className="link" onClick={() => go({ client: clientId })}>
            {clientOf(row)}
          </button>
        )
      },
    },
    {
      id: 'instructor',
      title: say('instructor'),
      cell: ({ instructorId, instructorName }) => instructorId && (instructorName ?? say('formerMember')),
    },
    { id: 'status', title: say('status'), cell: (row) => <BookingStatus status={row.kind} /> },
    {
      id: 'source',
      title: say('source'),
      cell: ({ source }) => <span className="soft">{say(`source${source}`)}</span>,
    },
  ]
  const [first] = rows ?? []
  return (
    <Page
      title={say('attendance')}
      lede={counts && say('attendanceCount', { attended: counts.byKind.attended, missed: counts.byKind.no_show })}
      actions={
        <>
          <Link to="/c/$center/bookings" params={{ center }} className="btn plain low">
            {say('title')}
          </Link>
          <button type="button" className="btn plain low" disabled={csv.isPending} onClick={() => csv.mutate()}>
            {say('csv')}
          </button>
        </>
      }
    >
      <div className="bookings-head">
        <InstructorSelect center={center} chosen={instructor} onChoose={(id) => go({ instructor: id })} />
        <select
          className="field"
          aria-label={say('status')}
          value={kind ?? ''}
          onChange={({ target }) => go({ kind: attendanceKinds.find((each) => each === target.value) })}
        >
          <option value="">{say('anyStatus')}</option>
          {attendanceKinds.map((each) => (
            <option key={each} value={each}>
              {`${say(`status${each}`)}${counts ? ` ${counts.byKind[each]}` : ''}`}
            </option>
          ))}
        </select>
        {(['from', 'to'] as const).map((edge) => (
          <label key={edge} className="bookings-date">
            <span>{say(edge === 'from' ? 'fromDay' : 'toDay')}</span>
            <input
              type="date"
              className="field"
              value={search[edge] ?? ''}
              onChange={({ target }) => go({ [edge]: target.value || undefined })}
            />
          </label>
        ))}
        {client && (
          <button type="button" className="btn plain low" onClick={() => go({ client: undefined })}>
            {say('allClients', { client: first ? clientOf(first) : say('client') })}
          </button>
        )}
      </div>
      <ErrorLine error={csv.error} />
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={8} />}
      {total === 0 && (
        <Empty title={say('noAttendance')}>
          <p>{say('noAttendanceText')}</p>
        </Empty>
      )}
      {rows && rows.length > 0 && (
        <DataTable label={say('attendance')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      {more && (
        <button type="button" className="btn plain" onClick={more}>
          {say('more')}
        </button>
      )}
    </Page>
  )
}
