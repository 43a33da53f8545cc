/** One stop in a center of the partner: who stopped what, where and why, and its lifting. */
import type { PartnerFreeze } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { useMe } from '../../app/queries.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { timeText } from '../../ui/clock.ts'
import { Part, Sheet, useTitle } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { Effects } from '../../ui/stops/effects.tsx'
import { coveredText } from '../../ui/stops/facts.ts'
import { LiftForm } from '../../ui/stops/lift-form.tsx'
import { useStopWords } from '../../ui/stops/words.ts'
import { liftIn, sameElsewhere } from './stop-data.ts'
import { usePartnerWords } from './words.ts'

interface Properties {
  readonly stop: PartnerFreeze
  readonly all: readonly PartnerFreeze[]
  readonly running: number
}

export function PartnerStopSheet({ stop, all, running }: Properties) {
  const say = usePartnerWords()
  const words = useStopWords()
  const language = useLanguage()
  const isAdmin = usePartnerAdmin()
  const { data: me } = useMe()
  const name = coveredText(stop, undefined, words)
  const isStanding = stop.liftedAt === null
  useTitle(isStanding ? words('stoppedTitle', { name }) : words('title'))
  const obstacleOf = () => {
    if (stop.rank === 'operator') return words('only_operator')
    if (isAdmin === false) return say('readOnly')
    return me !== undefined && stop.actorId === me.actorId ? say('stopOnlyOther') : null
  }
  const obstacle = obstacleOf()
  return (
    <Sheet
      label={name}
      bar={
        isStanding && isAdmin && obstacle === null ? <Lift stop={stop} others={sameElsewhere(stop, all)} /> : undefined
      }
    >
      <p className="stop-back">
        <Link to="/p/stop" search={{}} className="link">
          {words('back')}
        </Link>
      </p>
      <p className="soft small stop-line">
        <span>{timeText(stop.madeAt, language, 'long')}</span>
        <span className="mono">{stop.id}</span>
      </p>
      <h1 className="stop-headline">{words('headline', { who: stop.madeByName ?? words(`by_${stop.rank}`), name })}</h1>
      <dl className="facts">
        <dt>{say('center')}</dt>
        <dd>
          {stop.centerId === null ? (
            say('stopAllCenters')
          ) : (
            <Link to="/p" search={{ q: undefined, center: String(stop.centerId) }}>
              {stop.centerName}
            </Link>
          )}
        </dd>
        <dt>{say('stopRank')}</dt>
        <dd>{say(`stopRank_${stop.rank}`)}</dd>
      </dl>
      <Part title={words('reason')}>
        <p className="measure">{stop.reason}</p>
      </Part>
      {isStanding && <Effects waiting={0} whole={stop.center === true} />}
      {isStanding && running > 0 && <p className="waiting">{words('ran', { count: running })}</p>}
      {stop.liftedAt !== null && (
        <Part title={words('liftedPart')} aside={timeText(stop.liftedAt, language, 'long')}>
          <p className="measure">{stop.liftReason}</p>
          <p className="soft small">
            {stop.liftedByName ?? (stop.liftedBy === 'operator' ? words('by_operator') : '')}
          </p>
        </Part>
      )}
      {isStanding && obstacle !== null && <p className="waiting">{obstacle}</p>}
    </Sheet>
  )
}

interface Lifting {
  readonly stop: PartnerFreeze
  readonly others: readonly PartnerFreeze[]
}

function Lift({ stop, others }: Lifting) {
  const say = usePartnerWords()
  const done = useDoneWords()
  const [everywhere, setEverywhere] = useState(false)
  const lift = useChange<string, Awaited<ReturnType<typeof liftIn>>>(
    ['freezes'],
    (reason) => liftIn(everywhere ? [stop, ...others] : [stop], reason),
    { told: ({ failed }) => (failed === 0 ? done('lifted') : say('stopLiftFailed', { count: failed })) },
  )
  return (
    <LiftForm lift={lift}>
      {others.length > 0 && (
        <label className="partner-stop-others">
          <input type="checkbox" checked={everywhere} onChange={({ target }) => setEverywhere(target.checked)} />
          <span>{say('stopLiftOthers', { count: others.length })}</span>
        </label>
      )}
    </LiftForm>
  )
}
