/** People of all centers. */
import type { Member } from '@countersign/sdk'
import { api } from '../../app/api.ts'
import { usePages } from '../../app/pages.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import './partner.css'
import { ConfirmRole, canBeConfirmed } from './outside.tsx'
import { usePartnerWords } from './words.ts'

const tones: Readonly<Partial<Record<Member['status'], Tone>>> = {
  ACTIVE: 'verified',
  INVITED: 'waiting',
  PENDING: 'waiting',
  SUSPENDED: 'broken',
}

export function PartnerMembersPage() {
  const say = usePartnerWords()
  const isAdmin = usePartnerAdmin()
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
    ...(isAdmin
      ? [
          {
            id: 'confirm',
            title: say('confirmRole'),
            cell: (member: Member) => canBeConfirmed(member) && <ConfirmRole member={member} />,
          },
        ]
      : []),
  ]
  return (
    <Page title={say('members')} lede={total !== undefined && say('memberCount', { count: total })}>
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
