/** Sends what failed again: one event, or all since a time, with progress that survives leaving the page. */

import { zoneName } from '@countersign/design/zones.ts'
import type { ListedWebhook } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { currentZone } from '../../app/zone.ts'
import { numberText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { instantOf, localTimeOf } from '../../ui/day.ts'
import { useDeveloperWords } from './words.ts'

const dayMs = 86_400_000

export function Resend({ webhook }: { readonly webhook: ListedWebhook }) {
  const say = useDeveloperWords()
  const language = useLanguage()
  const [open, setOpen] = useState(false)
  const [since, setSince] = useState(() => localTimeOf(Date.now() - 7 * dayMs))
  const { recovery, recent } = webhook
  const recover = useChange(
    ['webhooks', 'deliveries'],
    () => api.webhooks.recover(webhook.id, { since: instantOf(since) }),
    { told: 'shown' },
  )
  const count = recent.failed + recent.held
  const number = (value: number) => numberText(value, language)
  const running = recovery?.status === 'running'
  return (
    <>
      <button type="button" className="btn low first" disabled={running || count === 0} onClick={() => setOpen(true)}>
        {count > 0 ? say('resendCount', { count: number(count) }) : say('resend')}
      </button>
      {recovery && (
        <div className="dev-progress" role="status">
          {running ? (
            <>
              <progress max={Math.max(1, recovery.total)} value={recovery.recovered} aria-label={say('resendGo')} />
              <span>{say('progress', { done: number(recovery.recovered), total: number(recovery.total) })}</span>
            </>
          ) : (
            <span className="verified">✓ {say('recovered', { total: number(recovery.recovered) })}</span>
          )}
        </div>
      )}
      {open && (
        <Confirm
          title={say('resendTitle')}
          action={say('resendGo')}
          onConfirm={() => recover.mutateAsync()}
          onClose={() => setOpen(false)}
        >
          <p>{say('resendText')}</p>
          <label className="labeled">
            <span className="label">
              {say('since')} ({zoneName(Date.now(), currentZone())})
            </span>
            <input
              className="field"
              type="datetime-local"
              data-field="since"
              value={since}
              onChange={(event) => setSince(event.target.value)}
            />
          </label>
        </Confirm>
      )}
    </>
  )
}
