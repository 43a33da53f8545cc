/** The steps of an execution in words, and what is counted beside its draft. */
import type { ExecutionDetails } from '@countersign/sdk'
import { api } from '../../../app/api.ts'
import { useChange } from '../../../app/change.ts'
import { useLanguage } from '../../../app/i18n.ts'
import { numberText } from '../../../ui/clock.ts'
import { Part } from '../../../ui/desk.tsx'
import { useDoneWords } from '../../../ui/done-words.ts'
import { ErrorLine } from '../../../ui/error-panel.tsx'
import { Figures as FigureList } from '../../../ui/figures.tsx'
import { StatusWord } from '../../../ui/status-word.tsx'
import { useCenterWords } from '../words.ts'
import { useDraft, useRun } from './data.ts'
import { isDraftWord, useDraftWords } from './words.ts'

/** All workflows share four kinds of steps, and their names begin with the kind. */
function useStepName(): (name: string) => string {
  const say = useDraftWords()
  return (name) => {
    const key = `step${name.split('-')[0]}`
    return isDraftWord(key) ? say(key) : name
  }
}

export function Steps({ run, name }: { readonly run: ExecutionDetails; readonly name: string }) {
  const say = useCenterWords()
  const done = useDoneWords()
  const nameOf = useStepName()
  const cancel = useChange(['workflows'], () => api.executions.cancel(run.executionId), {
    told: () => done('runCanceled', { name }),
  })
  return (
    <div className="draft-screen">
      <Part title={say('steps')}>
        <ol className="rows">
          {run.steps.map(({ name: step, status, attempts, error: why }) => (
            <li key={step}>
              <span>
                <b>{nameOf(step)}</b>
                {why && <small>{why}</small>}
              </span>
              <span className="soft small">{attempts > 1 && say('attempts', { count: attempts })}</span>
              <StatusWord tone={status === 'COMPLETED' ? 'verified' : status === 'FAILED' ? 'broken' : 'waiting'}>
                {say(`step${status}`)}
              </StatusWord>
            </li>
          ))}
        </ol>
        {run.status === 'RUNNING' && (
          <button type="button" className="btn plain low" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {say('cancelRun')}
          </button>
        )}
        <ErrorLine error={cancel.error} />
      </Part>
    </div>
  )
}

type Flat = readonly (readonly [name: string, value: string | number])[]

/** Numbers and texts, however deep; a list as its length. What has no word is for programs. */
function flat(value: Readonly<Record<string, unknown>>, written: (value: number) => string): Flat {
  return Object.entries(value).flatMap(([name, each]): Flat => {
    if (Array.isArray(each)) return [[name, written(each.length)]]
    if (typeof each === 'number') return [[name, written(each)]]
    if (typeof each === 'string') return [[name, each]]
    return []
  })
}

export function Figures({ executionId }: { readonly executionId: string }) {
  const say = useDraftWords()
  const ofCenter = useCenterWords()
  const language = useLanguage()
  const { data: run } = useRun(executionId)
  const { data: draft } = useDraft(run?.dpuId)
  if (!draft) return null
  const { period, figures } = draft.metadata as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  const known = [...flat(period ?? {}, String), ...flat(figures ?? {}, (value) => numberText(value, language))]
  const rows = known.flatMap(([name, value]) => {
    const key = `figure${name}`
    return isDraftWord(key) ? [[say(key), value] as const] : []
  })
  if (rows.length === 0) return null
  return (
    <section>
      <h3>{ofCenter('figures')}</h3>
      <FigureList rows={rows} />
    </section>
  )
}
