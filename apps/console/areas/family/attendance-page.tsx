/** The attendance of the children in the last three months. */
import { useQuery } from '@tanstack/react-query'
import { api } from '../../app/api.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { useFamily } from './data.ts'
import './family.css'
import { useFamilyWords } from './words.ts'

export function AttendancePage() {
  const say = useFamilyWords()
  const family = useFamily()
  const { data, error, refetch } = useQuery({
    queryKey: ['bookings', 'family', 'attendance'],
    queryFn: ({ signal }) => api.family.listAttendance({}, { signal }),
  })
  return (
    <Page title={say('attendance')} lede={say('attendanceLede')}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={5} />}
      {data?.attendance.length === 0 && (
        <Empty title={say('noAttendance')}>
          <p>{say('noAttendanceText')}</p>
        </Empty>
      )}
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
            <ul className="family-rows">
              {own.map(({ at, kind, centerName, instructorName, bookingId }) => (
                <li key={bookingId ?? `${at} ${kind}`}>
                  <span>
                    <Time at={at} />
                    <small>{instructorName ?? centerName}</small>
                  </span>
                  <StatusWord tone={kind === 'attended' ? 'verified' : 'broken'}>{say(`kind${kind}`)}</StatusWord>
                </li>
              ))}
            </ul>
          </Part>
        )
      })}
    </Page>
  )
}
