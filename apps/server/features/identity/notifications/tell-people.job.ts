/**
 * Notes what becomes a cause by the passing of time, brings the causes of a cell to the directory, and sends what was collected.
 * A cause is settled after its messages wait to be sent: a crash between the two repeats it, and the keys of the messages let it
 * tell nobody twice.
 */
import type { Logger } from 'pino'
import type { CenterProfiles } from '../../../access/center-profiles.ts'
import type { Cell, Cells } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { nowMs } from '../../../lib/clock.ts'
import { failpoint } from '../../../lib/failpoint.ts'
import { typedId } from '../../../lib/ids.ts'
import { instantOf, localDateOf, wallTimeOf } from '../../../lib/local-time.ts'
import { noteCause, noteCellCause } from '../../../mail/causes.ts'
import { bookingsToRemind, centersWithBookings, drafts, keysEnding, trialsEnding } from './due-queries.ts'
import type { Notifications } from './notifications.ts'
import { centersWithCauses, settleCellCauses, untoldCauses } from './queries.ts'

interface TellPeopleNeeds {
  readonly cells: Pick<Cells, 'of'>
  readonly centers: Pick<CenterProfiles, 'profile'>
  readonly directory: Directory
  readonly log: Logger
  readonly notifications: Pick<Notifications, 'drain' | 'sendDigests' | 'tell'>
}

const job = 'tell-people'
const step = 100
const dayMs = 86_400_000
/** Reminders are made in these hours of the day before, in the center's time. */
const reminding = { from: 17, until: 21 }
const trialDays = 7
const keyDays = 14

export async function tellPeopleJob(needs: TellPeopleNeeds, cellName: string): Promise<void> {
  const cell = needs.cells.of(cellName)
  await noteTomorrow(needs, cell)
  await noteDrafts(cell)
  await noteEnds(needs)
  await bring(needs, cell)
  await needs.notifications.drain()
  await needs.notifications.sendDigests()
}

async function noteTomorrow({ centers }: TellPeopleNeeds, cell: Cell): Promise<void> {
  const at = nowMs()
  const soon = await cell.asJobs((db) => centersWithBookings(db, new Date(at), new Date(at + 2 * dayMs)))
  for (const centerId of soon) {
    const { timezone } = await centers.profile(centerId)
    const hour = new Date(wallTimeOf(timezone, at)).getUTCHours()
    if (hour < reminding.from || hour >= reminding.until) continue
    const [from, to] = [1, 2].map(
      (days) => new Date(instantOf(timezone, localDateOf(timezone, at + days * dayMs), '00:00')),
    )
    await cell.inTenantJob(centerId, job, async (tx) => {
      for (const row of await bookingsToRemind(tx, from as Date, to as Date)) {
        await noteCellCause(tx, {
          id: `booking ${row.id} tomorrow ${Math.floor(row.starts_at.getTime() / 1000)}`,
          event: 'appointmentTomorrow',
          facts: { person: row.booked_for, instructors: [row.instructor_id], startsAt: row.starts_at.toISOString() },
        })
      }
    })
  }
}

async function noteDrafts(cell: Cell): Promise<void> {
  for (const { center_id, unit_id } of await cell.asJobs((db) => drafts(db, new Date(nowMs() - dayMs)))) {
    await cell.inTenantJob(center_id, job, (tx) =>
      noteCellCause(tx, { id: `draft ${unit_id}`, event: 'draftReady', facts: { id: typedId('dpu', unit_id) } }),
    )
  }
}

/** The job of every cell looks; a cause has the same id whoever notes it. */
async function noteEnds({ directory }: TellPeopleNeeds): Promise<void> {
  const at = nowMs()
  const trials = await directory.asJobs((db) => trialsEnding(db, new Date(at + trialDays * dayMs)))
  const keys = await directory.asJobs((db) => keysEnding(db, new Date(at + keyDays * dayMs)))
  const ends = [
    ...trials.map((row) => ({ ...row, event: 'trialEnding' as const, of: `trial ${row.center_id}` })),
    ...keys.map((row) => ({ ...row, event: 'keyExpiring' as const, of: `key ${row.id}` })),
  ]
  if (ends.length === 0) return
  await directory.identity({ requestId: job, actorId: null, centerId: 0 }, async (tx) => {
    for (const { center_id, event, of, ends_at } of ends) {
      const ending = ends_at.toISOString()
      await noteCause(tx, center_id, { id: `${of} ends ${ending}`, event, facts: { at: ending } })
    }
  })
}

/** A center whose causes cannot be told now waits for the next run, and no other waits for it. */
async function bring(needs: TellPeopleNeeds, cell: Cell): Promise<void> {
  for (const centerId of await cell.asJobs((db) => centersWithCauses(db))) {
    try {
      await bringOf(needs, cell, centerId)
    } catch (error) {
      needs.log.error({ err: error, centerId }, 'the people of a center could not be told of what happened there')
    }
  }
}

async function bringOf(
  { centers, directory, notifications }: TellPeopleNeeds,
  cell: Cell,
  centerId: number,
): Promise<void> {
  const center = await centers.profile(centerId)
  for (;;) {
    const rows = await cell.inTenantJob(centerId, job, (tx) => untoldCauses(tx, step))
    if (rows.length === 0) return
    await directory.identity({ requestId: job, actorId: null, centerId: 0 }, async (tx) => {
      for (const row of rows) await notifications.tell(tx, { ...row, id: `${centerId} ${row.id}` }, center)
    })
    failpoint('tell-people.told')
    await cell.inTenantJob(centerId, job, (tx) =>
      settleCellCauses(
        tx,
        rows.map(({ id }) => id),
      ),
    )
    if (rows.length < step) return
  }
}
