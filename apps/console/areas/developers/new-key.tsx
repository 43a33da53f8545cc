/** The form for a new API key. An address can fill it in; nothing is created before a person presses. */
import type { NewApiKey } from '@countersign/sdk'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Field } from '../../ui/field.tsx'
import { useExpiry } from './expiry.tsx'
import type { KeysSearch } from './search.ts'
import { useDeveloperWords } from './words.ts'

export const scopes = [
  ['decide', 'scope_decide'],
  ['proof:read', 'scope_read'],
  ['proof:write', 'scope_write'],
  ['proof:approve', 'scope_approve'],
  ['events:write', 'scope_events'],
  ['webhooks:write', 'scope_webhooks'],
  ['policies:write', 'scope_policies'],
  ['sandboxes:write', 'scope_sandboxes'],
] as const
const actorTypes = ['ai_agent', 'service', 'system', 'human'] as const

interface NewKeyProperties {
  readonly filled: KeysSearch
  readonly onCreated: (key: string) => void
  readonly onClose: () => void
}

/** The scopes that an address names, of those that exist. */
const scopesIn = (text: string): readonly string[] =>
  scopes.map(([scope]) => scope).filter((scope) => text.split(',').includes(scope))

export function NewKey({ filled, onCreated, onClose }: NewKeyProperties) {
  const say = useDeveloperWords()
  const [name, setName] = useState(filled.name ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(
    filled.scopes === undefined ? ['proof:write'] : scopesIn(filled.scopes),
  )
  const [actor, setActor] = useState(filled.agent ?? '')
  const [type, setType] = useState<string>('ai_agent')
  const expiry = useExpiry('never')
  const lacksAgent = chosen.includes('decide') && actor.trim() === ''
  const missing = chosen.length === 0 ? say('missingScope') : lacksAgent ? say('missingAgent') : expiry.missing
  const create = useChange(
    ['api-keys'],
    () => {
      const expiresAt = expiry.at()
      return api.apiKeys.create({
        name: name.trim() || 'key',
        scopes: chosen as NewApiKey['scopes'],
        ...(expiresAt && { expiresAt }),
        ...(actor.trim() && { actor: { id: actor.trim(), type: type as 'ai_agent' } }),
      })
    },
    { told: 'shown', onDone: ({ key }) => onCreated(key) },
  )
  return (
    <Confirm
      title={say('addKey')}
      action={say('addKey')}
      missing={missing}
      onConfirm={() => create.mutateAsync()}
      onClose={onClose}
    >
      <div className="dev-form">
        <Field
          label={say('keyName')}
          maxLength={100}
          data-field="name"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <fieldset>
          <legend className="label">{say('keyScopes')}</legend>
          {scopes.map(([scope, word]) => (
            <label key={scope} className="dev-check">
              <input
                type="checkbox"
                checked={chosen.includes(scope)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope))
                }
              />
              {say(word)} <code className="mono soft">{scope}</code>
            </label>
          ))}
        </fieldset>
        <Field
          label={say('keyActor')}
          hint={say('keyActorHint')}
          placeholder="agent-7"
          data-field="actor"
          value={actor}
          onChange={(event) => setActor(event.target.value)}
        />
        {actor.trim() !== '' && (
          <label className="labeled">
            <span className="label">{say('actorType')}</span>
            <select className="field" value={type} onChange={(event) => setType(event.target.value)}>
              {actorTypes.map((each) => (
                <option key={each} value={each}>
                  {say(`actor${each}`)}
                </option>
              ))}
            </select>
          </label>
        )}
        {expiry.form}
      </div>
    </Confirm>
  )
}
