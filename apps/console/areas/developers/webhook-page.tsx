/** One webhook: its deliveries on the axis of the retry schedule, why they fail, and how to send them again. */
import type { ListedWebhook, TrackedDelivery } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useShortcuts } from '../../app/keys.ts'
import { durationText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Axis, pauseText, usualSchedule } from './axis.tsx'
import { useDeliveries, useDelivery, webhooksQuery } from './data.ts'
import { Details, reasonOf } from './delivery-details.tsx'
import { DevTray, usePlaceOf } from './dev-desk.tsx'
import './developers.css'
import { useChange } from '../../app/change.ts'
import { useDoneWords } from '../../ui/done-words.ts'
import { Resend } from './resend.tsx'
import { Secrets } from './rotation.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { targetText, WebhookRow } from './webhooks-page.tsx'
import { useDeveloperWords } from './words.ts'

const route = getRouteApi('/c/$center/developers/webhooks/$webhook')
const states = ['failed', 'pending', 'held', 'success'] as const

function Result({ delivery }: { readonly delivery: TrackedDelivery }) {
  const say = useDeveloperWords()
  const language = useLanguage()
  const { state, nextRetryAt } = delivery
  if (state === 'success') return <StatusWord tone="verified">{say('statesuccess')}</StatusWord>
  if (state !== 'pending')
    return <StatusWord tone={state === 'failed' ? 'broken' : 'waiting'}>{say(`state${state}`)}</StatusWord>
  const wait = nextRetryAt ? Date.parse(nextRetryAt) - Date.now() : 0
  return (
    <StatusWord tone="waiting">
      {wait < 60_000 ? say('soon') : say('nextIn', { time: durationText(wait, language) })}
    </StatusWord>
  )
}

/** The words of the newest failure, and what can be done about it. */
function Why({ webhook, failing }: { readonly webhook: ListedWebhook; readonly failing: string | null }) {
  const say = useDeveloperWords()
  const done = useDoneWords()
  const { data } = useDelivery(webhook.id, failing)
  const [form, setForm] = useState<'change' | 'remove' | null>(null)
  const navigate = route.useNavigate()
  const placeOf = usePlaceOf()
  const names = ['webhooks', 'deliveries']
  const turn = useChange<boolean>(names, (active) => api.webhooks.update(webhook.id, { active }), {
    told: (_, active) => done(active ? 'webhookOn' : 'webhookOff'),
    undo: (_, active) => () => api.webhooks.update(webhook.id, { active: !active }),
  })
  const ping = useChange(names, () => api.webhooks.test(webhook.id), { told: () => done('testSent') })
  const remove = useChange(names, () => api.webhooks.delete(webhook.id), {
    told: () => done('webhookDeleted'),
    onDone: () => void navigate({ to: placeOf('webhooks') }),
  })
  const last = data?.history.findLast(({ error }) => error !== null)
  const wasUsed = Object.values(webhook.recent).some((count) => count > 0)
  return (
    <section className="dev-side">
      <h2>{say('why')}</h2>
      {webhook.disabledReason && <p className="broken">✕ {say('whyDisabled', { reason: webhook.disabledReason })}</p>}
      {!webhook.active && !webhook.disabledReason && <p className="waiting">◷ {say('whyPaused')}</p>}
      {last ? (
        <p>{reasonOf(last, say)}</p>
      ) : (
        failing === null && webhook.active && <p>{say(wasUsed ? 'whyNone' : 'whyNothing')}</p>
      )}
      <p className="soft">{say('safe')}</p>
      <div className="dev-buttons">
        <Resend webhook={webhook} />
        <button type="button" className="btn low plain" onClick={() => turn.mutate(!webhook.active)}>
          {say(webhook.active ? 'pause' : 'resume')}
        </button>
        <button type="button" className="btn low plain" disabled={!webhook.active} onClick={() => ping.mutate()}>
          {say('ping')}
        </button>
        <button type="button" className="btn low plain" onClick={() => setForm('change')}>
          {say('change')}
        </button>
        <button type="button" className="btn low plain" onClick={() => setForm('remove')}>
          {say('remove')}
        </button>
      </div>
      <ErrorLine error={turn.error ?? ping.error} />
      {form === 'change' && <WebhookForm webhook={webhook} onClose={() => setForm(null)} />}
      {form === 'remove' && (
        <Confirm
          title={say('removeTitle')}
          action={say('remove')}
          onConfirm={() => remove.mutateAsync()}
          onClose={() => setForm(null)}
        >
          <p>{say('removeText')}</p>
        </Confirm>
      )}
    </section>
  )
}

export function WebhookPage() {
  const say = useDeveloperWords()
  const language = useLanguage()
  const { webhook: id } = route.useParams()
  const { state, event } = route.useSearch()
  const navigate = route.useNavigate()
  const webhooks = useQuery(webhooksQuery)
  const deliveries = useDeliveries(id, state)
  const webhook = webhooks.data?.find((each) => each.id === id)
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? []
  const chosen = event ?? rows[0]?.eventId ?? null
  const { data: delivery } = useDelivery(id, chosen)
  const schedule = delivery && delivery.scheduleSeconds.length > 1 ? delivery.scheduleSeconds : usualSchedule
  const failing = rows.find((each) => each.state !== 'success' && each.attempts > 0)?.eventId ?? null
  const title = webhook ? targetText(webhook) : say('webhooks')
  useTitle(title)
  const step = (by: number) => {
    const at = rows.findIndex((each) => each.eventId === chosen)
    const to = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
    if (to) void navigate({ search: { ...(state && { state }), event: to.eventId }, replace: true })
  }
  useShortcuts([
    { keys: 'j', label: null, run: () => step(1) },
    { keys: 'k', label: null, run: () => step(-1) },
  ])
  const list = (
    <>
      <div className="tray-head">
        <p className="dev-title">{say('webhooks')}</p>
      </div>
      {webhooks.data?.map((each) => (
        <WebhookRow key={each.id} webhook={each} here={each.id === id} />
      ))}
      {webhook && <Why webhook={webhook} failing={failing} />}
      {webhook && <Secrets webhook={webhook} />}
    </>
  )
  const error = webhooks.error ?? deliveries.error
  const sheet = (
    <article className="dev-wide" aria-label={title}>
      <div className="dev-narrow">
        <DevTray here="webhooks" small />
      </div>
      <header className="dev-head">
        <h1>
          {say('deliveries')} <span className="soft dev-light">· {say('deliveriesAxis')}</span>
        </h1>
        <p className="soft small">{say('axisNote', { count: schedule.length })}</p>
      </header>
      <nav className="dev-states" aria-label={say('result')}>
        <Link to="." search={{}} aria-current={state ? undefined : 'true'}>
          {say('all')}
        </Link>
        {states.map((each) => (
          <Link key={each} to="." search={{ state: each }} aria-current={each === state ? 'true' : undefined}>
            {say(`state${each}`)}
          </Link>
        ))}
      </nav>
      {error && <ErrorPanel error={error} onRetry={() => void deliveries.refetch()} />}
      {deliveries.isPending && !error && <Skeleton rows={8} />}
      {deliveries.isSuccess && rows.length === 0 && <p className="soft">{say('noDeliveries')}</p>}
      {rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="table-scroll" aria-label={say('deliveries')} tabIndex={0}>
          <table className="dense dev-deliveries">
            <thead>
              <tr>
                <th scope="col">{say('event')}</th>
                <th scope="col">{say('eventType')}</th>
                <th scope="col">
                  <div className="dev-scale">
                    {schedule.map((seconds, slot) => (
                      <span key={slot}>{pauseText(seconds, say, language)}</span>
                    ))}
                  </div>
                </th>
                <th scope="col" className="r">
                  {say('result')}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((each) => (
                <tr key={each.eventId} aria-current={each.eventId === chosen ? 'true' : undefined}>
                  <td className="mono">
                    <Link to="." search={{ ...(state && { state }), event: each.eventId }} replace>
                      …{each.eventId.slice(-6)}
                    </Link>
                  </td>
                  <td className="mono">{each.eventType}</td>
                  <td>
                    <span className="unseen">{say('attemptsOf', { count: each.attempts })}</span>
                    <Axis delivery={each} slots={schedule.length} />
                  </td>
                  <td className="r">
                    <Result delivery={each} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {deliveries.hasNextPage && (
        <button type="button" className="btn low plain" onClick={() => void deliveries.fetchNextPage()}>
          {say('older')}
        </button>
      )}
      {delivery && <Details delivery={delivery} />}
    </article>
  )
  return <Desk list={list} listLabel={say('webhooks')} sheet={sheet} />
}
