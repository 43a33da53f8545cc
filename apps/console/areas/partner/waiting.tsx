/** What waits for the partner, above its centers: broken chains, suspended centers, passkeys of sole administrators, stops. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePartnerAdmin } from '../../app/role.ts'
import { useSoleAdmins } from '../../app/waiting-passkeys.ts'
import { StatusWord } from '../../ui/status-word.tsx'
import { centersQuery, stopsQuery } from './stop-data.ts'
import { usePartnerWords } from './words.ts'

export function Waiting() {
  const say = usePartnerWords()
  const isAdmin = usePartnerAdmin() === true
  const { data: passkeys } = useSoleAdmins('partner', isAdmin)
  const { data: centers } = useQuery(centersQuery)
  const { data: stops } = useQuery(stopsQuery)
  const broken = centers?.filter((each) => each.broken.length > 0) ?? []
  const suspended = centers?.filter(({ status }) => status === 'SUSPENDED') ?? []
  const waiting = passkeys?.length ?? 0
  const stopped = stops?.inForce.length ?? 0
  if (centers === undefined) return null
  if (broken.length + suspended.length + waiting + stopped === 0)
    return (
      <p className="partner-waiting small">
        <StatusWord tone="verified">{say('nothingWaits')}</StatusWord>
      </p>
    )
  return (
    <ul className="partner-waiting" aria-label={say('waits')}>
      {broken.length > 0 && (
        <li>
          <Link to="/p/integrity" className="link">
            <StatusWord tone="broken">{say('waitsBroken', { count: broken.length })}</StatusWord>
          </Link>
        </li>
      )}
      {suspended.map(({ centerId, name }) => (
        <li key={centerId}>
          <Link from="/p/" search={(now) => ({ ...now, center: String(centerId) })} className="link">
            <StatusWord tone="broken">{say('waitsSuspended', { name })}</StatusWord>
          </Link>
        </li>
      ))}
      {waiting > 0 && (
        <li>
          <Link to="/p/passkeys" className="link">
            <StatusWord tone="waiting">{say('waitsPasskeys', { count: waiting })}</StatusWord>
          </Link>
        </li>
      )}
      {stopped > 0 && (
        <li>
          <Link to="/p/stop" search={{}} className="link">
            <StatusWord tone="waiting">{say('waitsStopped', { count: stopped })}</StatusWord>
          </Link>
        </li>
      )}
    </ul>
  )
}
