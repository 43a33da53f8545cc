/** The plans for centers with all their versions, and the form for a new plan or a new version of one. */
import type { PlanVersion } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { moneyText, numberText } from '../../ui/clock.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { Page } from '../../ui/desk.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import './operator.css'
import { PlanForm } from './plan-form.tsx'
import { useOperatorWords } from './words.ts'

export function PlansPage() {
  const say = useOperatorWords()
  const language = useLanguage()
  const [editing, setEditing] = useState<PlanVersion | 'new' | null>(null)
  const found = useQuery({
    queryKey: ['plans', 'operator'],
    queryFn: ({ signal }) => api.admin.listPlans({ signal }),
  })
  const latest = (row: PlanVersion) => found.data?.find(({ id }) => id === row.id) === row
  const columns: readonly Column<PlanVersion>[] = [
    {
      id: 'name',
      title: say('plan'),
      cell: ({ id, name, version }) => (
        <>
          {name} <span className="soft">{say('version', { version })}</span> <span className="mono soft">{id}</span>
        </>
      ),
    },
    {
      id: 'price',
      title: say('price'),
      cell: ({ price, currency, billingCycle }) =>
        say(`price${billingCycle}`, { price: moneyText(price, currency, language) }),
    },
    {
      id: 'seats',
      title: say('seats'),
      cell: ({ seatLimit, staffLimit }) =>
        staffLimit === null ? numberText(seatLimit, language) : say('planStaff', { count: staffLimit }),
    },
    {
      id: 'offered',
      title: say('state'),
      cell: (row) => (
        <StatusWord tone={latest(row) && row.offered ? 'verified' : 'plain'}>
          {say(latest(row) ? (row.offered ? 'offered' : 'notOffered') : 'earlier')}
        </StatusWord>
      ),
    },
    {
      id: 'used',
      title: say('subscriptions'),
      align: 'right',
      cell: ({ subscriptions }) => numberText(subscriptions, language),
    },
    { id: 'since', title: say('addedOn'), cell: ({ createdAt }) => <Time at={createdAt} form="day" /> },
    {
      id: 'do',
      title: say('actions'),
      cell: (row) =>
        latest(row) && (
          <button type="button" className="btn plain low" onClick={() => setEditing(row)}>
            {say('addVersion')}
          </button>
        ),
    },
  ]
  return (
    <Page
      title={say('plans')}
      lede={say('plansLede')}
      actions={
        <button type="button" className="btn first low" onClick={() => setEditing('new')}>
          {say('addPlan')}
        </button>
      }
    >
      {editing !== null && (
        <PlanForm
          key={editing === 'new' ? 'new' : editing.id}
          from={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
        />
      )}
      <Loaded query={found} skeletonRows={6}>
        {(rows) => (
          <DataTable
            label={say('plans')}
            columns={columns}
            rows={rows}
            keyOf={({ id, version }) => `${id} ${version}`}
          />
        )}
      </Loaded>
    </Page>
  )
}
