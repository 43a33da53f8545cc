/** A few bookings in every demo center, on the next working days of its instructors. */
import type { Config } from '@countersign/server/config/config.ts'
import { bookable, slotsOf } from '@countersign/server/features/centers/bookings/booking.ts'
import { bookingsBetween, insertBooking } from '@countersign/server/features/centers/bookings/queries.ts'
import { nowMs } from '@countersign/server/lib/clock.ts'
import { newUuid } from '@countersign/server/lib/ids.ts'
import { localDateOf } from '@countersign/server/lib/local-time.ts'
import { openServices, type Services } from '@countersign/server/services.ts'

const dayMs = 86_400_000
const horizonDays = 14
const perInstructor = 2

export async function bookSome(
  config: Config,
  log: Services['log'],
  centers: readonly { id: number }[],
): Promise<void> {
  const services = openServices({ ...config, redisUrl: null }, log)
  try {
    for (const { id } of centers) await bookIn(services, id)
  } finally {
    await services.close()
  }
}

async function bookIn(services: Services, centerId: number): Promise<void> {
  const caller = { requestId: 'demo', actorId: null, centerId }
  const { settings, instructors } = await bookable(services.directory, caller)
  const { cell, clients } = await services.directory.asCenter(caller, async (tx) => {
    const center = await tx.db.selectFrom('centers').select('cell').where('id', '=', centerId).executeTakeFirstOrThrow()
    const clients = await tx.db
      .selectFrom('memberships')
      .select('actor_id')
      .where('center_id', '=', centerId)
      .where('role', '=', 'CHILD')
      .where('status', '=', 'ACTIVE')
      .orderBy('id')
      .execute()
    return { cell: center.cell, clients }
  })
  const tomorrow = nowMs() + dayMs
  await services.cells.of(cell).inTenant(caller, async (tx) => {
    const upcoming = await bookingsBetween(tx, new Date(nowMs()), new Date(tomorrow + 2 * horizonDays * dayMs))
    if (upcoming.length > 0) return
    const taken: { client: string; start: number; end: number }[] = []
    for (const [turn, instructor] of instructors.entries()) {
      const days = Array.from({ length: horizonDays }, (_, day) =>
        localDateOf(settings.timezone, tomorrow + day * dayMs),
      )
      const client = clients[turn % clients.length]?.actor_id ?? instructor.id
      // Instructors may share a client, who cannot be in two places at once.
      const isFree = ({ start, end }: { start: number; end: number }) =>
        !taken.some((each) => each.client === client && each.start < end && start < each.end)
      const slots = days.flatMap((date) => slotsOf(settings, instructor, date, []).filter(isFree).slice(0, 1))
      for (const { start, end } of slots.slice(0, perInstructor)) {
        taken.push({ client, start, end })
        await insertBooking(tx, {
          id: newUuid(),
          instructor_id: instructor.id,
          booked_for: client,
          booked_by: instructor.id,
          starts_at: new Date(start),
          ends_at: new Date(end),
        })
      }
    }
  })
}
