/**
 * Sums up how people decided, some seconds behind: recording and sealing pay nothing for it. Its place is stored in the
 * transaction that adds, so a killed worker continues where it stopped, and nothing is counted twice.
 */
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import { type Loop, loop, loops, type Startable } from '../../../concurrency/loop.ts'
import type { Cell, Cells, TenantTx } from '../../../data/cells.ts'
import { now, nowMs } from '../../../lib/clock.ts'
import { daysAfter, instantOf, localDateOf } from '../../../lib/local-time.ts'
import { actsOf, outcomeOf, type SealedRow, Sums, voidOf } from './contributions.ts'
import {
  addSums,
  attemptsByDay,
  beginMarks,
  centersBehind,
  countFromTheBeginning,
  dropCorrections,
  dropEmptySums,
  lockMarks,
  moveDeliveries,
  moveMark,
  nextIndex,
  nowCounted,
  pendingCorrections,
  putDeliveryDays,
  sealedFrom,
} from './counter-queries.ts'

const step = 1000
const lookEveryMs = 2000
/** Looking for work takes at most this part of the time, however many centers there are. */
const lookShare = 20
/** Attempts are deleted after about as long. */
const deliveryDays = 30
/** An attempt is committed at most this long after its time. */
const lateMs = 600_000

/** Takes out what redactions have removed, of entries that are counted already. */
async function correct(tx: TenantTx, timezone: string, through: string): Promise<void> {
  const pending = await pendingCorrections(tx)
  // What is not counted yet is read as redacted when its turn comes.
  const done = pending.filter(({ idx }) => idx === null || BigInt(idx) < BigInt(through))
  if (done.length === 0) return
  const sums = new Sums(timezone)
  for (const { kind, key, position, ...row } of done) {
    if (row.idx === null || row.policies === null) continue
    const last = row.approvals.at(-1)
    if (!last || outcomeOf(last) === null) continue
    const own = kind === 'agent' ? row.approvals : row.approvals.filter((each) => each.position === position)
    const acts = kind === 'agent' ? [last] : actsOf({ approvals: own.map((each) => ({ ...each, by: key })) })
    for (const approval of acts) if (outcomeOf(approval) !== null) sums.act(row, approval, kind, key, -1)
    for (const approval of voidOf({ approvals: own })) sums.voided(approval, kind, key, -1)
  }
  await addSums(tx, sums.list)
  await dropEmptySums(tx, sums.list)
  await dropCorrections(
    tx,
    done.map(({ correction }) => correction),
  )
}

/** One step; false when nothing is left. */
async function countSome(cell: Cell, centerId: number, timezone: string): Promise<boolean> {
  return cell.inTenantJob(centerId, 'sum-up-decisions', async (tx) => {
    let marks = await lockMarks(tx)
    if (!marks) return false
    if (marks.timezone !== timezone || marks.counts < nowCounted) marks = await countFromTheBeginning(tx, timezone)
    await correct(tx, timezone, marks.counted_through)
    // Read before the rows: what is appended after it is found by the next step.
    const end = await nextIndex(tx)
    const rows = await sealedFrom(tx, marks.counted_through, step)
    const sums = new Sums(timezone)
    for (const row of rows) sums.add(row as SealedRow)
    await addSums(tx, sums.list)
    await dropCorrections(
      tx,
      rows.flatMap(({ corrections }) => corrections),
    )
    const last = rows.at(-1)
    const next = last ? String(BigInt(last.idx) + 1n) : end
    if (BigInt(next) > BigInt(marks.counted_through)) await moveMark(tx, next)
    return rows.length === step
  })
}

/** Counts the days since the last time again; the first time, as far back as attempts are kept. */
async function countDeliveries(cell: Cell, centerId: number, timezone: string): Promise<void> {
  await cell.inTenantJob(centerId, 'count-deliveries', async (tx) => {
    const marks = await lockMarks(tx)
    if (!marks) return
    const at = marks.deliveries_at
    const today = localDateOf(timezone, nowMs())
    const first = daysAfter(today, -deliveryDays)
    const since = at ? localDateOf(timezone, at.getTime() - lateMs) : first
    const from = [since, first].toSorted().at(-1) as string
    const counted = now()
    await putDeliveryDays(tx, await attemptsByDay(tx, timezone, new Date(instantOf(timezone, from, '00:00'))))
    await moveDeliveries(tx, counted)
  })
}

/** Until nothing that was sealed when it began is left, or another worker counts this center. */
export async function countCenter(
  cell: Cell,
  centers: CenterProfiles,
  centerId: number,
  { deliveries = true, stop }: { deliveries?: boolean; stop?: AbortSignal } = {},
): Promise<void> {
  const { timezone } = await centers.profile(centerId)
  await cell.inTenantJob(centerId, 'sum-up-decisions', (tx) => beginMarks(tx, timezone))
  while (!stop?.aborted && (await countSome(cell, centerId, timezone))) {}
  if (deliveries && !stop?.aborted) await countDeliveries(cell, centerId, timezone)
}

function counter(cell: Cell, centers: CenterProfiles, log: Logger): Loop {
  let lookMs = 0
  const turn = async (stop: AbortSignal) => {
    const started = performance.now()
    const behind = await cell.asJobs(centersBehind)
    lookMs = performance.now() - started
    for (const { center_id: centerId, deliveries } of behind) {
      if (stop.aborted) return
      try {
        await countCenter(cell, centers, centerId, { deliveries, stop })
      } catch (error) {
        // A failure in one center must not stop the others.
        log.error({ err: error, centerId, cell: cell.name }, 'the decisions of a center could not be summed up')
      }
    }
  }
  return loop({
    everyMs: () => Math.max(lookEveryMs, lookMs * lookShare),
    turn,
    log,
    failure: 'decisions are not summed up; the worker tries again',
    fields: { cell: cell.name },
  })
}

export const oversightCounters = (cells: Cells, centers: CenterProfiles, log: Logger): Startable =>
  loops(cells.worked.map((cell) => counter(cell, centers, log)))
