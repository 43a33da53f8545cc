/** Appointments as rows: where attendance is noted. */
import type { ListedBooking } from '@countersign/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useOffers } from '../../app/offers.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { startOf } from '../../ui/day.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { BookingStatus } from './booking-status.tsx'
import { useBookingMessages } from './messages.ts'
import type { BookingsSearch } from './search.ts'
import { useBookingsWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly search: BookingsSearch & { readonly date: string }
  readonly onOpen: (id: string) => void
}

export function ListView({ center, search, onOpen }: Properties) {
  const say = useBookingsWords()
  const { date, status, instructor, open } = search
  const filters = {
    ...(open
      ? { to: new Date().toISOString(), status: 'booked' as const }
      : { from: startOf(date), ...(status && { status }) }),
    ...(instructor && { instructorId: instructor }),
  }
  const list = useInfiniteQuery({
    queryKey: ['bookings', center, 'list', open ? 'open' : date, status, instructor],
    queryFn: ({ pageParam, signal }) =>
      api.bookings.list(center, { ...filters, limit: 50, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.nextCursor ?? undefined,
  })
  const messages = useBookingMessages(center)
  const { attendance: mayMark } = useOffers(center)
  const note = useChange<{ booking: ListedBooking; kind: 'attended' | 'no_show' }>(
    ['bookings'],
    ({ booking: { id }, kind }) =>
      kind === 'attended' ? api.bookings.markAttended(center, id) : api.bookings.markNoShow(center, id),
    {
      told: (_, { booking, kind }) => messages.told(booking, kind),
      undo: (_, { booking, kind }) => messages.undo(booking, kind),
    },
  )
  const columns: readonly Column<ListedBooking>[] = [
    { id: 'time', title: say('time'), cell: ({ startsAt }) => <Time at={startsAt} /> },
    {
      id: 'client',
      title: say('client'),
      cell: ({ id, clientName }) => (
        <button type="button" className="link" onClick={() => onOpen(id)}>
          {clientName ?? say('formerMember')}
        </button>
      ),
    },
    { id: 'instructor', title: say('instructor'), cell: ({ instructorName }) => instructorName ?? say('formerMember') },
    { id: 'status', title: say('status'), cell: ({ status: state }) => <BookingStatus status={state} /> },
    {
      id: 'note',
      title: say('note'),
      cell: (booking) =>
        mayMark && booking.status === 'booked' && Date.parse(booking.startsAt) <= Date.now() ? (
          <span className="bookings-moves">
            {(['attended', 'no_show'] as const).map((kind) => (
              <button
                key={kind}
                type="button"
                className="btn plain low"
                disabled={note.isPending}
                onClick={() => note.mutate({ booking, kind })}
              >
                {say(`status${kind}`)}
              </button>
            ))}
          </span>
        ) : (
          <span className="soft">{booking.reason}</span>
        ),
    },
  ]
  const rows = list.data?.pages.flatMap(({ data }) => data)
  if (list.error) return <ErrorPanel error={list.error} onRetry={() => void list.refetch()} />
  if (!rows) return <Skeleton rows={8} />
  if (rows.length === 0) {
    return (
      <Empty title={say(open ? 'emptyOpen' : 'empty')}>
        <p>{say(open ? 'emptyOpenText' : 'emptyText')}</p>
      </Empty>
    )
  }
  return (
    <>
      <ErrorLine error={note.error} />
      <DataTable label={say('title')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      <ListFoot
        more={list.hasNextPage ? () => void list.fetchNextPage() : null}
        csv={{
          path: `/api/centers/${center}/bookings.csv?${new URLSearchParams(filters)}`,
          file: `bookings-${center}.csv`,
        }}
      />
    </>
  )
}
