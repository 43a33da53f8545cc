/** What a center has chosen for its workflows: whether they start by themselves, when, and with which defaults. */
import type { BodyOf } from '@countersign/contract/operation.ts'
import type { putWorkflowSettings } from '@countersign/contract/workflows.ts'
import { audit } from '../../../audit/audit.ts'
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { Problem } from '../../../lib/problem.ts'
import type { Parameters, Workflow } from './catalogue.ts'
import { checkCron, isTooOften, type Schedule } from './due-times.ts'
import { putSettings, type SettingsRow, settingsOf } from './settings-queries.ts'

export interface Settings {
  readonly enabled: boolean
  /** Null: that of the workflow. */
  readonly cron: string | null
  readonly parameters: Parameters
  readonly tags: readonly string[]
}

const asDefined: Settings = { enabled: true, cron: null, parameters: {}, tags: [] }

export const settingsFrom = (workflow: Workflow, row: SettingsRow | undefined): Settings =>
  row ? { ...row, parameters: workflow.usable(row.parameters as Parameters) } : asDefined

export async function findSettings(tx: TenantTx, workflow: Workflow): Promise<Settings> {
  const [row] = await settingsOf(tx, [workflow.definition.key])
  return settingsFrom(workflow, row)
}

/** Null where the workflow has no schedule, or the center has turned it off. */
export const scheduleOf = ({ definition }: Workflow, { enabled, cron }: Settings, timezone: string): Schedule | null =>
  definition.type === 'SCHEDULED' && enabled
    ? { timezone, ...definition.schedule, ...(cron !== null && { cron }) }
    : null

export async function changeSettings(
  tx: TenantTx,
  workflow: Workflow,
  { enabled = true, schedule, parameters = {}, tags = [] }: BodyOf<typeof putWorkflowSettings.spec>,
): Promise<Settings> {
  if (schedule !== undefined) refuseSchedule(workflow, schedule)
  const before = await findSettings(tx, workflow)
  const settings: Settings = {
    enabled,
    cron: schedule ?? null,
    parameters: workflow.someParameters(parameters),
    tags: [...new Set(tags)],
  }
  await putSettings(tx, workflow.definition.key, { ...settings, tags: [...settings.tags] }, now())
  await audit(tx, {
    type: 'settings.updated',
    action: 'workflow',
    target: { type: 'workflow', id: workflow.id },
    details: { before: JSON.stringify(before), after: JSON.stringify(settings) },
  })
  return settings
}

function refuseSchedule({ definition }: Workflow, cron: string): void {
  const invalid = (reason: string, message: string) =>
    new Problem('VALIDATION_ERROR', message, { details: { reason, field: 'schedule' } })
  if (definition.type !== 'SCHEDULED') {
    throw invalid('noSchedule', 'This workflow has no schedule: a person or an event starts it. Leave out `schedule`.')
  }
  let isOften: boolean
  try {
    checkCron(cron)
    isOften = isTooOften(cron)
  } catch {
    throw invalid(
      'schedule',
      "`schedule` isn't a cron expression with five fields, or it never runs. Send one such as 0 7 * * 1.",
    )
  }
  if (isOften)
    throw invalid(
      'tooOften',
      '`schedule` runs more than once an hour. Use a single value for the minute, as in 0 7 * * 1.',
    )
}
