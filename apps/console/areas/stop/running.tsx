/** What had started before the stop: it can't be stopped. */
import type { RunningDecision } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useLanguage } from '../../app/i18n.ts'
import { timeText } from '../../ui/clock.ts'
import { useStopWords } from '../../ui/stops/words.ts'

interface Properties {
  readonly running: readonly RunningDecision[] | undefined
  readonly center: string
}

export function Running({ running = [], center }: Properties) {
  const say = useStopWords()
  const language = useLanguage()
  if (running.length === 0) return null
  return (
    <section className="waiting">
      <h3>
        <span aria-hidden="true">△ </span>
        {say('ran', { count: running.length })}
      </h3>
      <ul className="stop-ran">
        {running.map(({ eventId, actionType, executor, consumedAt }) => (
          <li key={eventId}>
            <Link to="/c/$center/decisions" params={{ center }} search={{ id: eventId }} className="link">
              {actionType}
            </Link>{' '}
            <span className="soft small">
              {executor} · {timeText(consumedAt, language)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
