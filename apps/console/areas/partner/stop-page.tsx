/** What is stopped in the centers of a partner, and the form that stops something in one or several of them. */
import type { PartnerFreeze } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { usePartnerAdmin } from '../../app/role.ts'
import { durationText, timeText } from '../../ui/clock.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StopSquare } from '../../ui/stop.tsx'
import { coveredText } from '../../ui/stops/facts.ts'
import '../../ui/stops/stop.css'
import { useStopWords } from '../../ui/stops/words.ts'
import './partner.css'
import { type Outcome, stopsQuery } from './stop-data.ts'
import { PartnerStopForm } from './stop-form.tsx'
import { PartnerStopSheet } from './stop-sheet.tsx'
import { usePartnerWords } from './words.ts'

const route = getRouteApi('/p/stop')
const nothing: readonly PartnerFreeze[] = []

export function PartnerStopPage() {
  const say = usePartnerWords()
  const words = useStopWords()
  const isAdmin = usePartnerAdmin()
  const { freeze: id, center } = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useNarrow()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const { data, error, refetch } = useQuery(stopsQuery)
  useTitle(words('title'))
  const now = data?.inForce ?? nothing
  const earlier = data?.lifted ?? nothing
  const chosen = [...now, ...earlier].find((each) => each.id === id)
  const showsEarlier = earlier.length > 0 && (!isNarrow || chosen !== undefined || isAdmin === false)
  const list = (
    <>
      <div className="tray-head">
        <div>
          {chosen ? <p className="stop-title">{words('title')}</p> : <h1>{words('title')}</h1>}
          <p className="soft">{say('stopLede')}</p>
        </div>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && data.unreachable.length > 0 && (
        <p className="stop-none waiting">{say('stopUnreachable', { count: data.unreachable.length })}</p>
      )}
      {data && <p className="group">{words('now')}</p>}
      {data && now.length === 0 && <p className="stop-none soft">{words('nothing')}</p>}
      {now.map((each) => (
        <Row key={each.id} stop={each} current={each.id === id} />
      ))}
      {chosen && isAdmin && (
        <p className="stop-none">
          <Link to="/p/stop" search={{}} className="link">
            {words('another')}
          </Link>
        </p>
      )}
      {showsEarlier && <p className="group">{words('earlier')}</p>}
      {showsEarlier && earlier.map((each) => <Row key={each.id} stop={each} current={each.id === id} />)}
    </>
  )
  const sheetOf = () => {
    if (chosen) {
      const made = outcome?.made.find((each) => each.id === chosen.id)
      return <PartnerStopSheet key={chosen.id} stop={chosen} all={now} running={made?.running ?? 0} />
    }
    if (isAdmin === false) return isNarrow ? undefined : <Empty title={words('title')}>{say('readOnly')}</Empty>
    const onStopped = (result: Outcome) => {
      setOutcome(result)
      const [first, ...others] = result.made
      if (first && others.length === 0 && result.failed.length === 0) void navigate({ search: { freeze: first.id } })
    }
    return isAdmin && <PartnerStopForm wanted={center} outcome={outcome} onStopped={onStopped} />
  }
  const notes = chosen ? (['lifted', 'proved'] as const) : (['when'] as const)
  const margin = (
    <>
      {!chosen && (
        <section>
          <h3>{words('title_who')}</h3>
          <p>{say('stopWho')}</p>
        </section>
      )}
      {notes.map((note) => (
        <section key={note}>
          <h3>{words(`title_${note}`)}</h3>
          <p>{words(`text_${note}`)}</p>
        </section>
      ))}
    </>
  )
  return <Desk list={list} listLabel={words('title')} sheet={sheetOf()} margin={margin} keepList={!chosen} />
}

function Row({ stop, current }: { readonly stop: PartnerFreeze; readonly current: boolean }) {
  const say = usePartnerWords()
  const words = useStopWords()
  const language = useLanguage()
  const { madeAt, liftedAt, centerName } = stop
  const ends = liftedAt === null ? Date.now() : new Date(liftedAt).getTime()
  const lasting = durationText(ends - new Date(madeAt).getTime(), language)
  return (
    <Link className="item" to="/p/stop" search={{ freeze: stop.id }} aria-current={current ? 'true' : undefined}>
      <b>
        {liftedAt === null && <StopSquare />} {coveredText(stop, undefined, words)}
      </b>
      <span className="when soft">{liftedAt === null ? words('since', { time: lasting }) : words('resumed')}</span>
      <span className="sub">
        {centerName ?? say('stopAllCenters')} · {timeText(madeAt, language)}
        {liftedAt !== null && ` · ${words('lasted', { time: lasting })}`}
      </span>
    </Link>
  )
}
