/** One membership: its facts, its role, and the moves that its status allows. */
import type { ListedMember, UnconfirmedPasskey } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { MemberEligibility } from './member-eligibility.tsx'
import { MemberPasskey } from './member-passkeys.tsx'
import { Rename } from './rename.tsx'
import { roles } from './search.ts'
import { Select } from './select.tsx'
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

/** Asked about first. */
type Grave = 'suspend' | 'end' | 'reject'
type Move = Grave | 'approve' | 'reinstate' | 'reinvite'
/** As the contract says; the server refuses others. */
const moves: Readonly<Record<ListedMember['status'], readonly Move[]>> = {
  INVITED: ['reinvite', 'reject'],
  PENDING: ['approve', 'reject'],
  ACTIVE: ['suspend', 'end'],
  SUSPENDED: ['reinstate', 'end'],
  REJECTED: ['reinvite'],
  ENDED: ['reinvite'],
}
const grave: readonly Grave[] = ['suspend', 'end', 'reject']
const isGrave = (move: Move): move is Grave => grave.some((each) => each === move)
/** An invitation that is not accepted yet is revoked, a person who accepted is declined. */
const graveWordOf = (move: Grave, { status }: Pick<ListedMember, 'status'>) =>
  move === 'reject' && status === 'INVITED' ? 'revoke' : move
function wordOf(move: Move, member: Pick<ListedMember, 'status'>) {
  if (isGrave(move)) return graveWordOf(move, member)
  return move === 'reinvite' && member.status === 'INVITED' ? 'resend' : move
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
  const { id, name, email, role, status } = member
  const [asking, setAsking] = useState<Grave | null>(null)
  const move = useChange<Move>(['members', 'subscription'], (what) => api.memberships[what](id))
  const change = useChange<ListedMember['role']>(['members'], (next) => api.memberships.update(id, { role: next }))
  const final = status === 'REJECTED' || status === 'ENDED'
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
            <Select
              label={say('roleOf', { name })}
              value={role}
              disabled={lastAdmin || final}
              options={roles.map((each) => [each, say(`role${each}`)])}
              onChange={(next) => next && change.mutate(next)}
            />
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
        <ErrorLine error={change.error ?? move.error} />
      </Part>
      <Part title={say('whatNow')}>
        <p className="soft">{say(`means${status}`)}</p>
        {status === 'ACTIVE' && (role === 'ADMIN' || role === 'INSTRUCTOR') && <MemberEligibility member={member} />}
        {lastAdmin && (
          <p className="waiting">
            <span aria-hidden="true">◷ </span>
            {say('lastAdmin')}
          </p>
        )}
        <div className="center-moves">
          {moves[status].map((what) => (
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
        </div>
      </Part>
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
