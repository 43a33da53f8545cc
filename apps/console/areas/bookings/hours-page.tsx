/** When appointments can be booked: the hours of each instructor, and the days on which the center is closed. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMe } from '../../app/queries.ts'
import { useRoles } from '../../app/role.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import './bookings.css'
import { ClosedDays } from './closed-days.tsx'
import { useInstructors } from './data.ts'
import { Holidays } from './holidays.tsx'
import { InstructorHours } from './instructor-hours.tsx'
import { InstructorSelect } from './instructor-select.tsx'
import { useBookingsWords } from './words.ts'

const route = getRouteApi('/c/$center/bookings/hours')

export function HoursPage() {
  const say = useBookingsWords()
  const { center } = route.useParams()
  const { instructor } = route.useSearch()
  const navigate = route.useNavigate()
  const isAdmin = useRoles(center).includes('ADMIN')
  const { data: me } = useMe()
  const found = useInstructors(center)
  return (
    <Page
      title={say('hours')}
      lede={say('hoursLede')}
      actions={
        <Link to="/c/$center/bookings" params={{ center }} className="btn plain low">
          {say('title')}
        </Link>
      }
    >
      <Part title={say('instructorHours')}>
        <Loaded query={found} skeletonRows={7}>
          {(instructors) => {
            // Instructors change only their own hours.
            const editable = instructors.filter(({ id }) => isAdmin || id === me?.actorId)
            const chosen = editable.find(({ id }) => id === instructor) ?? editable[0]
            return (
              <>
                {editable.length > 1 && (
                  <div className="bookings-head">
                    <InstructorSelect
                      center={center}
                      chosen={chosen?.id}
                      required
                      onChoose={(id) => void navigate({ search: { instructor: id }, replace: true })}
                    />
                  </div>
                )}
                {chosen ? (
                  <InstructorHours key={chosen.id} center={center} instructor={chosen} />
                ) : (
                  <p className="soft">{say('noInstructorHours')}</p>
                )}
              </>
            )
          }}
        </Loaded>
      </Part>
      <ClosedDays center={center} isAdmin={isAdmin} />
      <Holidays center={center} isAdmin={isAdmin} />
    </Page>
  )
}
