/**
 * A place that came free goes to whoever has waited longest: it is kept for them for a while, and then for the next. A place that
 * nobody waits for is free for everyone at once. The caller holds the lock of places: whoever asks to wait sees the places that
 * others leave at the same moment, or is seen by them.
 */
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { nowMs } from '../../../lib/clock.ts'
import { newUuid } from '../../../lib/ids.ts'
import { noteCellCause } from '../../../mail/causes.ts'
import { isActiveMember } from '../../identity/members/api.ts'
import type { BookingRow } from './queries.ts'
import { deleteWait, inTurn, isFree, keepFor } from './wait-queries.ts'

type Place = Pick<BookingRow, 'instructor_id' | 'starts_at' | 'ends_at'>

/** How long a place is kept for one person; less where it begins before. */
const keptMs = 2 * 3_600_000
/** A place that begins sooner is kept for nobody: the message would come too late. */
const minNoticeMs = 30 * 60_000

export async function offerPlace(directory: Directory, tx: TenantTx, place: Place): Promise<void> {
  const at = nowMs()
  const { instructor_id, starts_at, ends_at } = place
  if (starts_at.getTime() < at + minNoticeMs || !(await isFree(tx, place))) return
  for (const row of await inTurn(tx, place)) {
    // Memberships are in the directory: whoever left since waits no longer.
    if (!(await directory.asCenter(tx.caller, (own) => isActiveMember(own, row.booked_for), 'read'))) {
      await deleteWait(tx, row.id)
      continue
    }
    const until = new Date(Math.min(at + keptMs, starts_at.getTime()))
    await keepFor(tx, row.id, { instructor_id, starts_at, ends_at }, until)
    await noteCellCause(tx, {
      id: `place ${row.id} ${newUuid()}`,
      event: 'placeOffered',
      facts: {
        ...{ person: row.booked_for, instructors: [instructor_id] },
        ...{ startsAt: starts_at.toISOString(), at: until.toISOString() },
      },
    })
    return
  }
}
