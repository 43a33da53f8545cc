/** Concurrent claims inside of a center: its last ADMIN, an hour of an instructor, an hour of a client. */
import { typedId } from '@countersign/server/lib/ids.ts'
import type { Client } from '../support/client.ts'
import type { Center, Person, World } from '../support/world.ts'
import { checkOneWinner, countOf } from './platform-races.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

export async function membershipOf(world: World, center: Center, person: Person): Promise<string> {
  const [row] = await world.query<{ id: string }>(
    'select id from directory.memberships where center_id = $1 and actor_id = $2',
    [center.id, person.actorId],
  )
  return typedId('membership', row?.id as string)
}

export const lastAdminRace: Race = {
  name: 'the last ADMIN',
  async prepare(setup) {
    const { world, clients } = setup
    const center = await world.center()
    const people = [await world.person(), await world.person()]
    for (const person of people) await world.member(person, center)
    const ids = await Promise.all(people.map((person) => membershipOf(world, center, person)))
    return async (contenders) => {
      const [client] = clients as [Client]
      const sessions = await Promise.all(people.map((person) => client.signIn(person, center.domain)))
      let next = 0
      // Each of the two ends the membership of the other, and suspends themselves.
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) => {
        const [who, other] = next++ % 2 ? [0, 1] : [1, 0]
        const [id, move] = next % 3 ? [ids[other], 'end'] : [ids[who], 'suspend']
        return each.call('POST', `/api/memberships/${id}/${move}`, { token: sessions[who]?.accessToken as string })
      })
      const { check, violations } = judge()
      check(turnedAway === 0, `${turnedAway} of ${contenders} were turned away`)
      const won = answers.filter(({ status }) => status === 200)
      check(won.length === 1, `${won.length} winners among ${countBy(answers)}`)
      check(
        answers.every(({ status }) => [200, 401, 403, 409].includes(status)),
        `answers ${countBy(answers)}`,
      )
      const [left] = await world.query<{ admins: number; counted: number }>(
        `select admin_count as counted, (select count(*)::int from directory.memberships m
           where m.center_id = c.id and role = 'ADMIN' and status = 'ACTIVE') as admins
         from directory.centers c where id = $1`,
        [center.id],
      )
      check(left?.admins === 1 && left.counted === 1, `ADMINs left: ${JSON.stringify(left)}`)
      for (const person of people) await world.setMembership(person, center, { status: 'ACTIVE' })
      return { violations, turnedAway }
    }
  },
}

const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const hourMs = 3600_000

/** Fifty members of one role, and one of the other: every hour of theirs is wanted by all. */
function hourRace(name: string, many: 'INSTRUCTOR' | 'PARENT'): Race {
  return {
    name,
    async prepare(setup) {
      const { world, clients } = setup
      const [admin, center] = [await world.person(), await world.center()]
      await world.member(admin, center)
      const [client] = clients as [Client]
      const signIn = async () => (await client.signIn(admin, center.domain)).accessToken
      await client.call('PATCH', `/api/centers/${center.id}/settings`, {
        token: await signIn(),
        body: {
          timezone: 'UTC',
          booking: {
            slotMinutes: 60,
            openingHours: Object.fromEntries(week.map((day) => [day, [{ from: '00:00', to: '24:00' }]])),
          },
        },
      })
      const join = async (role: string): Promise<string> => {
        const person = await world.person({ login: false })
        await world.member(person, center, role)
        return person.actorId
      }
      const wanted = await join(many === 'PARENT' ? 'INSTRUCTOR' : 'PARENT')
      const crowd: string[] = []
      let hour = Math.ceil(Date.now() / hourMs) + 24
      return async (contenders) => {
        while (crowd.length < contenders) crowd.push(await join(many))
        const token = await signIn()
        const startsAt = new Date(hour++ * hourMs).toISOString()
        let next = 0
        const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) => {
          const one = crowd[next++] as string
          const [instructorId, bookedFor] = many === 'PARENT' ? [wanted, one] : [one, wanted]
          const body = { instructorId, bookedFor, startsAt }
          return each.call('POST', `/api/centers/${center.id}/bookings`, { token, body })
        })
        const { check, violations } = judge()
        checkOneWinner(check, answers, 201, 'CONFLICT')
        const booked = await countOf(world, 'cell.bookings where center_id = $1 and starts_at = $2', [
          center.id,
          startsAt,
        ])
        check(booked === 1, `${booked} appointments`)
        return { violations, turnedAway }
      }
    },
  }
}

export const slotRace = hourRace('one hour of an instructor', 'PARENT')
export const clientRace = hourRace('one hour of a client', 'INSTRUCTOR')
