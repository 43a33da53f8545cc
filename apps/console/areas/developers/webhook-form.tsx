/** Makes a webhook, or changes its address and its events. */
import type { ConsoleWebhook } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Field } from '../../ui/field.tsx'
import { useDeveloperWords } from './words.ts'

interface Properties {
  readonly webhook: ConsoleWebhook | null
  /** With the id and the secret of a new one. */
  readonly onMade?: (id: string, secret: string) => void
  readonly onClose: () => void
}

export function WebhookForm({ webhook, onMade, onClose }: Properties) {
  const say = useDeveloperWords()
  const [url, setUrl] = useState(webhook?.url ?? 'https://')
  const [events, setEvents] = useState(webhook?.events.join(', ') ?? '*')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const save = async () => {
    const body = {
      url: url.trim(),
      events: events
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean),
      description,
    }
    if (webhook) await api.console.updateWebhook(webhook.id, body)
    else {
      const { id, signingSecret } = await api.console.registerWebhook(body)
      onMade?.(id, signingSecret)
    }
    await queries.invalidateQueries({ queryKey: ['webhooks'] })
  }
  return (
    <Confirm
      title={say(webhook ? 'change' : 'addWebhook')}
      action={say(webhook ? 'saveChange' : 'addWebhook')}
      onConfirm={save}
      onClose={onClose}
    >
      <div className="dev-form">
        <Field
          label={say('url')}
          hint={say('urlHint')}
          type="url"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Field
          label={say('patterns')}
          hint={say('patternsHint')}
          value={events}
          onChange={(event) => setEvents(event.target.value)}
        />
        <Field
          label={say('description')}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </div>
    </Confirm>
  )
}
