/** What is stopped, and the form that stops something. */
import type { Freeze } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { keysQuery } from '../../app/api-keys.ts'
import { freezesQuery, inForce } from '../../app/freezes.ts'
import { useLanguage } from '../../app/i18n.ts'
import { durationText, timeText } from '../../ui/clock.ts'
import { Desk } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StopSquare } from '../../ui/stop.tsx'
import { coveredText } from '../../ui/stops/facts.ts'
import { FreezeSheet } from './freeze-sheet.tsx'
import '../../ui/stops/stop.css'
import { useStopWords } from '../../ui/stops/words.ts'
import { StopForm } from './stop-form.tsx'

const route = getRouteApi('/c/$center/stop')

export function StopPage() {
  const say = useStopWords()
  const { center } = route.useParams()
  const { freeze: id, agent } = route.useSearch()
  const navigate = route.useNavigate()
  const { data, error, refetch } = useQuery(freezesQuery(center))
  const now = inForce(data)
  const earlier = data?.filter(({ liftedAt }) => liftedAt !== null) ?? []
  const chosen = data?.find((each) => each.id === id)
  const isNarrow = useNarrow()
  // The list is short, and a phone shows it above the form; one stop has the phone to itself.
  const list = (
    <>
      <div className="tray-head">
        <div>
          {chosen ? <p className="stop-title">{say('title')}</p> : <h1>{say('title')}</h1>}
          <p className="soft">{say('lede')}</p>
        </div>
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {data && <p className="group">{say('now')}</p>}
      {data && now.length === 0 && <p className="stop-none soft">{say('nothing')}</p>}
      {now.map((each) => (
        <Row key={each.id} freeze={each} current={each.id === id} />
      ))}
      {chosen && (
        <p className="stop-none">
          <Link to="." search={{}} className="link">
            {say('another')}
          </Link>
        </p>
      )}
      {earlier.length > 0 && (!isNarrow || chosen !== undefined) && <p className="group">{say('earlier')}</p>}
      {(!isNarrow || chosen !== undefined) &&
        earlier.map((each) => <Row key={each.id} freeze={each} current={each.id === id} />)}
    </>
  )
  const sheet = chosen ? (
    <FreezeSheet key={chosen.id} freeze={chosen} center={center} />
  ) : (
    <StopForm
      key={agent}
      center={center}
      agent={agent ?? ''}
      onStopped={(freeze) => void navigate({ search: { freeze: freeze.id } })}
    />
  )
  const notes = chosen ? (['lifted', 'proved'] as const) : (['who', 'when'] as const)
  const margin = notes.map((note) => (
    <section key={note}>
      <h3>{say(`title_${note}`)}</h3>
      <p>{say(`text_${note}`)}</p>
    </section>
  ))
  return <Desk list={list} listLabel={say('title')} sheet={sheet} margin={margin} keepList={!chosen} />
}

function Row({ freeze, current }: { readonly freeze: Freeze; readonly current: boolean }) {
  const say = useStopWords()
  const language = useLanguage()
  const { data: keys } = useQuery(keysQuery)
  const { madeAt, liftedAt } = freeze
  const ends = liftedAt === null ? Date.now() : new Date(liftedAt).getTime()
  const lasting = durationText(ends - new Date(madeAt).getTime(), language)
  return (
    <Link className="item" to="." search={{ freeze: freeze.id }} aria-current={current ? 'true' : undefined}>
      <b>
        {liftedAt === null && <StopSquare />} {coveredText(freeze, keys, say)}
      </b>
      <span className="when soft">{liftedAt === null ? say('since', { time: lasting }) : say('resumed')}</span>
      <span className="sub">
        {timeText(madeAt, language)}
        {liftedAt !== null && ` · ${say('lasted', { time: lasting })}`}
      </span>
    </Link>
  )
}
