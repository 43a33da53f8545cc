/** Invites a person by mail, or several at once. */
import type { MemberCounts, NewMember } from '@countersign/sdk'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { ImportProgress, ImportSteps } from './import/import-steps.tsx'
import { InviteSeveral } from './import/invite-several.tsx'
import { useImport } from './import/use-import.ts'
import { roles } from './search.ts'
import { useCenterWords } from './words.ts'

interface Properties {
  readonly center: string
  readonly seats: MemberCounts['seats']
  readonly onClose: () => void
}

export function InviteDialog({ center, seats, onClose }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const group = useId()
  const [sent, setSent] = useState<NewMember>({ email: '', role: 'INSTRUCTOR', name: '', approved: true })
  const [several, setSeveral] = useState(false)
  const importing = useImport(center)
  const invite = useChange(
    ['members'],
    () => {
      const { name = '', ...rest } = sent
      return api.members.invite(center, { ...rest, name: name.trim() })
    },
    {
      told: () => done('invited', { name: sent.name?.trim() || sent.email }),
      // The mail has gone out; its link stops working.
      undo: ({ id, status }) => (status === 'INVITED' ? () => api.memberships.reject(id) : undefined),
      onDone: onClose,
    },
  )
  const set = (part: Partial<NewMember>) => setSent((now) => ({ ...now, ...part }))
  // What was looked at is what is sent, so the choices that led to it can't be changed beside it.
  if (importing.preview || importing.report || importing.error !== null) {
    return (
      <Dialog title={say('inviteSeveral')} onClose={onClose}>
        <ImportSteps importing={importing} />
      </Dialog>
    )
  }
  return (
    <Dialog
      title={say(several ? 'inviteSeveral' : 'inviteTitle')}
      onClose={onClose}
      closing={say('close')}
      {...(!several && {
        action: { text: say('sendInvitation'), disabled: invite.isPending, run: () => invite.mutate() },
      })}
    >
      <div className="center-form">
        <button type="button" className="link" onClick={() => setSeveral((now) => !now)}>
          {say(several ? 'inviteOne' : 'inviteSeveral')}
        </button>
        {!several && (
          <>
            <Field
              label={say('email')}
              type="email"
              required
              data-field="email"
              value={sent.email}
              onChange={({ target }) => set({ email: target.value })}
            />
            <Field
              label={say('inviteName')}
              hint={say('inviteNameHint')}
              required
              maxLength={200}
              data-field="name"
              value={sent.name ?? ''}
              onChange={({ target }) => set({ name: target.value })}
            />
          </>
        )}
        <fieldset className="choices">
          <legend className="label">{say('role')}</legend>
          {roles.map((role) => (
            <label key={role}>
              <input type="radio" name={group} checked={sent.role === role} onChange={() => set({ role })} />
              <span>
                {say(`role${role}`)}
                <small>{say(`may${role}`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <label className="switch">
          <input
            type="checkbox"
            checked={sent.approved ?? false}
            onChange={({ target }) => set({ approved: target.checked })}
          />
          {say('approveAhead')}
        </label>
        {several && (
          <InviteSeveral importing={importing} role={sent.role ?? 'INSTRUCTOR'} approved={sent.approved ?? false} />
        )}
        <ImportProgress importing={importing} />
        {seats && seats.used >= seats.limit && (
          <p className="waiting small">
            <span aria-hidden="true">◷ </span>
            {say('noSeat', { limit: seats.limit })}
          </p>
        )}
        <ErrorLine error={invite.error} />
      </div>
    </Dialog>
  )
}
