/** One child and its guardians. */
import type { CenterChild, Guardianship } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useOffers } from '../../app/offers.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Part, Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { MemberStatus } from './member-sheet.tsx'
import { Rename } from './rename.tsx'
import { useCenterWords } from './words.ts'

const tones: Readonly<Record<Guardianship['status'], Tone>> = { ACTIVE: 'verified', INVITED: 'waiting', ENDED: 'plain' }

interface Properties {
  readonly center: string
  readonly child: CenterChild
  readonly onBack: () => void
}

export function ChildSheet({ center, child, onBack }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const { actorId, name, membership, guardians } = child
  const { families: mayInvite } = useOffers(center)
  // The server refuses a guardian for a child who isn't here any more.
  const present = membership.status === 'PENDING' || membership.status === 'ACTIVE'
  const [email, setEmail] = useState('')
  const [guardian, setGuardian] = useState('')
  const [ending, setEnding] = useState<Guardianship | null>(null)
  const invite = useChange(
    ['members'],
    () => api.guardianships.invite(center, actorId, { email, name: guardian.trim() }),
    {
      told: () => done('invited', { name: guardian.trim() || email }),
      undo:
        ({ id }) =>
        () =>
          api.guardianships.endAsCenter(center, id),
      onDone() {
        setEmail('')
        setGuardian('')
      },
    },
  )
  const end = useChange<string>(['members'], (id) => api.guardianships.endAsCenter(center, id), {
    told: () => done('guardianEnded', { name }),
  })
  const approve = useChange(['members'], () => api.memberships.approve(membership.id), {
    told: () => done('memberapprove', { name }),
  })
  return (
    <Sheet label={name}>
      <SheetHead name={name} back={say('backToList')} onBack={onBack}>
        <MemberStatus status={membership.status} />
      </SheetHead>
      {membership.status === 'PENDING' && (
        <p>
          <button type="button" className="btn" disabled={approve.isPending} onClick={() => approve.mutate()}>
            {say('moveapprove')}
          </button>
        </p>
      )}
      <ErrorLine error={approve.error} />
      <Part title={say('guardians')}>
        {guardians.length === 0 && <p className="soft">{say(present ? 'noGuardianText' : 'noGuardian')}</p>}
        <ul className="rows">
          {guardians.map((each) => (
            <li key={each.id}>
              <span>
                <b>{each.name || each.email}</b>
                {each.name && each.email && <small>{each.email}</small>}
              </span>
              <StatusWord tone={tones[each.status]}>{say(`guardian${each.status}`)}</StatusWord>
              {each.status !== 'ENDED' && (
                <button type="button" className="btn plain low" onClick={() => setEnding(each)}>
                  {say(each.status === 'INVITED' ? 'withdraw' : 'endGuardianship')}
                </button>
              )}
            </li>
          ))}
        </ul>
      </Part>
      {present && mayInvite && (
        <Part title={say('inviteGuardian')}>
          <form
            className="field-line three"
            onSubmit={(event) => {
              event.preventDefault()
              invite.mutate()
            }}
          >
            <Field
              label={say('guardianName')}
              hint={say('inviteNameHint')}
              required
              maxLength={200}
              data-field="name"
              value={guardian}
              onChange={({ target }) => setGuardian(target.value)}
            />
            <Field
              label={say('guardianEmail')}
              hint={say('guardianHint')}
              type="email"
              required
              data-field="email"
              value={email}
              onChange={({ target }) => setEmail(target.value)}
            />
            <button type="submit" className="btn" disabled={invite.isPending}>
              {say('sendInvitation')}
            </button>
          </form>
          <ErrorLine error={invite.error} />
        </Part>
      )}
      <Rename
        key={membership.id}
        title={say('renameMember')}
        hint={say('renameMemberHint')}
        name={name}
        changes={['members']}
        onSave={(next) => api.memberships.update(membership.id, { name: next })}
      />
      {ending && (
        <Confirm
          title={say(ending.status === 'INVITED' ? 'withdrawTitle' : 'endGuardianTitle')}
          action={say(ending.status === 'INVITED' ? 'withdraw' : 'endGuardianship')}
          onConfirm={() => end.mutateAsync(ending.id)}
          onClose={() => setEnding(null)}
        >
          <p>
            {say(ending.status === 'INVITED' ? 'withdrawText' : 'endGuardianText', {
              name: ending.name || ending.email,
              child: name,
            })}
          </p>
        </Confirm>
      )}
    </Sheet>
  )
}
