/** Attendance rows: who came and who did not. Workflows count them. */
import type { TenantTx } from '../../../data/cells.ts'
import { now } from '../../../lib/clock.ts'
import { uuidOf } from '../../../lib/ids.ts'
import { noteVerifiedAttendance } from './queries.ts'

export { noteBookingAttendance, peopleInBookings, type Recording, recordingsOf } from './queries.ts'

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * The `data` of `attendance.verified`. `learnerId` is the id of an actor or a reference of the application; `sessionId` may be
 * the id of an appointment.
 */
export async function noteVerified(tx: TenantTx, data: Readonly<Record<string, unknown>>): Promise<void> {
  const { learnerId, sessionId, verifiedAt } = data
  const learner = typeof learnerId === 'string' ? learnerId : null
  const isActor = learner !== null && uuidForm.test(learner)
  await noteVerifiedAttendance(tx, {
    bookingId: typeof sessionId === 'string' ? uuidOf('booking', sessionId) : null,
    clientId: isActor ? learner : null,
    reference: isActor ? null : learner,
    at: typeof verifiedAt === 'string' ? new Date(verifiedAt.toUpperCase()) : now(),
  })
}
