/** Workflows and executions as the API returns them. Pure. */
import type { EvidenceLevel } from '@countersign/contract/enums.ts'
import type { PayloadOf } from '@countersign/contract/operation.ts'
import type {
  ExecutionStatus,
  getExecution,
  listExecutions,
  listWorkflows,
  StepStatus,
} from '@countersign/contract/workflows.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { type Workflow, workflowUuid } from './catalogue.ts'
import type { Step } from './definition.ts'
import { dueAfter } from './due-times.ts'
import type { ExecutionRow, StandingRow, StepRow, WatchedRow } from './queries.ts'
import { type Settings, scheduleOf } from './settings.ts'

type Shown = PayloadOf<(typeof listWorkflows)['spec'], 200>[number]
type Execution = PayloadOf<(typeof listExecutions)['spec'], 200>
type Watched = PayloadOf<(typeof getExecution)['spec'], 200>

const iso = (time: Date | null | undefined): string | null => time?.toISOString() ?? null

export function shownWorkflow(workflow: Workflow, settings: Settings, timezone: string, standing?: StandingRow): Shown {
  const { id, definition } = workflow
  const { name, type, vertical, description, parameters, steps } = definition
  return {
    id,
    name,
    type,
    status: settings.enabled ? 'ACTIVE' : 'INACTIVE',
    vertical,
    lastRun: iso(standing?.last_run),
    description,
    schedule: shownSchedule(workflow, settings, timezone),
    event: definition.type === 'EVENT' ? definition.event : null,
    parameters: { ...parameters },
    steps: steps.map((step) => step.name),
    settings: {
      enabled: settings.enabled,
      schedule: settings.cron,
      parameters: { ...settings.parameters },
      tags: [...settings.tags],
    },
  }
}

/** That of the center if it has chosen one. A workflow that is turned off is never due. */
function shownSchedule(workflow: Workflow, settings: Settings, timezone: string): Shown['schedule'] {
  const schedule = scheduleOf(workflow, { ...settings, enabled: true }, timezone)
  return schedule && { ...schedule, nextRun: settings.enabled ? iso(dueAfter(schedule, now())) : null }
}

/** The id of a workflow is made of its key, so that it also exists where the workflow is no longer defined. */
export const executionOf = (row: ExecutionRow): Execution => ({
  executionId: typedId('execution', row.id),
  status: row.status as ExecutionStatus,
  startedAt: row.started_at.toISOString(),
  completedAt: iso(row.completed_at),
  dpuId: row.evidence_level === null ? null : typedId('dpu', row.unit_id),
  evidenceLevel: row.evidence_level as EvidenceLevel | null,
  workflowId: typedId('workflow', workflowUuid(row.workflow_key)),
  trigger: row.trigger as Execution['trigger'],
  failure: row.failure,
})

export const watchedOf = (
  row: WatchedRow,
  steps: readonly StepRow[],
  workflow: Workflow | undefined,
  counted: Watched['counted'],
): Watched => ({
  ...executionOf(row),
  workflowName: workflow?.definition.name ?? row.workflow_key,
  scheduledFor: iso(row.scheduled_for),
  parameters: row.parameters as Record<string, unknown>,
  steps: stepsOf(row, steps, workflow?.definition.steps ?? []),
  counted,
})

/** Recorded steps, and the state of the others: the first step that is not completed is the one that a worker runs. */
function stepsOf(row: WatchedRow, recorded: readonly StepRow[], defined: readonly Step[]): Watched['steps'] {
  const names = defined.map(({ name }, position) => recorded[position]?.name ?? name)
  if (names.length === 0) names.push(...recorded.map(({ name }) => name))
  const current = recorded.filter(({ status }) => status === 'COMPLETED').length
  return names.map((name, position) => {
    const step = recorded[position]
    const under = row.status === 'RUNNING' && row.leased && position === current
    if (under) {
      const before = recorded[position - 1]?.completed_at ?? null
      const startedAt = iso(before && row.leased_at && before > row.leased_at ? before : row.leased_at)
      const error = step?.error ?? null
      return { name, status: 'RUNNING', attempts: (step?.attempts ?? 0) + 1, startedAt, completedAt: null, error }
    }
    if (!step) return { name, status: waiting(row), attempts: 0, startedAt: null, completedAt: null, error: null }
    const { attempts, error, started_at, completed_at } = step
    const status = step.status === 'RETRYING' && row.status !== 'RUNNING' ? 'CANCELED' : (step.status as StepStatus)
    return { name, status, attempts, startedAt: iso(started_at), completedAt: iso(completed_at), error }
  })
}

const waiting = ({ status }: WatchedRow): StepStatus => (status === 'RUNNING' ? 'PENDING' : 'CANCELED')
