/** The attendance of the last months in a line, with the way to all of it. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { useOwnAttendance } from './data.ts'
import { useFamilyWords } from './words.ts'

interface Counts {
  readonly attended: number
  readonly missed: number
}

function Line({ center, attended, missed }: Counts & { readonly center: string }) {
  const say = useFamilyWords()
  if (attended + missed === 0) return null
  return (
    <p className="family-last">
      <span>{say('counts', { attended, missed })}</span>
      <Link to="/c/$center/attendance" params={{ center }} className="link">
        {say('allAttendance')}
      </Link>
    </p>
  )
}

/** Of all children, or of one. */
export function LastAttendance({ center, child }: { readonly center: string; readonly child: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['bookings', 'family', 'attendance'],
    queryFn: ({ signal }) => api.family.listAttendance({}, { signal }),
  })
  const counts = data?.counts.filter(({ childId }) => child === undefined || childId === child) ?? []
  const sum = (of: (each: (typeof counts)[number]) => number) => counts.reduce((all, each) => all + of(each), 0)
  return <Line center={center} attended={sum(({ attended }) => attended)} missed={sum(({ noShow }) => noShow)} />
}

export function OwnLastAttendance({ center }: { readonly center: string }) {
  const { counts } = useOwnAttendance(center)
  return <Line center={center} attended={counts?.byKind.attended ?? 0} missed={counts?.byKind.no_show ?? 0} />
}
