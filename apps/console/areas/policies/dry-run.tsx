/** What the draft would have changed: one dot for each decision, and the decisions whose outcome differs. */
import type { DryRun } from '@countersign/sdk'
import { useEffect, useState } from 'react'
import { useLanguage } from '../../app/i18n.ts'
import { numberText } from '../../ui/clock.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Part } from '../../ui/desk.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import type { useDryRun } from './data.ts'
import { usePolicyWords } from './words.ts'

/** The value after it has rested, so that a request goes out per pause and not per key. */
export function useRested<T>(value: T, ms = 700): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return rested
}

const gap = 8
const perRow = 77
const radius = 2.6

function dots(from: number, to: number): string {
  let path = ''
  for (let at = from; at < to; at++) {
    const x = (at % perRow) * gap + 4 - radius
    const y = Math.floor(at / perRow) * gap + 4
    path += `M${x} ${y}a${radius} ${radius} 0 1 0 ${radius * 2} 0a${radius} ${radius} 0 1 0 ${-radius * 2} 0`
  }
  return path
}

function Dots({ run }: { readonly run: DryRun }) {
  const say = usePolicyWords()
  const language = useLanguage()
  const [before, after] = [run.decisions - run.before.completed, run.decisions - run.after.completed]
  const [both, most] = [Math.min(before, after), Math.max(before, after)]
  const more = after > before
  const words = [
    { key: 'now', text: say('dotsNow', { count: numberText(both, language) }), tone: '' },
    ...(most > both
      ? [
          {
            key: 'other',
            text: say(more ? 'dotsMore' : 'dotsLess', { count: numberText(most - both, language) }),
            tone: more ? 'waiting' : 'verified',
          },
        ]
      : []),
    { key: 'run', text: say('dotsRun', { count: numberText(run.decisions - after, language) }), tone: 'soft' },
  ]
  const height = Math.ceil(run.decisions / perRow) * gap
  return (
    <figure className="policy-dots">
      <svg
        viewBox={`0 0 ${perRow * gap} ${height}`}
        width="100%"
        role="img"
        aria-label={words.map(({ text }) => text).join(', ')}
      >
        <path d={dots(0, both)} className="dot-now" />
        <path d={dots(both, most)} className={more ? 'dot-more' : 'dot-less'} />
        <path d={dots(most, run.decisions)} className="dot-run" />
      </svg>
      <figcaption>
        {words.map(({ key, text, tone }) => (
          <span key={key} className={`dot-word ${key} ${tone}`}>
            {text}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

export function DryRunPart({
  query,
  ready,
}: {
  readonly query: ReturnType<typeof useDryRun>
  readonly ready: boolean
}) {
  const say = usePolicyWords()
  const language = useLanguage()
  const { data: run, error, refetch } = query
  const number = (value: number) => numberText(value, language)
  const title = run ? say('dryRun', { count: number(run.decisions) }) : say('dryRunTitle')
  return (
    <>
      <Part title={title} aside={say('dryRunNote')}>
        {!ready && <p className="soft">{say('incomplete')}</p>}
        {ready && error && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {ready && !run && !error && <Skeleton rows={3} />}
        {ready && run?.decisions === 0 && <p className="soft">{say('dryRunNothing')}</p>}
        {ready && run && run.decisions > 0 && (
          <>
            <p className="policy-measure">
              {say('dryRunMatched', {
                matched: number(run.matched),
                before: number(run.decisions - run.before.completed),
                after: number(run.decisions - run.after.completed),
              })}{' '}
              {run.before.refused + run.after.refused > 0 &&
                say('dryRunRefused', { before: number(run.before.refused), after: number(run.after.refused) })}
            </p>
            <Dots run={run} />
          </>
        )}
      </Part>
      {ready && run && run.changed.length > 0 && (
        <Part title={say('changed')} aside={say('changedCount', { shown: run.changed.length })}>
          <DataTable
            label={say('changed')}
            rows={run.changed.slice(0, 20)}
            keyOf={({ eventId }) => eventId}
            columns={[
              { id: 'at', title: say('when'), cell: ({ createdAt }) => <Time at={createdAt} /> },
              { id: 'what', title: say('what'), cell: ({ actionType }) => <b>{actionType}</b> },
              { id: 'before', title: say('before'), cell: ({ before }) => say(`outcome${before}`) },
              { id: 'after', title: say('after'), cell: ({ after }) => say(`outcome${after}`), align: 'right' },
            ]}
          />
        </Part>
      )}
    </>
  )
}
