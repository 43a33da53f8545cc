/** One center, by the operator: its state and its subscription, each change with a reason that the audit log keeps. */
import type { OperatedCenter } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Page, Part } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import './operator.css'
import { useDoneWords } from '../../ui/done-words.ts'
import { useOperatorWords } from './words.ts'

const route = getRouteApi('/operator/centers/$id')
type Subscription = NonNullable<OperatedCenter['subscription']>

/** As packages/contract/moves.ts has them; the server refuses every other one. */
const moves: Readonly<Record<Subscription['status'], readonly Subscription['status'][]>> = {
  TRIAL: ['ACTIVE', 'PAST_DUE', 'CANCELED'],
  ACTIVE: ['PAST_DUE', 'CANCELED'],
  PAST_DUE: ['ACTIVE', 'SUSPENDED', 'CANCELED'],
  SUSPENDED: ['ACTIVE', 'CANCELED'],
  CANCELED: ['ACTIVE'],
}

export function OperatedCenterPage() {
  const say = useOperatorWords()
  const id = Number(route.useParams().id)
  const found = useQuery({
    queryKey: ['centers', 'operator', 'one', id],
    queryFn: ({ signal }) => api.admin.getCenter(id, { signal }),
  })
  const center = found.data
  return (
    <Page
      title={center?.name ?? say('center')}
      actions={
        <Link to="/operator/centers" search={{}} className="btn plain low">
          {say('centers')}
        </Link>
      }
    >
      <Loaded query={found} skeletonRows={8}>
        {(data) => (
          <>
            <Facts center={data} />
            <Status center={data} />
            {data.subscription === null ? (
              <Part title={say('subscription')}>
                <p className="soft">{say('noSubscription')}</p>
              </Part>
            ) : (
              <SubscriptionPart center={data} subscription={data.subscription} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Facts({ center }: { readonly center: OperatedCenter }) {
  const say = useOperatorWords()
  return (
    <Part title={say('facts')}>
      <dl className="facts">
        <dt>{say('address')}</dt>
        <dd className="mono">{center.centerDomain}</dd>
        <dt>{say('id')}</dt>
        <dd className="mono">{center.id}</dd>
        <dt>{say('partner')}</dt>
        <dd>{center.partner?.name ?? '–'}</dd>
        <dt>{say('members')}</dt>
        <dd>{center.members}</dd>
        <dt>{say('cell')}</dt>
        <dd className="mono">{center.cell}</dd>
        <dt>{say('since')}</dt>
        <dd>
          <Time at={center.createdAt} form="day" />
        </dd>
      </dl>
    </Part>
  )
}

const tones = { ACTIVE: 'verified', SUSPENDED: 'broken', INACTIVE: 'plain' } as const

function Status({ center }: { readonly center: OperatedCenter }) {
  const say = useOperatorWords()
  const done = useDoneWords()
  const { id, status, suspendedBy } = center
  const [reason, setReason] = useState('')
  const change = useChange(
    ['centers'],
    () => api.admin.setCenterStatus(id, { status: status === 'ACTIVE' ? 'SUSPENDED' : 'ACTIVE', reason }),
    {
      told: () => done(status === 'ACTIVE' ? 'suspended' : 'reinstated', { name: center.name }),
      // The state as it was, with its reason: both changes are in the audit log.
      undo: () => () =>
        api.admin.setCenterStatus(id, {
          status: status === 'ACTIVE' ? 'ACTIVE' : 'SUSPENDED',
          reason: done('undoReasonStatus'),
        }),
      onDone: () => setReason(''),
    },
  )
  return (
    <Part title={say('state')}>
      <p>
        <StatusWord tone={tones[status]}>{say(`status${status}`)}</StatusWord>
        {suspendedBy !== null && <span className="soft"> · {say(`suspendedBy${suspendedBy}`)}</span>}
      </p>
      {status === 'INACTIVE' ? (
        <p className="soft">{say('closedForGood')}</p>
      ) : (
        <form
          className="operator-form"
          onSubmit={(event) => {
            event.preventDefault()
            change.mutate()
          }}
        >
          <p className="soft">{say(status === 'ACTIVE' ? 'suspendEffect' : 'reinstateEffect')}</p>
          <Reason value={reason} onChange={setReason} />
          <div>
            <button type="submit" className="btn" disabled={change.isPending || reason.trim() === ''}>
              {say(status === 'ACTIVE' ? 'suspendCenter' : 'reinstateCenter')}
            </button>
          </div>
          <ErrorLine error={change.error} />
        </form>
      )}
    </Part>
  )
}

function Reason({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const say = useOperatorWords()
  return (
    <Field
      label={say('reason')}
      hint={say('reasonHint')}
      required
      maxLength={500}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface SubscriptionProperties {
  readonly center: OperatedCenter
  readonly subscription: Subscription
}

function SubscriptionPart({ center, subscription }: SubscriptionProperties) {
  const say = useOperatorWords()
  const done = useDoneWords()
  const { status, planId, planName, planVersion, staffLimit, staffUsed, seatLimit, seatUsed } = subscription
  const [to, setTo] = useState('')
  const [plan, setPlan] = useState('')
  const [reason, setReason] = useState('')
  const { data: plans } = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => api.provisioning.listCenterPlans({ signal }),
  })
  const chosen = plans?.find(({ id }) => id === plan)
  const tooSmall =
    chosen !== undefined && (chosen.staffLimit === null ? seatUsed > chosen.seatLimit : staffUsed > chosen.staffLimit)
  const needsActive = status === 'CANCELED' && plan !== '' && to === ''
  const change = useChange(
    ['centers'],
    () =>
      api.admin.updateSubscription(center.id, {
        reason,
        ...(to !== '' && { status: to as Subscription['status'] }),
        ...(plan !== '' && { planId: plan }),
      }),
    {
      told: () => done('subscriptionChanged', { name: center.name }),
      onDone() {
        setTo('')
        setPlan('')
        setReason('')
      },
    },
  )
  const why = tooSmall ? say('planTooSmall') : needsActive ? say('planNeedsActive') : null
  const disabled = change.isPending || why !== null || reason.trim() === '' || (to === '' && plan === '')
  return (
    <Part title={say('subscription')}>
      <dl className="facts">
        <dt>{say('plan')}</dt>
        <dd>
          {planName} <span className="soft">{say('version', { version: planVersion })}</span>
        </dd>
        <dt>{say('state')}</dt>
        <dd>{say(`subscription${status}`)}</dd>
        <dt>{say('periodEnd')}</dt>
        <dd>
          <Time at={subscription.currentPeriodEnd} form="day" />
        </dd>
        <dt>{say('seats')}</dt>
        <dd>
          {staffLimit === null ? `${seatUsed} / ${seatLimit}` : say('staffOf', { used: staffUsed, limit: staffLimit })}
        </dd>
      </dl>
      <form
        className="operator-form"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <label className="labeled">
          <span className="label">{say('newState')}</span>
          <select className="field" value={to} onChange={({ target }) => setTo(target.value)}>
            <option value="">{say('unchanged')}</option>
            {moves[status].map((each) => (
              <option key={each} value={each}>
                {say(`subscription${each}`)}
              </option>
            ))}
          </select>
        </label>
        <label className="labeled">
          <span className="label">{say('newPlan')}</span>
          <select className="field" value={plan} onChange={({ target }) => setPlan(target.value)}>
            <option value="">{say('unchanged')}</option>
            {plans
              ?.filter(({ id, version }) => id !== planId || version !== planVersion)
              .map(({ id, name, version }) => (
                <option key={id} value={id}>
                  {name} · {say('version', { version })}
                </option>
              ))}
          </select>
        </label>
        {why && <p className="fault">{why}</p>}
        <Reason value={reason} onChange={setReason} />
        <div>
          <button type="submit" className="btn" disabled={disabled}>
            {say('changeSubscription')}
          </button>
        </div>
        <ErrorLine error={change.error} />
      </form>
    </Part>
  )
}
