/** Stops something at once in one or several centers of the partner. */
import type { CenterIntegrity, NewFreeze } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { useChange } from '../../app/change.ts'
import { Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { StopSquare } from '../../ui/stop.tsx'
import { Effects } from '../../ui/stops/effects.tsx'
import { useStopWords } from '../../ui/stops/words.ts'
import { centersQuery, liftIn, type Outcome, stopIn } from './stop-data.ts'
import { usePartnerWords } from './words.ts'

/** A partner doesn't read the API keys of a center. */
const kinds = ['Actor', 'Types', 'Center'] as const
type Kind = (typeof kinds)[number]

const typesOf = (text: string): string[] => [...new Set(text.split(',').map((each) => each.trim()))].filter(Boolean)

interface Properties {
  /** The center that the page was opened for. */
  readonly wanted: string | undefined
  readonly outcome: Outcome | null
  onStopped(outcome: Outcome): void
}

export function PartnerStopForm({ wanted, outcome, onStopped }: Properties) {
  const say = usePartnerWords()
  const words = useStopWords()
  const done = useDoneWords()
  const id = useId()
  const [kind, setKind] = useState<Kind>('Actor')
  const [actor, setActor] = useState('')
  const [types, setTypes] = useState('')
  const [reason, setReason] = useState('')
  const [picked, setPicked] = useState<ReadonlySet<number>>(() => new Set(wanted ? [Number(wanted)] : []))
  const found = useQuery(centersQuery)
  const open = found.data?.filter(({ status }) => status !== 'INACTIVE') ?? []
  const chosen = open.filter(({ centerId }) => picked.has(centerId))
  const covers: Readonly<Record<Kind, Partial<NewFreeze> | null>> = {
    Actor: actor.trim() ? { actorId: actor.trim() } : null,
    Types: typesOf(types).length > 0 ? { actionTypes: typesOf(types) } : null,
    Center: { center: true },
  }
  const what = covers[kind]
  const stop = useChange<NewFreeze, Outcome>(['freezes'], (body) => stopIn(chosen, body), {
    told: ({ made }) => (made.length === 1 ? done('stopped') : say('stopDone', { count: made.length })),
    undo:
      ({ made }) =>
      () =>
        liftIn(made, done('undoReason')),
    onDone(result) {
      setPicked(new Set(result.failed.map(({ centerId }) => centerId)))
      if (result.failed.length === 0) {
        setActor('')
        setTypes('')
        setReason('')
      }
      onStopped(result)
    },
  })
  const isMissing = what === null || reason.trim() === '' || chosen.length === 0
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (what && !isMissing && !stop.isPending) stop.mutate({ ...what, reason: reason.trim() })
  }
  const act = (
    <button type="submit" form={id} className="btn first stop-do" disabled={stop.isPending || isMissing}>
      <StopSquare />
      {chosen.length > 1 ? say(`stopIn${kind}`, { count: chosen.length }) : words(`stop${kind}`)}
    </button>
  )
  return (
    <Sheet act={act} label={words('title')}>
      {outcome && (outcome.made.length > 1 || outcome.failed.length > 0) && <Result outcome={outcome} />}
      <form id={id} onSubmit={send}>
        <h2 className="stop-question">{words('question')}</h2>
        <fieldset className="stop-picks">
          <legend className="stop-legend">{words('question')}</legend>
          {kinds.map((each) => (
            <label key={each}>
              <input type="radio" name="kind" checked={kind === each} onChange={() => setKind(each)} />
              <span>
                <b>{words(`pick${each}`)}</b>
                <small>{words(`pick${each}Note`)}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <div className="partner-stop-what">
          {kind === 'Actor' && (
            <Field
              label={words('agent')}
              hint={say('stopAgentHint')}
              maxLength={255}
              autoComplete="off"
              value={actor}
              onChange={({ target }) => setActor(target.value)}
            />
          )}
          {kind === 'Types' && (
            <Field
              label={words('types')}
              hint={words('typesHint')}
              autoComplete="off"
              data-field="actionTypes"
              value={types}
              onChange={({ target }) => setTypes(target.value)}
            />
          )}
        </div>
        <Loaded query={found} skeletonRows={3}>
          {() => <Centers centers={open} picked={picked} onPick={setPicked} />}
        </Loaded>
        <div className="stop-fields">
          <Field
            label={words('reason')}
            hint={words('reasonHint')}
            maxLength={500}
            autoComplete="off"
            data-field="reason"
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </div>
        <Effects waiting={0} whole={kind === 'Center'} />
        <p className="soft">{say('stopTells')}</p>
        <ErrorLine error={stop.error} />
      </form>
    </Sheet>
  )
}

/** So many fit on the page without a search. */
const few = 8

interface CentersProperties {
  readonly centers: readonly CenterIntegrity[]
  readonly picked: ReadonlySet<number>
  onPick(picked: ReadonlySet<number>): void
}

function Centers({ centers, picked, onPick }: CentersProperties) {
  const say = usePartnerWords()
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = centers.filter(({ name, domain }) => `${name} ${domain}`.toLowerCase().includes(wanted))
  const count = centers.filter(({ centerId }) => picked.has(centerId)).length
  const areAll = shown.length > 0 && shown.every(({ centerId }) => picked.has(centerId))
  const turn = (ids: readonly number[], isOn: boolean) => {
    const next = new Set(picked)
    for (const each of ids) isOn ? next.add(each) : next.delete(each)
    onPick(next)
  }
  if (centers.length === 0) return <p className="soft">{say('noCenters')}</p>
  return (
    <fieldset className="choices partner-stop-centers">
      <legend className="label">{say('stopWhere')}</legend>
      {centers.length > few && (
        <input
          className="field"
          type="search"
          aria-label={say('search')}
          placeholder={say('search')}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <p className="button-line">
        <span className="soft small" role="status">
          {say('stopPicked', { count, total: centers.length })}
        </span>
        {shown.length > 1 && (
          <button
            type="button"
            className="btn plain low"
            onClick={() =>
              turn(
                shown.map(({ centerId }) => centerId),
                !areAll,
              )
            }
          >
            {areAll ? say('stopPickNone') : say('stopPickAll', { count: shown.length })}
          </button>
        )}
      </p>
      <div className="partner-stop-list">
        {shown.map(({ centerId, name, domain }) => (
          <label key={centerId}>
            <input
              type="checkbox"
              checked={picked.has(centerId)}
              onChange={({ target }) => turn([centerId], target.checked)}
            />
            <span>
              <b>{name}</b>
              <small>{domain}</small>
            </span>
          </label>
        ))}
        {shown.length === 0 && <p className="soft">{say('noMatch')}</p>}
      </div>
    </fieldset>
  )
}

/** Where it is stopped, what had started there, and where it is not stopped. */
function Result({ outcome: { made, failed, error } }: { readonly outcome: Outcome }) {
  const say = usePartnerWords()
  const words = useStopWords()
  return (
    <section
      className="partner-stop-result"
      role="status"
      ref={(element) => element?.scrollIntoView({ block: 'center' })}
    >
      <h2 className="stop-question">{say('stopDone', { count: made.length })}</h2>
      <ul className="stop-ran">
        {made.map(({ centerId, name, id, running }) => (
          <li key={centerId}>
            <Link to="/p/stop" search={{ freeze: id }} className="link">
              {name}
            </Link>
            {running > 0 && <small className="soft"> · {words('ran', { count: running })}</small>}
          </li>
        ))}
        {failed.map(({ centerId, name }) => (
          <li key={centerId}>
            {name} <StatusWord tone="broken">{say('stopNot')}</StatusWord>
          </li>
        ))}
      </ul>
      {failed.length > 0 && <p>{say('stopAgain')}</p>}
      <ErrorLine error={error} />
    </section>
  )
}
