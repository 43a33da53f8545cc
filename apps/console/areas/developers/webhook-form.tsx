/** Makes a webhook, or changes its destination and its events. */
import type { ListedWebhook } from '@countersign/sdk'
import { useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Field } from '../../ui/field.tsx'
import { useDeveloperWords } from './words.ts'

interface Properties {
  readonly webhook: ListedWebhook | null
  /** With the id and the secret of a new one. */
  readonly onMade?: (id: string, secret: string) => void
  readonly onClose: () => void
}

type Type = ListedWebhook['type']
const types = ['http', 'nats', 'rabbitmq'] as const
const schemes: Readonly<Record<Type, string>> = { http: 'https://', nats: 'tls://', rabbitmq: 'amqps://' }
const fields: Readonly<Record<Type, readonly ('subject' | 'exchange' | 'routingKey')[]>> = {
  http: [],
  nats: ['subject'],
  rabbitmq: ['exchange', 'routingKey'],
}

export function WebhookForm({ webhook, onMade, onClose }: Properties) {
  const say = useDeveloperWords()
  const done = useDoneWords()
  const typeId = useId()
  const [type, setType] = useState<Type>(webhook?.type ?? 'http')
  const [url, setUrl] = useState(webhook?.url ?? schemes.http)
  const [places, setPlaces] = useState({
    subject: webhook?.subject ?? '',
    exchange: webhook?.exchange ?? '',
    routingKey: webhook?.routingKey ?? '',
  })
  const [events, setEvents] = useState(webhook?.events.join(', ') ?? '*')
  const [description, setDescription] = useState(webhook?.description ?? '')
  const save = useChange(
    ['webhooks'],
    async () => {
      // The address that the server shows has no credentials: sent back, it would remove those that are stored.
      const isSame = webhook?.type === type && webhook.url === url.trim()
      const body = {
        type,
        ...Object.fromEntries(fields[type].map((field) => [field, places[field].trim()])),
        events: events
          .split(',')
          .map((each) => each.trim())
          .filter(Boolean),
        description,
      }
      if (webhook) await api.webhooks.update(webhook.id, isSame ? body : { ...body, url: url.trim() })
      else {
        const { id, signingSecret } = await api.webhooks.register({ ...body, url: url.trim() })
        onMade?.(id, signingSecret)
      }
    },
    { told: () => (webhook ? done('webhookSaved') : null) },
  )
  return (
    <Confirm
      title={say(webhook ? 'change' : 'addWebhook')}
      action={say(webhook ? 'saveChange' : 'addWebhook')}
      onConfirm={() => save.mutateAsync()}
      onClose={onClose}
    >
      <div className="dev-form">
        <div className="labeled">
          <label className="label" htmlFor={typeId}>
            {say('type')}
          </label>
          <select
            id={typeId}
            className="field"
            value={type}
            onChange={(event) => {
              const next = event.target.value as Type
              setType(next)
              if (Object.values(schemes).includes(url)) setUrl(schemes[next])
            }}
          >
            {types.map((each) => (
              <option key={each} value={each}>
                {say(`type${each}`)}
              </option>
            ))}
          </select>
        </div>
        <Field
          label={say('url')}
          hint={`${say(`urlHint${type}`)}${webhook && type !== 'http' ? ` ${say('urlKept')}` : ''}`}
          type="url"
          data-field="url"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
        {fields[type].map((field) => (
          <Field
            key={field}
            label={say(field)}
            data-field={field}
            value={places[field]}
            onChange={(event) => setPlaces({ ...places, [field]: event.target.value })}
          />
        ))}
        <Field
          label={say('patterns')}
          hint={say('patternsHint')}
          data-field="events"
          value={events}
          onChange={(event) => setEvents(event.target.value)}
        />
        <Field
          label={say('description')}
          data-field="description"
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </div>
    </Confirm>
  )
}
