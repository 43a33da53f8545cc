/** In the margin: the joint seal with the record before, and what happened in order. */
import type { Decision } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { useLanguage } from '../../app/i18n.ts'
import { dpuIdOf, nameOf } from '../../decision/read.ts'
import { numberText } from '../../ui/clock.ts'
import { Joint } from '../../ui/picture.tsx'
import { StatusWord } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import { exportQuery, traceQuery } from './data.ts'
import { useDecisionsWords } from './words.ts'

export function Neighbors({ decision }: { readonly decision: Decision }) {
  const say = useDecisionsWords()
  const language = useLanguage()
  const { data } = useQuery(exportQuery(dpuIdOf(decision)))
  if (!data) return null
  const { previousHash, index } = data.document.evidence.chain
  return (
    <section>
      <h3>{say('neighbors')}</h3>
      {previousHash === null ? (
        <p>{say('neighborsFirst')}</p>
      ) : (
        <>
          <div className="decisions-joint">
            <span>{numberText(index, language)}</span>
            <Joint hashA={previousHash} hashB={previousHash} size={44} label="" />
            <b>{numberText(index + 1, language)}</b>
          </div>
          <p>{say('neighborsHold')}</p>
        </>
      )}
    </section>
  )
}

const tones = { success: 'verified', failed: 'broken', pending: 'waiting', held: 'waiting' } as const

export function Trace({ decision }: { readonly decision: Decision }) {
  const say = useDecisionsWords()
  const { createdAt, waiting, approvals, execution, evidence, updatedAt } = decision
  const { data: trace } = useQuery(traceQuery(decision.id))
  const last = approvals.at(-1)
  const steps: { at: string; text: string }[] = [
    { at: createdAt, text: say('traceAsked') },
    ...(waiting ? [{ at: waiting.since, text: say('traceStopped') }] : []),
    ...approvals.flatMap((given) => {
      const name = nameOf(given)
      const text = say(given.result === 'approved' ? 'traceApproved' : 'traceRefused', { name })
      return [
        ...(given.openedAt ? [{ at: given.openedAt, text: say('traceOpened', { name }) }] : []),
        { at: given.createdAt, text },
      ]
    }),
    ...(evidence.chainHash ? [{ at: last?.createdAt ?? updatedAt, text: say('traceSealed') }] : []),
    ...(execution ? [{ at: execution.consumedAt, text: say('traceTaken') }] : []),
    ...(execution?.outcome ? [{ at: execution.outcome.reportedAt, text: say('traceOutcome') }] : []),
  ]
  return (
    <section>
      <h3>{say('trace')}</h3>
      <ol className="decisions-trace">
        {steps
          .toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at))
          .map(({ at, text }) => (
            <li key={`${at} ${text}`}>
              <Time at={at} /> {text}
            </li>
          ))}
        {trace?.deliveries.map(({ eventId, webhookId, eventType, createdAt: at, attemptedAt, state }) => (
          <li key={`${eventId} ${webhookId}`}>
            <Time at={attemptedAt ?? at} /> <span className="mono">{eventType}</span>{' '}
            <StatusWord tone={tones[state as keyof typeof tones]}>
              {say(`delivery${state as keyof typeof tones}`)}
            </StatusWord>
          </li>
        ))}
      </ol>
    </section>
  )
}
