/** What waits for the partner, above its centers. Each line leads to where it is done, or does it. */
import type { PartnerDashboard } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { useSoleAdmins } from '../../app/waiting-passkeys.ts'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { CloseEmergency, ConfirmRole } from './outside.tsx'
import { centersQuery, stopsQuery } from './stop-data.ts'
import { usePartnerWords } from './words.ts'

export const useDashboard = () =>
  useQuery({
    queryKey: ['centers', 'partner', 'dashboard'],
    queryFn: ({ signal }) => api.partner.getDashboard({ signal }),
  })

export function Waiting() {
  const say = usePartnerWords()
  const isAdmin = usePartnerAdmin() === true
  const { data: passkeys } = useSoleAdmins('partner', isAdmin)
  const { data: centers } = useQuery(centersQuery)
  const { data: stops } = useQuery(stopsQuery)
  const { data: dashboard } = useDashboard()
  const broken = centers?.filter((each) => each.broken.length > 0) ?? []
  const suspended = centers?.filter(({ status }) => status === 'SUSPENDED') ?? []
  const waiting = passkeys?.length ?? 0
  const stopped = stops?.inForce.length ?? 0
  const tasks = dashboard?.waiting ?? []
  if (centers === undefined || dashboard === undefined) return null
  if (broken.length + suspended.length + waiting + stopped + tasks.length === 0)
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
      {tasks.map((task) => (
        <li key={`${task.kind} ${task.centerId} ${task.membershipId ?? task.eventId ?? task.domain}`}>
          <TaskLine task={task} isAdmin={isAdmin} />
        </li>
      ))}
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

type Task = PartnerDashboard['waiting'][number]

/** A domain of the partner itself has its place in the settings; all else is in the sheet of the center. */
function TaskLine({ task, isAdmin }: { readonly task: Task; readonly isAdmin: boolean }) {
  const say = usePartnerWords()
  const { kind, centerId, centerName, since, membershipId, memberName, role, eventId, domain } = task
  const text = (
    <StatusWord tone={kind === 'PAST_DUE' ? 'broken' : 'waiting'}>
      {say(`task${kind}`, { center: centerName, name: memberName, domain, role: role && say(`role${role}`) })}
    </StatusWord>
  )
  if (centerId === null)
    return (
      <Link to="/p/settings" className="link">
        {text}
      </Link>
    )
  return (
    <span className="partner-task">
      <Link from="/p/" search={(now) => ({ ...now, center: String(centerId) })} className="link">
        {text}
      </Link>
      <Time at={since} />
      {isAdmin && membershipId && memberName && role && (
        <ConfirmRole member={{ id: membershipId, centerId, name: memberName, centerName: centerName ?? '', role }} />
      )}
      {isAdmin && eventId && <CloseEmergency center={{ id: centerId, name: centerName ?? '' }} event={eventId} />}
    </span>
  )
}
