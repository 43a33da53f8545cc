/** Appointments of the demo center: three weeks that are over, with who came, and the coming days. */
import type { ConsoleDesk } from '../support/console.ts'
import type { Center, Person } from '../support/world.ts'

const dayMs = 86_400_000
const dayOf = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10)

interface Booked {
  readonly token: string
  readonly clients: readonly Person[]
}

/** Every third free time of five days, so that the week has appointments and gaps. */
async function bookWeek({ server }: ConsoleDesk, center: Center, { token, clients }: Booked): Promise<string[]> {
  const made: string[] = []
  for (let days = 0; days < 5; days++) {
    const path = `/api/centers/${center.domain}/available-slots?date=${dayOf(days)}`
    const free = (await server.call('GET', path, { token })).body.data.slots as {
      instructorId: string
      startsAt: string
    }[]
    const chosen = free.filter((_, slot) => slot % 3 === 0).slice(0, 6)
    for (const [turn, { instructorId, startsAt }] of chosen.entries()) {
      const body = { instructorId, startsAt, bookedFor: clients[(turn + days) % clients.length]?.actorId }
      // Refused where the child is with another instructor at this time.
      const answer = await server.call('POST', `/api/centers/${center.domain}/bookings`, { token, body })
      if (answer.status === 201) made.push(answer.body.data.id)
    }
  }
  return made
}

/** Returns a day that has appointments. */
export async function attend(desk: ConsoleDesk, center: Center, booked: Booked): Promise<string> {
  const { server } = desk
  for (const weeks of [3, 2, 1]) {
    const ids = await bookWeek(desk, center, booked)
    await server.world.query(
      `update cell.bookings set placed_at = null, starts_at = starts_at - $2 * interval '7 days', ends_at = ends_at - $2 * interval '7 days'
       where center_id = $1 and status = 'booked' and starts_at > now()`,
      [center.id, weeks],
    )
    for (const [turn, id] of ids.entries()) {
      const path = `/api/centers/${center.domain}/bookings/${id}/${turn % 7 === weeks ? 'no-show' : 'attended'}`
      const { status, text } = await server.call('POST', path, { token: booked.token, body: {} })
      if (status >= 300) throw new Error(`${path}: ${text}`)
    }
  }
  await bookWeek(desk, center, booked)
  return dayOf(1)
}
