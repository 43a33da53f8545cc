/** Concurrent claims of one subdomain, one order, one seat and one membership transition. */
import { newUuid, typedId } from '@countersign/server/lib/ids.ts'
import type { Answer } from '../support/contract-check.ts'
import type { Center, World } from '../support/world.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

type Check = ReturnType<typeof judge>['check']

/** Exactly one contender succeeds, and all others receive this refusal. */
export function checkOneWinner(check: Check, answers: readonly Answer[], yes: number, code: string): void {
  const winners = answers.filter(({ status }) => status === yes)
  check(winners.length === 1, `${winners.length} winners among ${countBy(answers)}`)
  const losers = answers.filter(({ status, body }) => status === 409 && body.error.code === code)
  check(winners.length + losers.length === answers.length, `answers ${countBy(answers)}`)
}

export const countOf = async (world: World, text: string, values: unknown[]): Promise<number> =>
  (await world.query<{ n: number }>(`select count(*)::int as n from ${text}`, values))[0]?.n ?? -1

const order = (adminActorId: string, subdomain: string, orderId: string) => ({
  centerName: 'Wanted by many',
  subdomain,
  planId: 'center-starter',
  orderId,
  adminActorId,
})
const path = '/api/provisioning/center-tenant'
const newName = () => `r-${newUuid().slice(-12)}`

export const subdomainRace: Race = {
  name: 'one subdomain',
  async prepare(setup) {
    const { world, clients } = setup
    const founder = await world.person()
    return async (contenders) => {
      const { accessToken: token } = await (clients[0] as (typeof clients)[0]).signIn(founder)
      const name = newName()
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', path, { token, body: order(founder.actorId, name, newUuid()) }),
      )
      const { check, violations } = judge()
      checkOneWinner(check, answers, 201, 'SUBDOMAIN_TAKEN')
      const made = await world.query<{ id: number }>('select id from directory.centers where domain = $1', [name])
      check(made.length === 1, `${made.length} centers`)
      const orders = await countOf(world, 'directory.provisioning_orders where center_id = $1', [made[0]?.id])
      check(orders === 1, `${orders} orders`)
      const losers = await countOf(
        world,
        'directory.provisioning_orders o where not exists (select from directory.centers c where c.id = o.center_id)',
        [],
      )
      check(losers === 0, `${losers} orders of losers`)
      return { violations, turnedAway }
    }
  },
}

export const orderRace: Race = {
  name: 'one orderId',
  async prepare(setup) {
    const { world, clients } = setup
    const founder = await world.person()
    return async (contenders) => {
      const { accessToken: token } = await (clients[0] as (typeof clients)[0]).signIn(founder)
      const body = order(founder.actorId, newName(), newUuid())
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', path, { token, body }),
      )
      const { check, violations } = judge()
      const created = answers.filter(({ status }) => status === 201)
      check(created.length === 1, `${created.length} answers with 201`)
      check(
        answers.every(({ status }) => status === 200 || status === 201),
        `answers ${countBy(answers)}`,
      )
      check(new Set(answers.map(({ text }) => text)).size === 1, 'the answers differ')
      const centers = await countOf(world, 'directory.centers where domain = $1', [body.subdomain])
      check(centers === 1, `${centers} centers`)
      const audited = await countOf(world, `directory.audit_entries where details ->> 'orderId' = $1`, [body.orderId])
      check(audited === 1, `${audited} audit entries`)
      return { violations, turnedAway }
    }
  },
}

export const sandboxRace: Race = {
  name: 'the sandbox of one center',
  async prepare(setup) {
    const { world, clients } = setup
    const [admin, center] = [await world.person(), await world.center()]
    await world.member(admin, center, 'ADMIN')
    const ids = new Set<number>()
    let round = 0
    return async (contenders) => {
      const { accessToken: token } = await (clients[0] as (typeof clients)[0]).signIn(admin, center.domain)
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', `/api/centers/${center.id}/sandbox`, { token }),
      )
      const { check, violations } = judge()
      checkOneWinner(check, answers, 201, 'CONFLICT')
      const made = await countOf(world, `directory.centers where sandbox_of = $1 and status = 'ACTIVE'`, [center.id])
      check(made === 1, `${made} sandboxes`)
      ids.add(answers.find(({ status }) => status === 201)?.body.data.center.id)
      check(ids.size === ++round, `${ids.size} ids after ${round} rounds`)
      await world.query(`update directory.centers set status = 'INACTIVE' where sandbox_of = $1`, [center.id])
      return { violations, turnedAway }
    }
  },
}

async function pendingMember(world: World, center: Center): Promise<string> {
  const person = await world.person({ login: false })
  await world.member(person, center, 'PARENT', 'PENDING')
  const [row] = await world.query<{ id: string }>('select id from directory.memberships where actor_id = $1', [
    person.actorId,
  ])
  return row?.id as string
}

async function centerWithSeats(world: World, seats: number) {
  const [admin, center] = [await world.person(), await world.center()]
  await world.query(
    `insert into directory.subscriptions (center_id, plan_id, status, billing_cycle, current_period_end, seat_limit)
     values ($1, 'center-starter', 'ACTIVE', 'MONTHLY', now() + interval '30 days', $2)`,
    [center.id, seats],
  )
  await world.member(admin, center, 'ADMIN')
  return { admin, center }
}

const approvals = (world: World, center: Center) =>
  countOf(world, `directory.audit_entries where center_id = $1 and type = 'membership.transitioned'`, [center.id])

/** Resets the admitted member to waiting, for the next round. */
const sendBack = (world: World, center: Center) =>
  world.query(`update directory.memberships set status = 'PENDING' where center_id = $1 and role = 'PARENT'`, [
    center.id,
  ])

export const lastSeatRace: Race = {
  name: 'the last seat',
  async prepare(setup) {
    const { world, clients } = setup
    const { admin, center } = await centerWithSeats(world, 2)
    const waiting: string[] = []
    let round = 0
    return async (contenders) => {
      while (waiting.length < contenders) waiting.push(typedId('membership', await pendingMember(world, center)))
      const { accessToken: token } = await (clients[0] as (typeof clients)[0]).signIn(admin)
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', `/api/memberships/${waiting[next++]}/approve`, { token }),
      )
      const { check, violations } = judge()
      checkOneWinner(check, answers, 200, 'CONFLICT')
      const [seats] = await world.query<{ seat_used: number; active: number }>(
        `select seat_used, (select count(*)::int from directory.memberships m where m.center_id = s.center_id and status = 'ACTIVE') as active
         from directory.subscriptions s where center_id = $1`,
        [center.id],
      )
      check(seats?.seat_used === 2 && seats.active === 2, `seats ${JSON.stringify(seats)}`)
      const audited = await approvals(world, center)
      check(audited === ++round, `${audited} audit entries after ${round} rounds`)
      await sendBack(world, center)
      return { violations, turnedAway }
    }
  },
}

export const moveRace: Race = {
  name: 'one transition of one membership',
  async prepare(setup) {
    const { world, clients } = setup
    const { admin, center } = await centerWithSeats(world, 100)
    const id = await pendingMember(world, center)
    let round = 0
    return async (contenders) => {
      const { accessToken: token } = await (clients[0] as (typeof clients)[0]).signIn(admin)
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', `/api/memberships/${typedId('membership', id)}/approve`, { token }),
      )
      const { check, violations } = judge()
      checkOneWinner(check, answers, 200, 'CONFLICT')
      const active = await countOf(world, `directory.memberships where id = $1 and status = 'ACTIVE'`, [id])
      check(active === 1, 'the membership is not ACTIVE')
      const audited = await approvals(world, center)
      check(audited === ++round, `${audited} audit entries after ${round} rounds`)
      await sendBack(world, center)
      return { violations, turnedAway }
    }
  },
}
