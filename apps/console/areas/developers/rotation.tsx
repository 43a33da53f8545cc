/** The secrets that are valid now, and the assistant that replaces them. */
import type { ListedWebhook } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useDeveloperWords } from './words.ts'

const overlaps = ['86400', '3600', '0'] as const

export function Secrets({ webhook }: { readonly webhook: ListedWebhook }) {
  const say = useDeveloperWords()
  const language = useLanguage()
  const [open, setOpen] = useState(false)
  const [overlap, setOverlap] = useState<(typeof overlaps)[number]>('86400')
  const [secret, setSecret] = useState<string | null>(null)
  const rotate = useChange(
    ['webhooks'],
    async () => {
      const { signingSecret } = await api.webhooks.rotateSecret(webhook.id, {
        expirePreviousAfterSeconds: Number(overlap),
      })
      setSecret(signingSecret)
    },
    { told: 'shown' },
  )
  return (
    <section className="dev-side">
      <h2>{say('secrets')}</h2>
      <ul className="small soft">
        {webhook.secrets.map(({ createdAt, expiresAt }) => (
          <li key={createdAt}>
            {expiresAt
              ? say('secretOld', { at: timeText(expiresAt, language) })
              : say('secretNow', { at: timeText(createdAt, language) })}
          </li>
        ))}
      </ul>
      <button type="button" className="btn low plain" onClick={() => setOpen(true)}>
        {say('rotate')}
      </button>
      {open && (
        <Confirm
          title={say('rotateTitle')}
          action={say('rotateGo')}
          onConfirm={() => rotate.mutateAsync()}
          onClose={() => setOpen(false)}
        >
          <ol className="dev-steps">
            <li>{say('rotate1')}</li>
            <li>{say('rotate2')}</li>
            <li>{say('rotate3')}</li>
          </ol>
          <fieldset>
            <legend className="label">{say('overlap')}</legend>
            {overlaps.map((each) => (
              <label key={each} className="dev-check">
                <input type="radio" name="overlap" checked={each === overlap} onChange={() => setOverlap(each)} />
                {say(`overlap${each}`)}
              </label>
            ))}
          </fieldset>
        </Confirm>
      )}
      {secret !== null && <ShownOnce kind="secret" value={secret} onClose={() => setSecret(null)} />}
    </section>
  )
}
