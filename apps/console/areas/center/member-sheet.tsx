/** One membership: its facts, its roles, and the moves that its status allows. */
import type { ListedMember, UnconfirmedPasskey } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useSession } from '../../app/use-store.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { MemberEligibility } from './member-eligibility.tsx'
import { type Grave, grave, type Move, offered, returnOf } from './member-moves.ts'
import { MemberPasskey } from './member-passkeys.tsx'
import { RolesDialog, useRolesText } from './member-roles.tsx'
import { Rename } from './rename.tsx'
import { useCenterWords } from './words.ts'

const tones: Readonly<Partial<Record<ListedMember['status'], Tone>>> = {
  ACTIVE: 'verified',
  INVITED: 'waiting',
  PENDING: 'waiting',
  SUSPENDED: 'broken',
}

export function MemberStatus({ status }: Pick<ListedMember, 'status'>) {
  const say = useCenterWords()
  return <StatusWord tone={tones[status] ?? 'plain'}>{say(`status${status}`)}</StatusWord>
}

const isGrave = (move: Move): move is Grave => grave.some((each) => each === move)
/** An invitation that is not accepted yet is revoked, a person who accepted is declined. */
const graveWordOf = (move: Grave, { status }: Pick<ListedMember, 'status'>) =>
  move === 'reject' && status === 'INVITED' ? 'revoke' : move
function wordOf(move: Move, member: Pick<ListedMember, 'status'>) {
  if (isGrave(move)) return graveWordOf(move, member)
  return move === 'reinvite' && member.status === 'INVITED' ? 'resend' : move
}

const returnWords = { reinvite: 'mayReinvite', readmit: 'mayReadmit', none: 'cannotReinvite' } as const

/** A suspension ends with its opposite; what a person was told by mail is not taken back. */
const backOf = (what: Move, id: string) => {
  if (what === 'suspend') return () => api.memberships.reinstate(id)
  return what === 'reinstate' ? () => api.memberships.suspend(id) : undefined
}

interface Properties {
  readonly member: ListedMember
  readonly lastAdmin: boolean
  /** Their passkeys that wait for a confirmation. */
  readonly waiting: readonly UnconfirmedPasskey[]
  readonly onBack: () => void
}

export function MemberSheet({ member, lastAdmin, waiting, onBack }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const text = useRolesText()
  const { id, name, email, role, roles, status } = member
  const { session } = useSession()
  // Whoever suspends themselves sees nothing but refusals; leaving is in the profile.
  const isOwn = session?.actor.id === member.actorId
  const [asking, setAsking] = useState<Grave | null>(null)
  const move = useChange<Move>(['members', 'subscription'], (what) => api.memberships[what](id), {
    told: (_, what) => done(`member${what}`, { name }),
    undo: (_, what) => backOf(what, id),
  })
  const [changing, setChanging] = useState(false)
  const [changed, setChanged] = useState(false)
  const readmit = useChange<string>(
    ['members', 'subscription'],
    (childId) => api.children.create(member.centerDomain, { childId }),
    { told: () => done('added', { name }) },
  )
  const back = returnOf(member)
  const final = back !== null
  return (
    <Sheet label={name}>
      <SheetHead name={name} back={say('backToList')} onBack={onBack}>
        <MemberStatus status={status} />
      </SheetHead>
      {waiting.map((passkey) => (
        <MemberPasskey key={passkey.id} center={member.centerDomain} passkey={passkey} />
      ))}
      <Part title={say('membership')}>
        <dl className="facts">
          <dt>{say('email')}</dt>
          <dd>{email || say('noEmail')}</dd>
          <dt>{say('role')}</dt>
          <dd className="center-role">
            <span>{text(roles)}</span>
            {!final && (
              <button type="button" className="btn low" onClick={() => setChanging(true)}>
                {say('changeRoles')}
              </button>
            )}
          </dd>
          <dt>{say('invitedAt')}</dt>
          <dd>
            <Time at={member.invitedAt} form="day" />
          </dd>
          {member.invitationExpiresAt && (
            <>
              <dt>{say('linkUntil')}</dt>
              <dd>
                <Time at={member.invitationExpiresAt} />
              </dd>
            </>
          )}
          {member.endedAt && (
            <>
              <dt>{say('endedAt')}</dt>
              <dd>
                <Time at={member.endedAt} form="day" />
              </dd>
            </>
          )}
        </dl>
        {changed && (
          <p role="status" className="soft">
            {say('rolesChanged', { name, roles: text(roles) })}
          </p>
        )}
        <ErrorLine error={move.error ?? readmit.error} />
      </Part>
      <Part title={say('whatNow')}>
        <p className="soft">
          {say(`means${status}`)} {back !== null && say(returnWords[back])}
        </p>
        {status === 'ACTIVE' && (role === 'ADMIN' || role === 'INSTRUCTOR') && <MemberEligibility member={member} />}
        {lastAdmin && (
          <p className="waiting">
            <span aria-hidden="true">◷ </span>
            {say('lastAdmin')}
          </p>
        )}
        {isOwn && !lastAdmin && (
          <a href="/me#myCenters" className="link tap">
            {say('leaveInProfile')}
          </a>
        )}
        <div className="center-moves">
          {(isOwn ? [] : offered(member)).map((what) => (
            <button
              key={what}
              type="button"
              className={isGrave(what) ? 'btn plain' : 'btn'}
              disabled={move.isPending || (lastAdmin && isGrave(what))}
              onClick={() => (isGrave(what) ? setAsking(what) : move.mutate(what))}
            >
              {say(`move${wordOf(what, member)}`)}
            </button>
          ))}
          {back === 'readmit' && member.actorId !== null && (
            <button
              type="button"
              className="btn"
              disabled={readmit.isPending}
              onClick={() => member.actorId !== null && readmit.mutate(member.actorId)}
            >
              {say('readmit')}
            </button>
          )}
        </div>
      </Part>
      {changing && (
        <RolesDialog {...{ member, lastAdmin }} onClose={() => setChanging(false)} onDone={() => setChanged(true)} />
      )}
      {/* Somebody who has not accepted yet confirms the name then. */}
      {status !== 'INVITED' && member.actorId !== null && (
        <Rename
          key={id}
          title={say('renameMember')}
          hint={say('renameMemberHint')}
          name={name}
          changes={['members', 'families']}
          onSave={(next) => api.memberships.update(id, { name: next })}
        />
      )}
      {asking && (
        <Confirm
          title={say(`ask${graveWordOf(asking, member)}`, { name })}
          action={say(`move${graveWordOf(asking, member)}`)}
          onConfirm={() => move.mutateAsync(asking)}
          onClose={() => setAsking(null)}
        >
          <p>{say(`effect${graveWordOf(asking, member)}`)}</p>
        </Confirm>
      )}
    </Sheet>
  )
}
