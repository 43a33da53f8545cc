/** The first page of a center's staff: the day's appointments, what waits for the person, and what a new center does first. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { api } from '../../app/api.ts'
import { useRoles } from '../../app/role.ts'
import { Desk, Sheet, useTitle } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Appointments } from './appointments.tsx'
import { FirstWeek } from './first-week.tsx'
import { Since } from './since.tsx'
import './today.css'
import { useNotices } from '../../app/notices.ts'
import { Standing } from './standing.tsx'
import { Waiting } from './waiting.tsx'
import { useTodayWords } from './words.ts'

/** With what draws plots, which the rest of the page doesn't wait for. */
const Attendance = lazy(async () => ({ default: (await import('./attendance.tsx')).Attendance }))
/** With the words of all workflows, which a page without drafts does not load. */
const Drafts = lazy(async () => ({ default: (await import('./drafts.tsx')).Drafts }))

const route = getRouteApi('/c/$center/today')

export function TodayPage() {
  const say = useTodayWords()
  const { center } = route.useParams()
  const isAdmin = useRoles(center).includes('ADMIN')
  useTitle(say('title'))
  const { data: notices } = useNotices(center)
  const { data, error, refetch } = useQuery({
    queryKey: ['today', center],
    queryFn: ({ signal }) => api.console.getToday({ signal }),
    staleTime: 60_000,
    refetchInterval: 300_000,
  })
  return (
    <Desk
      list={<Appointments center={center} isAdmin={isAdmin} />}
      listLabel={say('appointments')}
      keepList
      sheet={
        <Sheet label={say('title')}>
          <Waiting center={center} />
          {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton rows={6} />}
          {data && (
            <>
              {data.drafts.length > 0 && (
                <Suspense>
                  <Drafts center={center} drafts={data.drafts} />
                </Suspense>
              )}
              <Suspense fallback={<Skeleton rows={4} />}>
                <Attendance days={data.days} />
              </Suspense>
            </>
          )}
        </Sheet>
      }
      margin={
        data && (
          <>
            {data.steps && <FirstWeek center={center} steps={data.steps} />}
            <Since sealed={data.sealed} rejected={data.rejected} joined={data.joined} />
            {notices && <Standing center={center} notices={notices} isAdmin={isAdmin} />}
          </>
        )
      }
    />
  )
}
