/**
 * The cell's copy of schedules: every center of the cell has a row for each schedule of its vertical that it has not
 * turned off, and no other. A worker follows the changes of centers and of their settings, and compares all centers after
 * its start and once an hour, a page at a time, so that due schedules start meanwhile.
 */
import type { Vertical } from '@countersign/contract/enums.ts'
import type { Cell } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { completeSettings } from '../../../verticals/defaults.ts'
import type { Catalogue } from './catalogue.ts'
import { delayOf, dueAfter, type Schedule } from './due-times.ts'
import {
  centersOfCell,
  centersSince,
  countCenters,
  namedCenters,
  putSchedules,
  type ScheduledCenterRow,
  type ScheduleRow,
  schedulesOf,
  settingsSince,
} from './schedule-queries.ts'
import { scheduleOf, settingsFrom } from './settings.ts'
import { type SettingsRow, settingsOfCenters } from './settings-queries.ts'

export interface CopyTools {
  readonly catalogue: Catalogue
  readonly directory: Directory
}

/** The longest delay until a new center, a changed time zone or a changed setting takes effect. */
const lookEveryMs = 19_000
const compareEveryMs = 3_600_000
const perPage = 1000
/** All centers of a time zone are due at once. A start takes some milliseconds of a database: each center gets this much. */
const msPerCenter = 20
const maxDelayMs = 300_000
const fewCenters = 100

const caller = { requestId: 'workflows', actorId: 'workflows', centerId: 0 }

export interface ScheduleCopy {
  /** The next page of a comparison, or a look for changes where it is time. True when another page follows. */
  step(): Promise<boolean>
  /** Within this time after their due time schedules start: none in a cell with few centers. */
  windowMs(): number
}

export function scheduleCopy(tools: CopyTools, cell: Cell): ScheduleCopy {
  const directory = <T>(work: Parameters<typeof tools.directory.identity<T>>[1]) =>
    tools.directory.identity(caller, work, 'read')
  let windowMs = 0
  let comparedAt = Number.NEGATIVE_INFINITY
  let lookedAt = Number.NEGATIVE_INFINITY
  /** The last center of the page before, while a comparison runs. */
  let after: number | null = null
  let centersFrom: number | null = null
  let settingsFromMark: number | null = null

  const changedSince = async () =>
    [
      await directory((tx) => centersSince(tx, cell.name, centersFrom)),
      await cell.asRunner((db) => settingsSince(db, settingsFromMark)),
    ] as const

  async function begin(): Promise<void> {
    // Before the comparison: what changes while it runs is found by the next look.
    if (centersFrom === null) {
      const [centers, settings] = await changedSince()
      centersFrom = centers.horizon
      settingsFromMark = settings.horizon
    }
    const centers = await directory((tx) => countCenters(tx, cell.name))
    windowMs = centers < fewCenters ? 0 : Math.min(maxDelayMs, centers * msPerCenter)
    after = 0
  }

  async function comparePage(from: number): Promise<boolean> {
    const centers = await directory((tx) => centersOfCell(tx, cell.name, from, perPage))
    await syncCenters(tools, cell, centers, windowMs)
    after = centers.length < perPage ? null : (centers.at(-1)?.id ?? null)
    if (after === null) comparedAt = performance.now()
    return after !== null
  }

  async function look(): Promise<void> {
    const [centers, settings] = await changedSince()
    const restored = centers.horizon < (centersFrom ?? 0) || settings.horizon < (settingsFromMark ?? 0)
    const ids = [...new Set([...centers.centerIds, ...settings.centerIds])]
    for (let at = 0; at < ids.length; at += perPage) {
      const found = await directory((tx) => namedCenters(tx, cell.name, ids.slice(at, at + perPage)))
      await syncCenters(tools, cell, found, windowMs)
    }
    centersFrom = centers.horizon
    settingsFromMark = settings.horizon
    // A restored database restarts its transaction numbers, and changes may have marks from before.
    if (restored) comparedAt = Number.NEGATIVE_INFINITY
  }

  return {
    windowMs: () => windowMs,
    async step() {
      const at = performance.now()
      if (after === null && at - comparedAt >= compareEveryMs) await begin()
      if (after !== null) return comparePage(after)
      if (at - lookedAt < lookEveryMs) return false
      await look()
      lookedAt = at
      return false
    },
  }
}

/** One comparison of all centers. */
export async function syncSchedules(tools: CopyTools, cell: Cell): Promise<void> {
  const copy = scheduleCopy(tools, cell)
  while (await copy.step());
}

export const sameSchedule = (a: Schedule, b: Schedule): boolean => a.cron === b.cron && a.timezone === b.timezone

export const startAfter = (
  schedule: Schedule,
  after: Date,
  { center_id, workflow_key }: Pick<ScheduleRow, 'center_id' | 'workflow_key'>,
  windowMs: number,
): Date => new Date(dueAfter(schedule, after).getTime() + delayOf(center_id, workflow_key, windowMs))

async function syncCenters(
  tools: CopyTools,
  cell: Cell,
  centers: readonly ScheduledCenterRow[],
  windowMs: number,
): Promise<void> {
  if (centers.length === 0) return
  const ids = centers.map(({ id }) => id)
  const rows = Map.groupBy(await cell.asRunner((db) => schedulesOf(db, ids)), (row) => row.center_id)
  const chosen = Map.groupBy(await cell.asRunner((db) => settingsOfCenters(db, ids)), (row) => row.center_id)
  const next = nextDue(now())
  const wanted = centers.flatMap((center) =>
    changesOf(tools.catalogue, center, rows.get(center.id) ?? [], chosen.get(center.id) ?? []).map((change) => {
      const { schedule, last_due, ...name } = change
      if (!schedule) return { ...name, next_at: null }
      const due = next(schedule, last_due).getTime() + delayOf(name.center_id, name.workflow_key, windowMs)
      return { ...name, ...schedule, next_at: new Date(due) }
    }),
  )
  if (wanted.length > 0) await cell.asRunner((db) => putSchedules(db, wanted))
}

/** Most centers share a few schedules, and a due time takes longer to find than the rest of a center. */
function nextDue(at: Date): (schedule: Schedule, lastDue: Date | null) => Date {
  const found = new Map<string, Date>()
  return (schedule, lastDue) => {
    // A due time that was handled is never due again, also after a clock was set back.
    if (lastDue && lastDue > at) return dueAfter(schedule, lastDue)
    const key = JSON.stringify(schedule)
    const due = found.get(key) ?? dueAfter(schedule, at)
    found.set(key, due)
    return due
  }
}

interface ChangedSchedule extends Pick<ScheduleRow, 'center_id' | 'workflow_key' | 'last_due'> {
  /** Null: to be deleted. */
  readonly schedule: Schedule | null
}

function changesOf(
  catalogue: Catalogue,
  center: ScheduledCenterRow,
  rows: readonly ScheduleRow[],
  chosen: readonly SettingsRow[],
): ChangedSchedule[] {
  const { timezone } = completeSettings(center.vertical as Vertical, center.settings)
  const workflows = center.status === 'ACTIVE' ? catalogue.ofVertical(center.vertical) : []
  const wanted = new Map(
    workflows.flatMap((workflow) => {
      const row = chosen.find(({ workflow_key }) => workflow_key === workflow.definition.key)
      const schedule = scheduleOf(workflow, settingsFrom(workflow, row), timezone)
      return schedule ? [[workflow.definition.key, schedule] as const] : []
    }),
  )
  const surplus = rows.filter(({ workflow_key }) => !wanted.has(workflow_key))
  const missing = [...wanted].flatMap(([workflow_key, schedule]) => {
    const row = rows.find((each) => each.workflow_key === workflow_key)
    const last_due = row?.last_due ?? null
    return row && sameSchedule(row, schedule) ? [] : [{ center_id: center.id, workflow_key, last_due, schedule }]
  })
  return [
    ...surplus.map(({ center_id, workflow_key }) => ({ center_id, workflow_key, last_due: null, schedule: null })),
    ...missing,
  ]
}
