/** People of all centers, and those who act for the partner. */
import type { Member, PartnerInvitation } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { usePages } from '../../app/pages.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page, Part } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Field } from '../../ui/field.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import './partner.css'
import { usePartnerWords } from './words.ts'

const tones: Readonly<Partial<Record<Member['status'], Tone>>> = {
  ACTIVE: 'verified',
  INVITED: 'waiting',
  PENDING: 'waiting',
  SUSPENDED: 'broken',
}

export function PartnerMembersPage() {
  const say = usePartnerWords()
  const { rows, total, error, again, more } = usePages(['members', 'partner'], ({ limit, page, signal }) =>
    api.partner.listMembers({ limit, page }, { signal }),
  )
  const columns: readonly Column<Member>[] = [
    { id: 'name', title: say('name'), cell: ({ name }) => name },
    { id: 'email', title: say('email'), cell: ({ email }) => email },
    { id: 'center', title: say('center'), cell: ({ centerName }) => centerName },
    { id: 'role', title: say('role'), cell: ({ role }) => say(`role${role}`) },
    {
      id: 'status',
      title: say('state'),
      cell: ({ status }) => <StatusWord tone={tones[status] ?? 'plain'}>{say(`member${status}`)}</StatusWord>,
    },
  ]
  return (
    <Page title={say('members')} lede={total !== undefined && say('memberCount', { count: total })}>
      <Colleagues />
      {error && <ErrorPanel error={error} onRetry={again} />}
      {!rows && !error && <Skeleton rows={8} />}
      {rows?.length === 0 && <Empty title={say('noMembers')} />}
      {rows && rows.length > 0 && (
        <DataTable label={say('members')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      )}
      <ListFoot more={more} />
    </Page>
  )
}

/** Only a PARTNER_ADMIN reads invitations; for others this part is absent. */
function Colleagues() {
  const say = usePartnerWords()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<PartnerInvitation['role']>('PARTNER_OPERATOR')
  const open = usePages(['invitations', 'partner'], ({ limit, page, signal }) =>
    api.partnerInvitations.list({ limit, page }, { signal }),
  )
  const invite = useChange(
    ['invitations'],
    () => api.partnerInvitations.create({ email, role }),
    () => setEmail(''),
  )
  const revoke = useChange<string>(['invitations'], (id) => api.partnerInvitations.revoke(id))
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
