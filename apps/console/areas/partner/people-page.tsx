/** Who acts for the partner: accounts, their roles and their end, and open invitations. */
import type { PartnerAccount, PartnerInvitation } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { usePages } from '../../app/pages.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Page, Part } from '../../ui/desk.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import './partner.css'
import { useDoneWords } from '../../ui/done-words.ts'
import { usePartnerWords } from './words.ts'

type Asked = { readonly account: PartnerAccount; readonly to: PartnerAccount['role'] | 'end' }

export function PartnerPeoplePage() {
  const say = usePartnerWords()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { rows, total, error, again, more } = usePages(['accounts', 'partner'], ({ limit, page, signal }) =>
    api.partnerAccounts.list({ limit, page }, { signal }),
  )
  const isAdmin = usePartnerAdmin()
  const done = useDoneWords()
  const change = useChange<Asked>(
    ['accounts'],
    ({ account: { actorId }, to }) =>
      to === 'end' ? api.partnerAccounts.end(actorId) : api.partnerAccounts.update(actorId, { role: to }),
    {
      told: (_, { account: { name }, to }) => done(to === 'end' ? 'accessEnded' : 'rolesChanged', { name }),
      undo: (_, { account: { actorId, role }, to }) =>
        to === 'end' ? undefined : () => api.partnerAccounts.update(actorId, { role }),
    },
  )
  return (
    <Page title={say('accounts')} lede={total !== undefined && say('memberCount', { count: total })}>
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={4} />}
      <ul className="rows partner-people">
        {rows?.map((account) => (
          <Account key={account.actorId} account={account} isAdmin={isAdmin === true} onAsk={setAsked} />
        ))}
      </ul>
      <ListFoot more={more} />
      {isAdmin === false && <p className="soft">{say('peopleReadOnly')}</p>}
      {isAdmin && <Invitations />}
      {asked && (
        <Confirm
          title={say(asked.to === 'end' ? 'endTitle' : 'roleTitle', { name: asked.account.name })}
          action={say(asked.to === 'end' ? 'endAccount' : `to${asked.to}`)}
          onConfirm={() => change.mutateAsync(asked)}
          onClose={() => setAsked(null)}
        >
          <p>{say(asked.to === 'end' ? 'endText' : `toText${asked.to}`)}</p>
        </Confirm>
      )}
    </Page>
  )
}

interface AccountProperties {
  readonly account: PartnerAccount
  readonly isAdmin: boolean
  readonly onAsk: (asked: Asked) => void
}

function Account({ account, isAdmin, onAsk }: AccountProperties) {
  const say = usePartnerWords()
  const { name, email, role, self, last } = account
  const other = role === 'PARTNER_ADMIN' ? 'PARTNER_OPERATOR' : 'PARTNER_ADMIN'
  return (
    <li>
      <span>
        <b>{self ? `${name} · ${say('you')}` : name}</b>
        <small>
          {email} · {say(`account${role}`)}
        </small>
        {isAdmin && last && <small>{say('lastAdmin')}</small>}
      </span>
      {isAdmin && !last && (
        <>
          <button type="button" className="btn plain low" onClick={() => onAsk({ account, to: other })}>
            {say(`to${other}`)}
          </button>
          <button type="button" className="btn plain low" onClick={() => onAsk({ account, to: 'end' })}>
            {say('endAccount')}
          </button>
        </>
      )}
    </li>
  )
}

/** Only a PARTNER_ADMIN reads invitations. */
function Invitations() {
  const say = usePartnerWords()
  const done = useDoneWords()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<PartnerInvitation['role']>('PARTNER_OPERATOR')
  const open = usePages(['invitations', 'partner'], ({ limit, page, signal }) =>
    api.partnerInvitations.list({ limit, page }, { signal }),
  )
  const invite = useChange(['invitations'], () => api.partnerInvitations.create({ email, role }), {
    told: () => done('invited', { name: email }),
    undo:
      ({ id }) =>
      () =>
        api.partnerInvitations.revoke(id),
    onDone: () => setEmail(''),
  })
  const revoke = useChange<string>(['invitations'], (id) => api.partnerInvitations.revoke(id), {
    told: () => done('invitationRevoked'),
  })
  if (open.error)
    return failureOf(open.error).status === 403 ? null : <ErrorPanel error={open.error} onRetry={open.again} />
  return (
    <Part title={say('colleagues')}>
      <form
        className="field-line three"
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate()
        }}
      >
        <Field
          label={say('email')}
          type="email"
          required
          data-field="email"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
        <label className="labeled">
          <span className="label">{say('role')}</span>
          <select
            className="field"
            value={role}
            onChange={({ target }) => setRole(target.value === 'PARTNER_ADMIN' ? 'PARTNER_ADMIN' : 'PARTNER_OPERATOR')}
          >
            <option value="PARTNER_OPERATOR">{say('partnerOperator')}</option>
            <option value="PARTNER_ADMIN">{say('partnerAdmin')}</option>
          </select>
        </label>
        <button type="submit" className="btn" disabled={invite.isPending}>
          {say('invite')}
        </button>
      </form>
      <ErrorLine error={invite.error ?? revoke.error} />
      <ul className="rows">
        {open.rows?.map((each) => (
          <li key={each.id}>
            <span>{each.email}</span>
            <span className="soft small">
              {say('linkUntil')} <Time at={each.expiresAt} />
            </span>
            <button type="button" className="btn plain low" onClick={() => revoke.mutate(each.id)}>
              {say('revoke')}
            </button>
          </li>
        ))}
      </ul>
    </Part>
  )
}
