/** Stops something at once: what, why, and what follows from it. */
import type { FreezeMade, NewFreeze } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { api } from '../../app/api.ts'
import { keysQuery } from '../../app/api-keys.ts'
import { useChange } from '../../app/change.ts'
import { recentQuery } from '../../app/recent.ts'
import { Sheet, useTitle } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { StopSquare } from '../../ui/stop.tsx'
import { Effects } from '../../ui/stops/effects.tsx'
import { useStopWords } from '../../ui/stops/words.ts'
import { coverageQuery } from './data.ts'
import { Running } from './running.tsx'

const kinds = ['Actor', 'Key', 'Types', 'Center'] as const
type Kind = (typeof kinds)[number]

const typesOf = (text: string): string[] => [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean)

interface Properties {
  readonly center: string
  /** What the form begins with; empty without one. */
  readonly agent: string
  onStopped(freeze: FreezeMade): void
}

export function StopForm({ center, agent, onStopped }: Properties) {
  const say = useStopWords()
  const done = useDoneWords()
  useTitle(say('title'))
  const id = useId()
  const router = useRouter()
  const [kind, setKind] = useState<Kind>('Actor')
  const [actor, setActor] = useState(agent)
  const [keyId, setKeyId] = useState('')
  const [types, setTypes] = useState('')
  const [reason, setReason] = useState('')
  const { data: keys } = useQuery(keysQuery)
  const { data: known } = useQuery(recentQuery(center))
  const chosenKey = keyId || (keys?.[0]?.id ?? '')
  const covers: Readonly<Record<Kind, Partial<NewFreeze> | null>> = {
    Actor: actor.trim() ? { actorId: actor.trim() } : null,
    Key: chosenKey ? { keyId: chosenKey } : null,
    Types: typesOf(types).length > 0 ? { actionTypes: typesOf(types) } : null,
    Center: { center: true },
  }
  const chosen = covers[kind]
  const { data: covered } = useQuery({ ...coverageQuery(center, useSettled(chosen) ?? {}), enabled: chosen !== null })
  const stop = useChange<NewFreeze, FreezeMade>(['freezes', 'inbox'], (body) => api.freezes.create(body), {
    told: () => done('stopped'),
    undo:
      ({ id: made }) =>
      () =>
        api.freezes.lift(made, { reason: done('undoReason') }),
    onDone: onStopped,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (chosen && reason.trim() && !stop.isPending) stop.mutate({ ...chosen, reason: reason.trim() })
  }
  const act = (
    <>
      <button type="button" className="btn stop-cancel" onClick={() => router.history.back()}>
        {say('cancel')}
      </button>
      <button
        type="submit"
        form={id}
        className="btn first stop-do"
        disabled={stop.isPending || chosen === null || reason.trim() === ''}
      >
        <StopSquare />
        {say(`stop${kind}`)}
      </button>
    </>
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
              data-field="actionTypes"
              value={types}
              onChange={({ target }) => setTypes(target.value)}
            />
          )}
          <Field
            label={say('reason')}
            hint={say('reasonHint')}
            maxLength={500}
            autoComplete="off"
            data-field="reason"
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
        <Effects waiting={covered?.waiting ?? 0} whole={kind === 'Center'} />
        <Running running={covered?.running} center={center} />
        <p className="soft">{say('tells')}</p>
        <ErrorLine error={stop.error} />
      </form>
    </Sheet>
  )
}

/** The value once it has not changed for a moment: nobody is asked about every letter. */
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  const text = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(text) as T), 300)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
