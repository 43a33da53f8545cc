/** A center with people, decisions and appointments, in which the tasks are done. */
import { indexCenter } from '@countersign/server/features/evidence/search/worker.ts'
import { type ConsoleDesk, openConsole } from '../../support/console.ts'
import { plain, refund } from '../../support/pages-fixture.ts'
import type { Partner, Person } from '../../support/world.ts'

export const dayMs = 86_400_000
/** A Monday in more than a week. */
export const monday = (() => {
  const day = new Date(Date.now() + 8 * dayMs)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  return day.toISOString().slice(0, 10)
})()
/** A date in Seoul, where the centers of the tasks are. */
export const inDays = (count: number): string =>
  new Date(Date.now() + count * dayMs + 9 * 3_600_000).toISOString().slice(0, 10)

export interface TaskPlace {
  readonly desk: ConsoleDesk
  readonly people: Readonly<Record<Who, Person>>
  readonly partner: Partner
  readonly proof: string
  /** A call of the director at the center. */
  call(method: string, path: string, body?: unknown): ReturnType<ConsoleDesk['server']['call']>
  book(client: Person, day: number, hour: number): Promise<void>
  linkTo(email: string, path: string): Promise<string>
}

export const named = {
  director: ['박서연', 'ADMIN'],
  second: ['이원장', 'ADMIN'],
  instructor: ['김민준', 'INSTRUCTOR'],
  parent: ['오세훈', 'PARENT'],
  client: ['정도윤', 'CHILD'],
} as const
type Who = keyof typeof named | 'child' | 'partner' | 'operator'

export async function openPlace(): Promise<TaskPlace> {
  const desk = await openConsole({ BILLING_URL: 'https://billing.example/pay', MAX_POLICIES_PER_CENTER: '1000' })
  const { server, center } = desk
  const { world } = server
  const people = {} as Record<Who, Person>
  for (const [who, [name, role]] of Object.entries(named)) people[who as Who] = await desk.person(name, role)
  people.child = await desk.person('오다은', 'CHILD')
  await world.guardian(people.parent, people.child, center)
  const partner = await world.partner()
  people.partner = await world.person()
  await world.account(people.partner, partner)
  await world.center({ partner, name: '온누리 본점' })
  people.operator = await world.person({ operator: true })
  await world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     values ($1, 'center-starter', 'ACTIVE', 'MONTHLY', now() + interval '20 days', 200)`,
    [center.id],
  )
  const call: TaskPlace['call'] = async (method, path, body) => {
    const { accessToken: token } = await server.signIn(people.director, center.domain)
    return server.call(method, `/api/centers/${center.domain}${path}`, { token, ...(body !== undefined && { body }) })
  }
  const open = [{ from: '09:00', to: '18:00' }]
  const openingHours = Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, open]))
  await call('PATCH', '/settings', { timezone: 'Asia/Seoul', booking: { slotMinutes: 60, openingHours } })
  await desk.policy()
  const small = { type: 'refund.create', description: '이하늘 님 수강료환불', input: { to: '이하늘', amount: 120_000 } }
  await desk.record({ action: small })
  // The server refuses a clock that is off.
  await world.query(
    `begin; set local session_replication_role = replica;
     update cell.recorded_decisions set created_at = created_at - interval '22 days', occurred_at = occurred_at - interval '22 days'
     where center_id = ${center.id} and action ->> 'description' = '${small.description}'; commit`,
  )
  for (let at = 0; at < 20; at++)
    await desk.record({
      action: {
        ...small,
        description: `김바다 님 교구 구입 ${at + 1}번째`,
        input: { to: '김바다', amount: 3000 + at },
      },
    })
  await indexCenter(server.services.cells.of('main'), center.id)
  const approved = await desk.record(refund)
  await desk.approveAs(people.director, approved)
  const reading = await world.key(center, { scopes: ['proof:read'] })
  const proof = await server.call('GET', `/api/v1/evidence/${approved}/export`, { token: reading })
  if (proof.status !== 200) throw new Error(proof.text)
  return {
    desk,
    people,
    partner,
    proof: proof.text,
    call,
    async book(client, day, hour) {
      await world.query(
        `insert into cell.bookings (center_id, id, instructor_id, booked_for, booked_by, starts_at, ends_at, created_at)
         values ($1, gen_random_uuid(), $2, $3, $3, $4, $4::timestamptz + interval '50 minutes', now())`,
        [
          ...[center.id, people.instructor.actorId, client.actorId],
          `${inDays(day)}T${String(hour).padStart(2, '0')}:00:00+09:00`,
        ],
      )
    },
    async linkTo(email, path) {
      for (let tries = 0; tries < 60; tries++) {
        const address = desk.mailbox.messages
          .toReversed()
          .filter(({ to }) => to.includes(email))
          .flatMap(({ text }) => plain(text).split(/[\s"<>]+/))
          .find((word) => word.startsWith(`${desk.origin}${path}`))
        if (address) return address
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      throw new Error(`no mail to ${email} leads to ${path}`)
    },
  }
}
