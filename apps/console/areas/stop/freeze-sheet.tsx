/** One stop: who stopped what and why, what ran already, and its lifting. */
import type { Freeze } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../app/api.ts'
import { keysQuery } from '../../app/api-keys.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { numberText, timeText } from '../../ui/clock.ts'
import { Part, Sheet, useTitle } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Effects } from '../../ui/stops/effects.tsx'
import { coveredText } from '../../ui/stops/facts.ts'
import { LiftForm } from '../../ui/stops/lift-form.tsx'
import { useStopWords } from '../../ui/stops/words.ts'
import { adminsQuery, coverageQuery } from './data.ts'
import { RefuseAll } from './refuse-all.tsx'
import { Running } from './running.tsx'
import { Runs } from './runs.tsx'

interface Properties {
  readonly freeze: Freeze
  readonly center: string
}

export function FreezeSheet({ freeze, center }: Properties) {
  const say = useStopWords()
  const language = useLanguage()
  const { data: me } = useMe()
  const { data: keys } = useQuery(keysQuery)
  const { data: admins } = useQuery(adminsQuery(center))
  const { data: covered } = useQuery({
    ...coverageQuery(center, freeze, freeze.historyIndex),
    enabled: freeze.liftedAt === null,
  })
  const name = coveredText(freeze, keys, say)
  useTitle(freeze.liftedAt === null ? say('stoppedTitle', { name }) : say('title'))
  const personOf = (actorId: string, rank: Freeze['rank']) => admins?.get(actorId) ?? say(`by_${rank}`)
  const obstacle =
    freeze.rank !== 'center' ? (`only_${freeze.rank}` as const) : freeze.actorId === me?.actorId ? 'onlyOther' : null
  return (
    <Sheet
      label={name}
      bar={
        freeze.liftedAt === null && obstacle === null ? (
          <Lift freeze={freeze} waiting={covered?.waitingIds ?? []} />
        ) : undefined
      }
    >
      <p className="stop-back">
        <Link to="." search={{}} className="link">
          {say('back')}
        </Link>
      </p>
      <p className="soft small stop-line">
        {freeze.historyIndex !== null && (
          <span>{say('entry', { index: numberText(freeze.historyIndex + 1, language) })}</span>
        )}
        <span>{timeText(freeze.madeAt, language, 'long')}</span>
        <span className="mono">{freeze.id}</span>
      </p>
      <h1 className="stop-headline">{say('headline', { who: personOf(freeze.madeBy, freeze.rank), name })}</h1>
      <Part title={say('reason')}>
        <p className="measure">{freeze.reason}</p>
      </Part>
      {freeze.liftedAt === null && covered && (
        <>
          {covered.runs && <Runs runs={covered.runs} stoppedAt={freeze.madeAt} />}
          <Effects waiting={covered.waiting} whole={freeze.center === true} />
          <Running running={covered.running} center={center} />
        </>
      )}
      {freeze.liftedAt !== null && (
        <Part title={say('liftedPart')} aside={timeText(freeze.liftedAt, language, 'long')}>
          <p className="measure">{freeze.liftReason}</p>
          <p className="soft small">{admins?.get(freeze.liftedBy ?? '') ?? ''}</p>
        </Part>
      )}
      {freeze.liftedAt === null && obstacle !== null && <p className="waiting">{say(obstacle)}</p>}
    </Sheet>
  )
}

interface Lifting {
  readonly freeze: Freeze
  readonly waiting: readonly string[]
}

function Lift({ freeze, waiting }: Lifting) {
  const done = useDoneWords()
  const lift = useChange<string>(['freezes', 'inbox'], (reason) => api.freezes.lift(freeze.id, { reason }), {
    told: () => done('lifted'),
  })
  return <LiftForm lift={lift} beside={waiting.length > 0 && <RefuseAll ids={waiting} />} />
}
