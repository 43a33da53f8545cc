/**
 * Schedules: each worker keeps the cell's copy in step with the directory, and starts what is due. After an outage one
 * execution starts, for the last due time that was missed.
 */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { audit } from '../../../audit/audit.ts'
import { type Loop, loop } from '../../../concurrency/loop.ts'
import { semaphore } from '../../../concurrency/semaphore.ts'
import type { Cell } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import type { Catalogue, Workflow } from './catalogue.ts'
import { dueAfter, dueBy, type Schedule } from './due-times.ts'
import {
  centersOfCell,
  deleteSchedule,
  dueSchedules,
  moveOn,
  noteSkipped,
  putSchedule,
  type ScheduledCenterRow,
  type ScheduleRow,
  schedulesOf,
} from './schedule-queries.ts'
import { findSettings, scheduleOf, settingsFrom } from './settings.ts'
import { type SettingsRow, settingsOfCenters } from './settings-queries.ts'
import { startExecution } from './start.ts'

export interface SchedulesTools {
  readonly catalogue: Catalogue
  readonly directory: Directory
  readonly centers: CenterProfiles
  readonly log: Logger
  /** Called after an execution was started. */
  readonly fired: () => void
}

/** The longest delay until a new center or a changed time zone takes effect. */
const syncEveryMs = 20_000
const lookEveryMs = 500
const perPage = 1000
const perLook = 500
/** The number of database connections for this work. */
const atOnce = 2

const asked = { requestId: 'workflows', actorId: 'workflows', centerId: 0 }

export function scheduleLoop(tools: SchedulesTools, cell: Cell): Loop {
  let syncedAt = Number.NEGATIVE_INFINITY
  async function turn(): Promise<void> {
    if (performance.now() - syncedAt >= syncEveryMs) {
      await syncSchedules(tools, cell)
      syncedAt = performance.now()
    }
    if ((await fireDue(tools, cell)) > 0) tools.fired()
  }
  const failure = 'due schedules were not started; will try again'
  return loop({ everyMs: lookEveryMs, turn, log: tools.log, failure, fields: { cell: cell.name } })
}

const sameSchedule = (a: Schedule, b: Schedule): boolean => a.cron === b.cron && a.timezone === b.timezone

/** Every center of the cell has a row for each schedule of its vertical that it has not turned off, and no other. */
export async function syncSchedules(tools: SchedulesTools, cell: Cell): Promise<void> {
  for (let after = 0; ; ) {
    const centers = await tools.directory.identity(asked, (tx) => centersOfCell(tx, cell.name, after, perPage), 'read')
    const last = centers.at(-1)
    if (!last) return
    const ids = centers.map(({ id }) => id)
    const rows = Map.groupBy(await cell.asRunner((db) => schedulesOf(db, ids)), (row) => row.center_id)
    const chosen = Map.groupBy(await cell.asRunner((db) => settingsOfCenters(db, ids)), (row) => row.center_id)
    for (const center of centers) {
      await syncCenter(tools, cell, center, rows.get(center.id) ?? [], chosen.get(center.id) ?? [])
    }
    after = last.id
  }
}

async function syncCenter(
  tools: SchedulesTools,
  cell: Cell,
  center: ScheduledCenterRow,
  rows: readonly ScheduleRow[],
  chosen: readonly SettingsRow[],
) {
  const { timezone } = completeSettings(center.vertical as Vertical, center.settings)
  const workflows = center.status === 'ACTIVE' ? tools.catalogue.ofVertical(center.vertical) : []
  const wanted = new Map(
    workflows.flatMap((workflow) => {
      const row = chosen.find(({ workflow_key }) => workflow_key === workflow.definition.key)
      const schedule = scheduleOf(workflow, settingsFrom(workflow, row), timezone)
      return schedule ? [[workflow.definition.key, schedule] as const] : []
    }),
  )
  const surplus = rows.filter(({ workflow_key }) => !wanted.has(workflow_key))
  const missing = [...wanted].filter(([key, schedule]) => {
    const row = rows.find(({ workflow_key }) => workflow_key === key)
    return !row || !sameSchedule(row, schedule)
  })
  if (surplus.length + missing.length === 0) return
  await cell.inTenantJob(center.id, 'workflows', async (tx) => {
    for (const { workflow_key } of surplus) await deleteSchedule(tx, workflow_key)
    for (const [workflow_key, schedule] of missing) {
      const { last_due } = rows.find((row) => row.workflow_key === workflow_key) ?? { last_due: null }
      // A due time that was handled is never due again, also after a clock was set back.
      const from = last_due && last_due > now() ? last_due : now()
      await putSchedule(tx, { workflow_key, ...schedule, next_at: dueAfter(schedule, from) })
    }
  })
}

/** Starts due executions, each once however many workers do this at the same time; returns how many it started. */
export async function fireDue(tools: SchedulesTools, cell: Cell): Promise<number> {
  const keys = tools.catalogue.all.map(({ definition }) => definition.key)
  const due = await cell.asRunner((db) => dueSchedules(db, keys, now(), perLook))
  const limit = semaphore(atOnce)
  const started = due.map((row) =>
    limit
      .run(() => fire(tools, cell, row))
      .catch((error: unknown) => {
        const { center_id: centerId, workflow_key: workflow } = row
        tools.log.error(
          { err: error, centerId, workflow },
          'a schedule could not be started; the worker will try again',
        )
        return false
      }),
  )
  return (await Promise.all(started)).filter(Boolean).length
}

async function fire({ catalogue, centers, log }: SchedulesTools, cell: Cell, row: ScheduleRow): Promise<boolean> {
  const workflow = catalogue.byKey(row.workflow_key) as Workflow
  const center = await centers.profile(row.center_id)
  const at = now()
  return cell.inTenantJob(row.center_id, 'workflows', async (tx) => {
    const settings = await findSettings(tx, workflow)
    const schedule = scheduleOf(workflow, settings, center.timezone)
    if (!schedule || center.status !== 'ACTIVE') {
      await deleteSchedule(tx, row.workflow_key)
      return false
    }
    const next_at = dueAfter(schedule, at)
    if (!sameSchedule(row, schedule)) {
      // Due in the previous time zone or by the previous schedule of the center.
      await putSchedule(tx, { workflow_key: row.workflow_key, ...schedule, next_at })
      return false
    }
    const due = dueBy(schedule, at)
    if (!(await moveOn(tx, row, due, next_at))) return false
    const parameters = workflow.parameters(settings.parameters)
    const started = await startExecution(tx, { workflow, parameters, tags: settings.tags, scheduledFor: due })
    if (started) return true
    await noteSkipped(tx, row.workflow_key)
    await audit(tx, {
      type: 'workflow.executed',
      action: 'skipped',
      target: { type: 'workflow', id: workflow.id },
      details: { scheduledFor: due.toISOString(), reason: 'the execution before it had not ended' },
      actorId: workflow.id,
    })
    log.info(
      { centerId: row.center_id, workflow: row.workflow_key, due },
      'a due time was skipped: the execution before it has not ended',
    )
    return false
  })
}
