/** The plan in words: what works, what has stopped, and how many seats are left. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { Part } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { failureOf } from '../../ui/failure.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import './center.css'
import { Invoices, Plans } from './plans.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { useCenterWords } from './words.ts'

const route = getRouteApi('/c/$center/subscription')

const tones: Readonly<Record<string, Tone>> = {
  ACTIVE: 'verified',
  TRIAL: 'waiting',
  PAST_DUE: 'waiting',
  SUSPENDED: 'broken',
  CANCELED: 'broken',
}

/** The API names what works in English. */
const names = {
  'Signing in': 'works_enter',
  'Reading and exporting decisions': 'works_read',
  'Verifying proofs': 'works_verify',
  'Recording and sealing decisions': 'works_seal',
  'Webhooks and workflows': 'works_webhooks',
  'Activating members': 'works_members',
  Bookings: 'works_bookings',
  Attendance: 'works_attendance',
  Families: 'works_families',
  'Custom domain': 'works_domain',
  'Workflow settings': 'works_settings',
} as const
const isNamed = (text: string): text is keyof typeof names => text in names

export function SubscriptionPage() {
  const { center } = route.useParams()
  const say = useCenterWords()
  const nameOf = (text: string) => (isNamed(text) ? say(names[text]) : text)
  const { data, error, refetch } = useQuery({
    queryKey: ['subscription'],
    queryFn: ({ signal }) => api.subscription.get({ signal }),
  })
  const missing = error && failureOf(error).code === 'NOT_FOUND'
  return (
    <SettingsFrame center={center} title={say('subscription')}>
      {error && !missing && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {missing && <Empty title={say('noSubscription')}>{say('noSubscriptionText')}</Empty>}
      {!data && !error && <Skeleton rows={6} />}
      {data && (
        <>
          <Part title={data.planName} aside={say(`cycle${data.billingCycle}`)}>
            <p>
              <StatusWord tone={tones[data.status] ?? 'plain'}>{say(`plan${data.status}`)}</StatusWord>
            </p>
            <p>{say(`planMeans${data.status}`)}</p>
            <dl className="facts">
              <dt>{say('periodEnd')}</dt>
              <dd>
                <Time at={data.currentPeriodEnd} form="long" />
              </dd>
            </dl>
          </Part>
          {data.staffLimit !== null && (
            <Part title={say('staffPlaces')}>
              <p className="center-seats">
                <b>{data.staffUsed}</b> / {data.staffLimit}
              </p>
              <p className="soft small">{say('staffPlacesText')}</p>
            </Part>
          )}
          {data.staffLimit === null && (
            <Part title={say('seats')}>
              <p className="center-seats">
                <b>{data.usage.seats.used}</b> / {data.usage.seats.limit}
                <span className="soft"> · {say('seatsFree', { count: data.usage.seats.free })}</span>
              </p>
              <meter
                aria-label={say('seats')}
                className="center-meter"
                min={0}
                max={Math.max(1, data.usage.seats.limit)}
                value={data.usage.seats.used}
              />
              <p className="soft small">{say('seatsText')}</p>
            </Part>
          )}
          <Part title={say('works')}>
            <ul className="center-list">
              {data.standing.works.map((each) => (
                <li key={each}>
                  <span className="verified" aria-hidden="true">
                    ✓{' '}
                  </span>
                  {nameOf(each)}
                </li>
              ))}
              {data.standing.stopped.map((each) => (
                <li key={each}>
                  <span className="broken">✕ {say('stopped')}</span> {nameOf(each)}
                </li>
              ))}
            </ul>
          </Part>
          <Plans own={data} center={center} />
          <Invoices />
        </>
      )}
    </SettingsFrame>
  )
}
