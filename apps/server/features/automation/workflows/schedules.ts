/** Starts what is due. After an outage one execution starts, for the last due time that was missed. */
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { audit } from '../../../audit/audit.ts'
import { type Loop, loop } from '../../../concurrency/loop.ts'
import { semaphore } from '../../../concurrency/semaphore.ts'
import type { Cell } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import type { Catalogue, Workflow } from './catalogue.ts'
import { dueBy } from './due-times.ts'
import { sameSchedule, scheduleCopy, startAfter } from './schedule-copy.ts'
import { deleteSchedule, dueSchedules, moveOn, noteSkipped, putSchedule, type ScheduleRow } from './schedule-queries.ts'
import { findSettings, scheduleOf } from './settings.ts'
import { startExecution } from './start.ts'

export interface SchedulesTools {
  readonly catalogue: Catalogue
  readonly directory: Directory
  readonly centers: CenterProfiles
  readonly log: Logger
  /** Called after an execution was started. */
  readonly fired: () => void
}

/** A worker is woken when a schedule is due; it follows the changes of centers this often. */
const lookEveryMs = 20_000
const perLook = 500
/** The number of database connections for this work. */
const atOnce = 2

export function scheduleLoop(tools: SchedulesTools, cell: Cell): Loop {
  const copy = scheduleCopy(tools, cell)
  async function turn(): Promise<void> {
    if (await copy.step()) each.wake()
    if ((await fireDue(tools, cell, copy.windowMs())) > 0) tools.fired()
  }
  const failure = 'due schedules were not started; will try again'
  const each = loop({ everyMs: lookEveryMs, turn, log: tools.log, failure, fields: { cell: cell.name } })
  return each
}

/** Starts due executions, each once however many workers do this at the same time; returns how many it started. */
export async function fireDue(tools: SchedulesTools, cell: Cell, windowMs = 0): Promise<number> {
  const keys = tools.catalogue.all.map(({ definition }) => definition.key)
  const due = await cell.asRunner((db) => dueSchedules(db, keys, now(), perLook))
  const limit = semaphore(atOnce)
  const started = due.map((row) =>
    limit
      .run(() => fire(tools, cell, row, windowMs))
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

async function fire(
  { catalogue, centers, log }: SchedulesTools,
  cell: Cell,
  row: ScheduleRow,
  windowMs: number,
): Promise<boolean> {
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
    const next_at = startAfter(schedule, at, row, windowMs)
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
