/** The entry point of this feature: appointments by the names of their people. */
import type { TenantTx } from '../../../data/cells.ts'
import type { Directory } from '../../../data/directory.ts'
import { now } from '../../../lib/clock.ts'
import { typedId } from '../../../lib/ids.ts'
import { actorsNamed, namesOfMembers } from '../../identity/members/api.ts'
import { bookingsAround } from './queries.ts'

/** Those ahead first, the next one first; then those before, the last one first. */
export async function bookingsOfPeople(directory: Directory, tx: TenantTx, text: string, limit: number) {
  const people = await directory.asCenter(tx.caller, (within) => actorsNamed(within, text), 'read')
  if (people.length === 0) return []
  const rows = await bookingsAround(tx, people, now(), limit)
  const ids = [...new Set(rows.flatMap((row) => [row.instructor_id, row.booked_for]))]
  const names = await directory.asCenter(tx.caller, (within) => namesOfMembers(within, ids), 'read')
  return rows.map((row) => ({
    id: typedId('booking', row.id),
    clientName: names.get(row.booked_for) ?? null,
    instructorName: names.get(row.instructor_id) ?? null,
    startsAt: row.starts_at.toISOString(),
    status: row.status,
  }))
}
