/** Stops something at once: what, why, and what follows from it. */
import type { FreezeMade, NewFreeze } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { Sheet, useTitle } from '../../ui/desk.tsx'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { StopSquare } from '../../ui/stop.tsx'
import { keysQuery, recentQuery, waitingQuery } from './data.ts'
import { useStopWords } from './words.ts'

const kinds = ['Actor', 'Key', 'Types', 'Center'] as const
type Kind = (typeof kinds)[number]
const keepsWorking = ['keepsOutcomes', 'keepsOthers', 'keepsDeadlines', 'keepsProofs'] as const

const typesOf = (text: string): string[] => [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean)

interface Properties {
  readonly center: string
  onStopped(freeze: FreezeMade): void
}

export function StopForm({ center, onStopped }: Properties) {
  const say = useStopWords()
  useTitle(say('title'))
  const id = useId()
  const [kind, setKind] = useState<Kind>('Actor')
  const [actor, setActor] = useState('')
  const [keyId, setKeyId] = useState('')
  const [types, setTypes] = useState('')
  const [reason, setReason] = useState('')
  const { data: keys } = useQuery(keysQuery)
  const { data: known } = useQuery(recentQuery(center))
  const counted = kind === 'Center' ? null : actor.trim()
  const { data: waiting } = useQuery({
    ...waitingQuery(center, counted),
    enabled: kind === 'Center' || (kind === 'Actor' && known?.agents.includes(actor.trim()) === true),
  })
  const chosenKey = keyId || (keys?.[0]?.id ?? '')
  const covers: Readonly<Record<Kind, Partial<NewFreeze> | null>> = {
    Actor: actor.trim() ? { actorId: actor.trim() } : null,
    Key: chosenKey ? { keyId: chosenKey } : null,
    Types: typesOf(types).length > 0 ? { actionTypes: typesOf(types) } : null,
    Center: { center: true },
  }
  const chosen = covers[kind]
  const stop = useChange<NewFreeze>(['freezes', 'inbox'], async (body) => onStopped(await api.freezes.create(body)))
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (chosen && reason.trim() && !stop.isPending) stop.mutate({ ...chosen, reason: reason.trim() })
  }
  const act = (
    <button
      type="submit"
      form={id}
      className="btn first stop-do"
      disabled={stop.isPending || chosen === null || reason.trim() === ''}
    >
      <StopSquare />
      {say(`stop${kind}`)}
    </button>
  )
  return (
    <Sheet act={act} label={say('title')}>
      <form id={id} onSubmit={send}>
        <h2 className="stop-question">{say('question')}</h2>
        <fieldset className="stop-picks">
          <legend className="stop-legend">{say('question')}</legend>
          {kinds.map((each) => (
            <label key={each}>
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
              <span>
                <b>{say(`pick${each}`)}</b>
                <small>{say(`pick${each}Note`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <div className="stop-fields">
          {kind === 'Actor' && (
            <Field
              label={say('agent')}
              list={`${id}-agents`}
              maxLength={255}
              autoComplete="off"
              value={actor}
              onChange={({ target }) => setActor(target.value)}
            />
          )}
          {kind === 'Key' && (
            <label className="labeled">
              <span className="label">{say('key')}</span>
              <select className="field" value={chosenKey} onChange={({ target }) => setKeyId(target.value)}>
                {keys?.map((key) => (
                  <option key={key.id} value={key.id}>
                    {key.name} · {key.prefix}…
                  </option>
                ))}
              </select>
            </label>
          )}
          {kind === 'Types' && (
            <Field
              label={say('types')}
              hint={say('typesHint')}
              list={`${id}-types`}
              autoComplete="off"
              value={types}
              onChange={({ target }) => setTypes(target.value)}
            />
          )}
          <Field
            label={say('reason')}
            hint={say('reasonHint')}
            maxLength={500}
            autoComplete="off"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </div>
        <datalist id={`${id}-agents`}>
          {known?.agents.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <datalist id={`${id}-types`}>
          {known?.types.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
        <div className="stop-effects">
          <section>
            <h3>
              <StopSquare />
              {say('stops')}
            </h3>
            <ul>
              <li>{say('stopsRequests')}</li>
              <li>{waiting === undefined ? say('stopsApprovals') : say('stopsWaiting', { count: waiting })}</li>
              <li>{say('stopsRuns')}</li>
            </ul>
          </section>
          <section>
            <h3>
              <span aria-hidden="true">▷ </span>
              {say('keeps')}
            </h3>
            <ul>
              {keepsWorking
                .filter((each) => each !== 'keepsOthers' || kind !== 'Center')
                .map((each) => (
                  <li key={each}>{say(each)}</li>
                ))}
            </ul>
          </section>
        </div>
        <p className="waiting">
          <span aria-hidden="true">△ </span>
          {say('cannot')}
        </p>
        <p className="soft">{say('tells')}</p>
        <ErrorLine error={stop.error} />
      </form>
    </Sheet>
  )
}
