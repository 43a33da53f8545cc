/** The webhooks of a center, each with how its recent deliveries went. */
import type { ListedWebhook } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { numberText } from '../../ui/clock.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { webhooksQuery } from './data.ts'
import { DevPage, usePlaceOf } from './dev-desk.tsx'
import { ShownOnce } from './shown-once.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { useDeveloperWords } from './words.ts'

/** With what draws plots, which the list doesn't wait for. */
const DeliveryPlot = lazy(async () => ({ default: (await import('./delivery-plot.tsx')).DeliveryPlot }))

const centerRoute = getRouteApi('/c/$center')

/** Where a webhook sends: the address without its scheme, and the place in a broker. */
export function targetText({ url, subject, exchange, routingKey }: Target): string {
  const place = [subject, exchange, routingKey].filter(Boolean).join(' / ')
  const address = url.replace(/^[a-z]+:\/\//, '')
  return place === '' ? address : `${address} · ${place}`
}

type Target = Pick<ListedWebhook, 'url' | 'subject' | 'exchange' | 'routingKey'>

export function Health({ webhook: { active, recent } }: { readonly webhook: ListedWebhook }) {
  const say = useDeveloperWords()
  const language = useLanguage()
  const count = (value: number) => numberText(value, language)
  if (recent.failed > 0) return <StatusWord tone="broken">{say('failing', { count: count(recent.failed) })}</StatusWord>
  if (recent.held > 0) return <StatusWord tone="waiting">{say('heldCount', { count: count(recent.held) })}</StatusWord>
  if (!active) return <StatusWord tone="waiting">{say('paused')}</StatusWord>
  if (recent.pending > 0)
    return <StatusWord tone="waiting">{say('pendingCount', { count: count(recent.pending) })}</StatusWord>
  if (recent.succeeded === 0) return <StatusWord tone="plain">{say('nothingSent')}</StatusWord>
  return <StatusWord tone="verified">{say('allDelivered')}</StatusWord>
}

export function WebhookRow({ webhook, here }: { readonly webhook: ListedWebhook; readonly here?: boolean }) {
  const say = useDeveloperWords()
  const placeOf = usePlaceOf()
  const { succeeded, failed, pending, held } = webhook.recent
  return (
    <Link className="item" to={`${placeOf('webhooks')}/${webhook.id}` as '/'} aria-current={here ? 'page' : undefined}>
      <b>{targetText(webhook)}</b>
      <span className="when">
        <Health webhook={webhook} />
      </span>
      <span className="sub">
        {webhook.type !== 'http' && `${say(`type${webhook.type}`)} · `}
        {webhook.description || webhook.events.join(', ')} ·{' '}
        {say('recentCount', { count: succeeded + failed + pending + held })}
      </span>
    </Link>
  )
}

export function WebhooksPage() {
  const say = useDeveloperWords()
  const navigate = useNavigate()
  const placeOf = usePlaceOf()
  const { center } = centerRoute.useParams()
  const { data, error, refetch } = useQuery(webhooksQuery)
  const [making, setMaking] = useState(false)
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string } | null>(null)
  useShortcuts([{ keys: 'n', label: say('addWebhook'), run: () => setMaking(true) }])
  const add = (
    <button type="button" className="btn" onClick={() => setMaking(true)}>
      {say('addWebhook')}
    </button>
  )
  return (
    <DevPage here="webhooks" title={say('webhooks')} actions={add}>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data?.length === 0 && (
        <Empty title={say('noWebhooks')}>
          <p className="soft">{say('noWebhooksNext')}</p>
        </Empty>
      )}
      {data && data.length > 0 && (
        <Suspense fallback={<Skeleton rows={4} />}>
          <DeliveryPlot center={center} />
        </Suspense>
      )}
      <div className="dev-rows">
        {data?.map((webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} />
        ))}
      </div>
      {making && (
        <WebhookForm webhook={null} onMade={(id, secret) => setMade({ id, secret })} onClose={() => setMaking(false)} />
      )}
      {made && (
        <ShownOnce
          kind="secret"
          value={made.secret}
          onClose={() => void navigate({ to: `${placeOf('webhooks')}/${made.id}` })}
        />
      )}
    </DevPage>
  )
}
