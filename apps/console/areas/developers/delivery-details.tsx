/** One delivery: its attempts with their reasons, the bytes that were sent, and what came back. All of it as text. */
import type { DeliveryAttempt, DeliveryDetails } from '@countersign/sdk'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { JsonView } from '../../ui/json-view.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { type DeveloperWords, useDeveloperWords } from './words.ts'

const known = [
  'timeout',
  'http',
  'dns',
  'connect',
  'tls',
  'reset',
  'bad_response',
  'blocked_address',
  'credentials',
  'unroutable',
  'rejected',
] as const

export function reasonOf({ error, responseStatus, message }: DeliveryAttempt, say: DeveloperWords): string {
  if (error === null) return ''
  const name = known.find((each) => each === error)
  if (name) return say(`error${name}`, { status: responseStatus ?? '' })
  return say('errorother', { error: message ?? error })
}

export function Details({ delivery }: { readonly delivery: DeliveryDetails }) {
  const say = useDeveloperWords()
  const done = useDoneWords()
  const language = useLanguage()
  const again = useChange(['webhooks', 'deliveries'], () => api.webhooks.retryEvent(delivery.eventId), {
    told: () => done('deliveryAgain'),
  })
  const last = delivery.history.at(-1)
  const bytes = delivery.body === null ? 0 : new TextEncoder().encode(delivery.body).length
  return (
    <section className="dev-details" aria-label={delivery.eventId}>
      <div>
        <h2>
          <code className="mono">{delivery.eventId}</code> · {say('attemptsOf', { count: delivery.attempts })}
        </h2>
        <DataTable
          label={say('attempt')}
          rows={delivery.history}
          keyOf={({ attempt }) => attempt}
          columns={[
            { id: 'n', title: say('attempt'), cell: ({ attempt }) => attempt },
            { id: 'at', title: say('when'), cell: ({ at }) => <Time at={at} /> },
            {
              id: 'answer',
              title: say('answer'),
              cell: ({ status, responseStatus }) => (
                <StatusWord tone={status === 'success' ? 'verified' : 'broken'}>
                  {responseStatus === null
                    ? say(status === 'success' ? 'acknowledged' : 'noAnswer')
                    : String(responseStatus)}
                </StatusWord>
              ),
            },
            { id: 'ms', title: say('took'), cell: ({ ms }) => `${numberText(ms, language)} ms`, align: 'right' },
            { id: 'why', title: say('reason'), cell: (each) => reasonOf(each, say) },
          ]}
        />
        {delivery.nextRetryAt && (
          <p className="waiting small">
            ◷ {say('waitingNext')} <Time at={delivery.nextRetryAt} />
          </p>
        )}
        {delivery.state !== 'success' && (
          <button type="button" className="btn low" disabled={again.isPending} onClick={() => again.mutate()}>
            {say('retryOne')}
          </button>
        )}
        <ErrorLine error={again.error} />
      </div>
      <div>
        <h2>{say('body', { bytes: numberText(bytes, language) })}</h2>
        {delivery.body === null ? (
          <p className="soft">{say('bodyGone')}</p>
        ) : (
          <JsonView value={delivery.body} label={say('body', { bytes })} />
        )}
        {last && (
          <>
            <h2>{say('response', { attempt: last.attempt })}</h2>
            {last.responseBody ? (
              <JsonView value={last.responseBody} label={say('response', { attempt: last.attempt })} />
            ) : (
              <p className="soft small">{last.message ?? say('emptyAnswer')}</p>
            )}
          </>
        )}
      </div>
    </section>
  )
}
