/** One workflow: when it starts, whether it starts by itself, and its executions. */
import type { Execution } from '@countersign/sdk'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../app/api.ts'
import { useChange } from '../../app/change.ts'
import { useOffers } from '../../app/offers.ts'
import { usePages } from '../../app/pages.ts'
import { useRole } from '../../app/role.ts'
import { Part, Sheet } from '../../ui/desk.tsx'
import { useDoneWords } from '../../ui/done-words.ts'
import { ErrorLine, ErrorPanel } from '../../ui/error-panel.tsx'
import { ListFoot } from '../../ui/list-foot.tsx'
import { SheetHead } from '../../ui/sheet-head.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusWord, type Tone } from '../../ui/status-word.tsx'
import { Time } from '../../ui/time.tsx'
import type { WordedWorkflow } from '../../ui/workflow-words.ts'
import { useEventText, useScheduleText } from './draft/schedule-text.ts'
import { SettingsButton } from './draft/settings-dialog.tsx'
import { RunDialog } from './run-dialog.tsx'
import { useCenterWords } from './words.ts'

const tones: Readonly<Record<Execution['status'], Tone>> = {
  RUNNING: 'waiting',
  COMPLETED: 'verified',
  FAILED: 'broken',
  CANCELED: 'plain',
}

export function ExecutionStatus({ status }: Pick<Execution, 'status'>) {
  const say = useCenterWords()
  return <StatusWord tone={tones[status]}>{say(`run${status}`)}</StatusWord>
}

interface Properties {
  readonly center: string
  readonly workflow: WordedWorkflow
  readonly onBack: () => void
}

export function WorkflowSheet({ center, workflow, onBack }: Properties) {
  const say = useCenterWords()
  const done = useDoneWords()
  const scheduleText = useScheduleText()
  const eventText = useEventText()
  const admin = useRole(center) === 'ADMIN'
  const { workflowSettings: maySet } = useOffers(center)
  const { id, name, description, schedule, event, settings } = workflow
  const runs = usePages(['workflows', center, id, 'runs'], ({ page, signal }) =>
    api.executions.list(id, { limit: 20, page }, { signal }),
  )
  const start = useChange(['workflows'], () => api.workflows.execute(id, {}), {
    told: () => done('started', { name: workflow.name }),
  })
  const turn = (enabled: boolean) => {
    const { schedule: cron, parameters, tags } = settings
    return api.workflows.putSettings(id, { enabled, parameters, tags, ...(cron && { schedule: cron }) })
  }
  const enable = useChange<boolean>(['workflows'], turn, {
    told: (_, on) => done(on ? 'turnedOn' : 'turnedOff', { name: workflow.name }),
    undo: (_, on) => () => turn(!on),
  })
  const { told } = workflow
  const [asking, setAsking] = useState(false)
  const act = (
    <button
      type="button"
      className="btn first"
      disabled={start.isPending}
      onClick={() => (told ? setAsking(true) : start.mutate())}
    >
      {say('runNow')}
    </button>
  )
  return (
    <Sheet label={name} act={act}>
      {asking && told && <RunDialog workflow={workflow} words={told} onClose={() => setAsking(false)} />}
      <SheetHead name={name} back={say('backToList')} onBack={onBack}>
        {description}
      </SheetHead>
      <Part title={say('whenItRuns')}>
        <dl className="facts">
          {schedule && (
            <>
              <dt>{say('schedule')}</dt>
              <dd>{scheduleText(schedule.cron)}</dd>
              {schedule.nextRun && (
                <>
                  <dt>{say('nextRun')}</dt>
                  <dd>
                    <Time at={schedule.nextRun} form="long" />
                  </dd>
                </>
              )}
            </>
          )}
          {event && (
            <>
              <dt>{say('startsOn')}</dt>
              <dd>{eventText(event)}</dd>
            </>
          )}
          {!schedule && !event && (
            <>
              <dt>{say('schedule')}</dt>
              <dd>{say('byHand')}</dd>
            </>
          )}
        </dl>
        {(schedule || event) && admin && (
          <label className="switch">
            <input
              type="checkbox"
              checked={settings.enabled}
              disabled={enable.isPending || !maySet}
              onChange={({ target }) => enable.mutate(target.checked)}
            />
            {say('startsItself')}
          </label>
        )}
        {admin && maySet && <SettingsButton workflow={workflow} />}
        <ErrorLine error={enable.error ?? start.error} />
      </Part>
      <Part title={say('runs')} aside={runs.total ? String(runs.total) : undefined}>
        {runs.error && <ErrorPanel error={runs.error} onRetry={runs.again} />}
        {!runs.rows && !runs.error && <Skeleton rows={3} />}
        {runs.rows?.length === 0 && <p className="soft">{say('noRuns')}</p>}
        <ul className="rows">
          {runs.rows?.map((run) => (
            <li key={run.executionId}>
              <Link from="/c/$center/workflows" search={{ workflow: id, run: run.executionId }}>
                <Time at={run.startedAt} />
                <small>{say(`trigger${run.trigger}`)}</small>
              </Link>
              <span className="soft small">{run.evidenceLevel && say(`level${run.evidenceLevel}`)}</span>
              <ExecutionStatus status={run.status} />
            </li>
          ))}
        </ul>
        <ListFoot more={runs.more} />
        <p>
          <Link to="/c/$center/dpus" params={{ center }} search={{ workflow: id }} className="link tap">
            {say('runsDpus')}
          </Link>
        </p>
      </Part>
    </Sheet>
  )
}
