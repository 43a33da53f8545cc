/** Chains that were found broken. Each leads to its center, its chain and the exact entry. */
import type { CellAlarm } from '@countersign/sdk'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { Desk, useTitle } from '../../ui/desk.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { Field } from '../../ui/field.tsx'
import { useNarrow } from '../../ui/narrow.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { AlarmSheet } from './alarm-sheet.tsx'
import { useOverview } from './data.ts'
import './operator.css'
import { useOperatorWords } from './words.ts'

const route = getRouteApi('/operator/alarms')

export function AlarmsPage() {
  const say = useOperatorWords()
  const language = useLanguage()
  const { center, chain } = route.useSearch()
  const narrow = useNarrow()
  const { data, error, refetch } = useOverview()
  useTitle(say('alarms'))
  const alarms = data?.cells.flatMap((cell) => cell.alarms)
  const chosen =
    alarms?.find(({ centerId, domain }) => String(centerId) === center && domain === chain) ??
    (narrow ? undefined : alarms?.[0])
  const list = (
    <>
      <div className="tray-head">
        <h1>{say('alarms')}</h1>
        {alarms && alarms.length > 0 && <span className="n broken">{numberText(alarms.length, language)}</span>}
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {!alarms && !error && <Skeleton rows={4} />}
      {alarms?.length === 0 && (
        <Empty title={say('noAlarms')}>
          <p>{say('noAlarmsText')}</p>
        </Empty>
      )}
      {alarms?.map((alarm) => (
        <Link
          key={`${alarm.centerId} ${alarm.domain}`}
          from="/operator/alarms"
          search={{ center: String(alarm.centerId), chain: alarm.domain }}
          className="item"
          aria-current={alarm === chosen ? 'true' : undefined}
        >
          <b>{alarm.centerName}</b>
          <span className="when">
            <StatusWord tone="broken">{say('index', { index: numberText(alarm.brokenAt + 1, language) })}</StatusWord>
          </span>
          <span className="sub">
            {alarm.centerDomain} · {say(`domain${alarm.domain}`)}
            {alarm.acknowledged && ` · ${say('acknowledgedBy', { name: alarm.acknowledged.name })}`}
          </span>
        </Link>
      ))}
    </>
  )
  return (
    <Desk
      list={list}
      listLabel={say('alarms')}
      sheet={chosen && <AlarmSheet key={`${chosen.centerId} ${chosen.domain}`} alarm={chosen} />}
      margin={
        chosen && (
          <>
            <Acknowledgement key={`${chosen.centerId} ${chosen.domain}`} alarm={chosen} />
            <NextSteps alarm={chosen} />
          </>
        )
      }
    />
  )
}

/** Colleagues see who looks after the alarm; it stays until it is cleared. */
function Acknowledgement({ alarm: { centerId, domain, acknowledged } }: { readonly alarm: CellAlarm }) {
  const say = useOperatorWords()
  const [note, setNote] = useState('')
  const acknowledge = useChange(['overview'], () => api.admin.acknowledgeAlarm(centerId, domain, { note }), {
    told: 'shown',
  })
  return (
    <section>
      <h3>{say('whoLooks')}</h3>
      {acknowledged ? (
        <p>
          <b>{acknowledged.name}</b> · <Time at={acknowledged.at} />
          <br />
          {acknowledged.note}
        </p>
      ) : (
        <form
          className="operator-form"
          onSubmit={(event) => {
            event.preventDefault()
            acknowledge.mutate()
          }}
        >
          <Field
            label={say('note')}
            hint={say('noteHint')}
            required
            maxLength={500}
            data-field="note"
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
          <div>
            <button type="submit" className="btn low" disabled={acknowledge.isPending || note.trim() === ''}>
              {say('acknowledge')}
            </button>
          </div>
          <ErrorLine error={acknowledge.error} />
        </form>
      )}
    </section>
  )
}

function NextSteps({ alarm: { centerDomain, domain } }: { readonly alarm: CellAlarm }) {
  const say = useOperatorWords()
  return (
    <section>
      <h3>{say('next')}</h3>
      <ol className="operator-steps">
        <li>{say('nextKeep')}</li>
        <li>{say('nextCompare')}</li>
        <li>{say('nextTell')}</li>
        <li>
          {say('nextClear')}
          <pre className="code">{`npm run operator -- clear-chain ${centerDomain} ${domain}`}</pre>
        </li>
      </ol>
    </section>
  )
}
