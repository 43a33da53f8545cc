/** After days were closed: the appointments on them stay, and somebody has to move them. */
import { Link } from '@tanstack/react-router'
import { useBookingsWords } from './words.ts'

export function StayLine({ center, count }: { readonly center: string; readonly count: number | null }) {
  const say = useBookingsWords()
  if (count === null) return null
  return (
    <p role="status" className={count > 0 ? 'waiting' : 'verified'}>
      {count > 0 ? (
        <>
          {say('appointmentsStay', { count })}{' '}
          <Link to="/c/$center/bookings" params={{ center }} search={{ view: 'list', status: 'booked' }}>
            {say('showBookings')}
          </Link>
        </>
      ) : (
        <>✓ {say('daysClosed')}</>
      )}
    </p>
  )
}
