/** The members of a center: a list, and the sheet of one of them. */
import type { UnconfirmedPasskey } from '@countersign/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { usePages } from '../../app/pages.ts'
import { useUnconfirmed } from '../../app/waiting-passkeys.ts'
import { numberText } from '../../ui/clock.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import './center.css'
import { InviteDialog } from './invite-dialog.tsx'
import { PasskeySheet } from './member-passkeys.tsx'
import { useRolesText } from './member-roles.tsx'
import { MemberSheet, MemberStatus } from './member-sheet.tsx'
import { roles, statuses } from './search.ts'
import { Select } from './select.tsx'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/members')

export function MembersPage() {
  const say = useCenterWords()
  const language = useLanguage()
  const { center } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const text = useRolesText()
  const [inviting, setInviting] = useState(false)
  const q = useDeferredValue(search.q)
  const { role, status } = search
  useTitle(say('members'))
  const go = (next: Partial<typeof search>) => void navigate({ search: (now) => ({ ...now, ...next }), replace: true })
  const filters = { ...(q && { search: q }), ...(role && { role }), ...(status && { status }) }
  const { rows, total, counts, error, again, more } = usePages(
    ['members', center, filters],
    ({ limit, page, signal }) => api.members.list(center, { limit, page, ...filters }, { signal }),
  )
  const unconfirmed = useUnconfirmed(center)
  const waiting = unconfirmed.data ?? []
  const chosen = rows?.find(({ id }) => id === search.member) ?? (narrow ? undefined : rows?.[0])
  const list = (
    <>
      <div className="tray-head">
        <div>
          <h1>{say('members')}</h1>
          <p className="soft small">
            {total !== undefined && say('memberCount', { count: numberText(total, language) })}
            {counts?.seats && ` · ${say('seatsOf', { used: counts.seats.used, limit: counts.seats.limit })}`}
          </p>
        </div>
        <div className="center-invite">
          <Link to="/c/$center/members/import" params={{ center }} className="btn plain low">
            {say('import')}
          </Link>
          <button type="button" className="btn first low" onClick={() => setInviting(true)}>
            {say('invite')}
          </button>
        </div>
      </div>
      {waiting.length > 0 && (
        <p className="center-passkeys-link">
          <Link from="/c/$center/members" search={{ show: 'passkeys' }} className="link waiting">
            <span aria-hidden="true">◌ </span>
            {say('passkeysToConfirm', { count: numberText(waiting.length, language) })}
          </Link>
        </p>
      )}
      <div className="center-filters">
        <input
          className="field"
          type="search"
          aria-label={say('searchMembers')}
          placeholder={say('searchMembers')}
          value={search.q ?? ''}
          onChange={({ target }) => go({ q: target.value || undefined })}
        />
        <Select
          label={say('role')}
          none={say('anyRole')}
          value={role}
          options={roles.map((each) => [each, `${say(`role${each}`)}${counts ? ` ${counts.byRole[each]}` : ''}`])}
          onChange={(next) => go({ role: next })}
        />
        <Select
          label={say('status')}
          none={say('anyStatus')}
          value={status}
          options={statuses.map((each) => [
            each,
            `${say(`status${each}`)}${counts ? ` ${counts.byStatus[each]}` : ''}`,
          ])}
          onChange={(next) => go({ status: next })}
        />
      </div>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={6} />}
      {rows?.length === 0 && <Empty title={say('noMembers')}>{say('noMembersText')}</Empty>}
      {rows?.map((member) => (
        <Link
          key={member.id}
          from="/c/$center/members"
          search={(now) => ({ ...now, member: member.id })}
          className="item"
          aria-current={member.id === chosen?.id ? 'true' : undefined}
        >
          <b>{member.name}</b>
          <span className="when">
            {waiting.some(({ actorId }) => actorId === member.actorId) ? (
              <span className="waiting">
                <span aria-hidden="true">◌ </span>
                {say('passkeyWaits')}
              </span>
            ) : (
              <MemberStatus status={member.status} />
            )}
          </span>
          <span className="sub">
            {text(member.roles)}
            {member.email && ` · ${member.email}`}
          </span>
        </Link>
      ))}
      <ListFoot
        more={more}
        csv={{
          path: `/api/centers/${center}/members.csv?${new URLSearchParams(filters)}`,
          file: `members-${center}.csv`,
        }}
      />
    </>
  )
  if (search.show === 'passkeys') return <PasskeysDesk center={center} waiting={unconfirmed.data} />
  return (
    <>
      <Desk
        list={list}
        listLabel={say('members')}
        sheet={
          chosen && (
            <MemberSheet
              key={chosen.id}
              member={chosen}
              waiting={waiting.filter(({ actorId }) => actorId === chosen.actorId)}
              lastAdmin={chosen.role === 'ADMIN' && chosen.status === 'ACTIVE' && counts?.activeAdmins === 1}
              onBack={() => go({ member: undefined })}
            />
          )
        }
      />
      {inviting && <InviteDialog center={center} seats={counts?.seats ?? null} onClose={() => setInviting(false)} />}
    </>
  )
}

/** Only what waits: where a mail about it leads. */
function PasskeysDesk({
  center,
  waiting,
}: {
  readonly center: string
  readonly waiting: readonly UnconfirmedPasskey[] | undefined
}) {
  const say = useCenterWords()
  const { passkey: wanted } = route.useSearch()
  const navigate = route.useNavigate()
  const narrow = useNarrow()
  const chosen = waiting?.find(({ id }) => id === wanted) ?? (narrow ? undefined : waiting?.[0])
  const list = (
    <>
      <div className="tray-head">
        <h1>{say('passkeysHead')}</h1>
        <Link from="/c/$center/members" search={{}} className="link">
          {say('allMembers')}
        </Link>
      </div>
      {!waiting && <Skeleton rows={3} />}
      {waiting?.length === 0 && <Empty title={say('noPasskeys')}>{say('noPasskeysText')}</Empty>}
      {waiting?.map((passkey) => (
        <Link
          key={passkey.id}
          from="/c/$center/members"
          search={{ show: 'passkeys', passkey: passkey.id }}
          className="item"
          aria-current={passkey.id === chosen?.id ? 'true' : undefined}
        >
          <b>{passkey.name}</b>
          <span className="when">
            <Time at={passkey.boundAt} />
          </span>
          <span className="sub">{passkey.mayConfirm ? passkey.email : say('ownPasskeyWaits')}</span>
        </Link>
      ))}
    </>
  )
  return (
    <Desk
      list={list}
      listLabel={say('passkeysHead')}
      sheet={
        chosen && (
          <PasskeySheet
            key={chosen.id}
            center={center}
            passkey={chosen}
            onBack={() => void navigate({ search: { show: 'passkeys' } })}
          />
        )
      }
    />
  )
}
