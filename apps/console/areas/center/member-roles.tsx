/** The roles of a member, and the dialog that changes them: it says what the person gains and loses, and from when it counts. */
import type { ListedMember } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { numberText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { roles as known } from './search.ts'
import { useCenterWords } from './words.ts'

type Role = ListedMember['role']

export function useRolesText() {
  const say = useCenterWords()
  return (roles: readonly Role[]) => roles.map((role) => say(`role${role}`)).join(' · ')
}

interface Properties {
  readonly member: ListedMember
  readonly lastAdmin: boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

export function RolesDialog({ member, lastAdmin, onClose, onDone }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const { id, name, roles } = member
  const [chosen, setChosen] = useState<readonly Role[]>(roles)
  const gained = chosen.filter((role) => !roles.includes(role))
  const lost = roles.filter((role) => !chosen.includes(role))
  const same = gained.length === 0 && lost.length === 0
  // One's own roles decide what the menu shows.
  const save = useChange(['members', 'me'], () => api.memberships.update(id, { roles: [...chosen] }), {
    told: () => done('rolesChanged', { name }),
    undo: () => () => api.memberships.update(id, { roles: [...roles] }),
    onDone,
  })
  const toggle = (role: Role) => setChosen(known.filter((each) => chosen.includes(each) !== (each === role)))
  return (
    <Confirm
      title={say('askRoles', { name })}
      action={say('saveRoles')}
      missing={chosen.length === 0 ? say('noRoleChosen') : same ? say('sameRoles') : undefined}
      onConfirm={() => save.mutateAsync()}
      onClose={onClose}
    >
      <fieldset className="choices">
        <legend className="label">{say('role')}</legend>
        {known.map((role) => (
          <label key={role}>
            <input
              type="checkbox"
              checked={chosen.includes(role)}
              disabled={lastAdmin && role === 'ADMIN'}
              onChange={() => toggle(role)}
            />
            <span>
              {say(`role${role}`)}
              <small>{say(`may${role}`)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      {lastAdmin && <p className="soft small">{say('lastAdminRole')}</p>}
      {chosen.length > 0 && !same && <Changes {...{ member, gained, lost }} />}
    </Confirm>
  )
}

const approves = (role: Role): boolean => role === 'ADMIN' || role === 'INSTRUCTOR'

function Changes({
  member,
  gained,
  lost,
}: Pick<Properties, 'member'> & { readonly gained: readonly Role[]; readonly lost: readonly Role[] }) {
  const say = useCenterWords()
  const text = useRolesText()
  const { data: me } = useMe()
  const isOwn = me?.memberships.some(({ id }) => id === member.id) ?? false
  const [given, taken] = [gained.filter(approves), lost.filter(approves)]
  return (
    <section className="center-changes" aria-live="polite">
      <h3 className="label">{say('whatChanges')}</h3>
      <ul className="center-list">
        {gained.map((role) => (
          <li key={role}>
            <b>{say('gains', { role: say(`role${role}`) })}</b> {say(`gain${role}`)}
          </li>
        ))}
        {lost.map((role) => (
          <li key={role}>
            <b>{say('loses', { role: say(`role${role}`) })}</b> {say(`lose${role}`)}
          </li>
        ))}
      </ul>
      {given.length > 0 && <p className="soft small">{say('gainCounts', { role: text(given) })}</p>}
      {taken.length > 0 && <p className="soft small">{say('loseCounts', { role: text(taken) })}</p>}
      {isOwn && lost.includes('ADMIN') && <p className="waiting small">{say('loseOwnAdmin')}</p>}
      {lost.includes('INSTRUCTOR') && member.actorId !== null && (
        <Upcoming center={member.centerDomain} instructor={member.actorId} />
      )}
    </section>
  )
}

/** Appointments stay with somebody who can no longer be booked. */
function Upcoming({ center, instructor }: { readonly center: string; readonly instructor: string }) {
  const say = useCenterWords()
  const language = useLanguage()
  const { data: count } = useQuery({
    queryKey: ['bookings', center, 'upcoming', instructor],
    queryFn: async ({ signal }) => {
      const query = { instructorId: instructor, status: 'booked', from: new Date().toISOString(), limit: 1 } as const
      return (await api.bookings.list(center, query, { signal })).pagination.total
    },
  })
  if (count === undefined) return null
  if (count === 0) return <p className="soft small">{say('noUpcoming')}</p>
  return (
    <p className="waiting small">
      <span aria-hidden="true">◷ </span>
      {say('upcoming', { count: numberText(count, language) })}{' '}
      <Link
        to="/c/$center/bookings"
        params={{ center }}
        search={{ view: 'list', status: 'booked', instructor }}
        className="link"
      >
        {say('seeUpcoming')}
      </Link>
    </p>
  )
}
