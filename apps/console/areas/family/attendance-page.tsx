/** The attendance of a guardian's children in the last three months, and that of a client. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../app/api.ts'
import { useRoles } from '../../app/role.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { useFamily, useOwnAttendance, useOwnClient } from './data.ts'
import './family.css'
import { useFamilyWords } from './words.ts'

const route = getRouteApi('/c/$center/attendance')

/** Somebody may be a guardian and a client of the same center: whatever other roles they have, each role shows its part. */
export function AttendancePage() {
  const { center } = route.useParams()
  const roles = useRoles(center)
  const isGuardian = roles.includes('PARENT')
  const isClient = roles.includes('CHILD') || !isGuardian
  return isGuardian ? <OfFamily client={isClient ? center : null} /> : <OfClient center={center} />
}

interface Row {
  readonly at: string
  readonly kind: 'attended' | 'no_show'
  readonly bookingId: string | null
}

const Rows = <R extends Row>({
  rows,
  detail,
}: {
  readonly rows: readonly R[]
  readonly detail: (row: R) => ReactNode
}) => {
  const say = useFamilyWords()
  return (
    <ul className="family-rows">
      {rows.map((row) => (
        <li key={row.bookingId ?? `${row.at} ${row.kind}`}>
          <span>
            <Time at={row.at} />
            <small>{detail(row)}</small>
          </span>
          <StatusWord tone={row.kind === 'attended' ? 'verified' : 'broken'}>{say(`kind${row.kind}`)}</StatusWord>
        </li>
      ))}
    </ul>
  )
}

function NoAttendance() {
  const say = useFamilyWords()
  return (
    <Empty title={say('noAttendance')}>
      <p>{say('noAttendanceText')}</p>
    </Empty>
  )
}

function OfClient({ center }: { readonly center: string }) {
  const say = useFamilyWords()
  const own = useOwnAttendance(center)
  const { rows, counts } = own
  const numbers = counts && { attended: counts.byKind.attended, missed: counts.byKind.no_show }
  return (
    <Page title={say('attendance')} lede={rows && rows.length > 0 && numbers && say('counts', numbers)}>
      <OwnRows own={own} />
    </Page>
  )
}

function OwnRows({ own: { rows, error, again, more } }: { readonly own: ReturnType<typeof useOwnAttendance> }) {
  const say = useFamilyWords()
  return (
    <>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={5} />}
      {rows?.length === 0 && <NoAttendance />}
      <Rows rows={rows ?? []} detail={({ instructorName }) => instructorName} />
      {more && (
        <button type="button" className="btn plain" onClick={more}>
          {say('showMore')}
        </button>
      )}
    </>
  )
}

function OwnPart({ center }: { readonly center: string }) {
  const say = useFamilyWords()
  const own = useOwnAttendance(center)
  const client = useOwnClient(center)
  const { rows, counts } = own
  const numbers = counts && { attended: counts.byKind.attended, missed: counts.byKind.no_show }
  return (
    <Part
      title={client?.childName ?? say('attendance')}
      aside={rows && rows.length > 0 && numbers && say('counts', numbers)}
    >
      <OwnRows own={own} />
    </Part>
  )
}

/** `client`: the center of which the guardian is a client too. */
function OfFamily({ client }: { readonly client: string | null }) {
  const say = useFamilyWords()
  const family = useFamily()
  const { data, error, refetch } = useQuery({
    queryKey: ['bookings', 'family', 'attendance'],
    queryFn: ({ signal }) => api.family.listAttendance({}, { signal }),
  })
  return (
    <Page title={say('attendance')} lede={client === null && say('attendanceLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} />}
      {client === null && data?.attendance.length === 0 && <NoAttendance />}
      {family.data?.children.map(({ actorId, name }) => {
        const own = data?.attendance.filter(({ childId }) => childId === actorId) ?? []
        const counts = data?.counts.find(({ childId }) => childId === actorId)
        if (own.length === 0) return null
        return (
          <Part
            key={actorId}
            title={name}
            aside={counts && say('counts', { attended: counts.attended, missed: counts.noShow })}
          >
            <Rows rows={own} detail={({ instructorName, centerName }) => instructorName ?? centerName} />
          </Part>
        )
      })}
      {client !== null && <OwnPart center={client} />}
    </Page>
  )
}
