/** Approval lines under contention: many people for the places of a line, and a longer line against approvals of the shorter one. */
import { type Decision, record } from '../crash/executor.ts'
import { open, type Shown } from '../support/approving.ts'
import type { Client } from '../support/client.ts'
import { allAtOnce, countBy, judge, type Race, type RaceSetup } from './race-setup.ts'

const policy = (steps: object[]) => ({
  name: 'A line',
  match: { actionTypes: ['money.*'] },
  guards: { humanReview: true },
  approval: { identity: 'session', steps },
})

async function staffed({ world, clients }: RaceSetup, roles: readonly string[], steps: object[]) {
  const client = clients[0] as Client
  const center = await world.center()
  const people = []
  for (const role of roles) {
    const person = await world.person()
    await world.member(person, center, role)
    people.push({ role, token: (await client.signIn(person, center.domain)).accessToken })
  }
  const token = people[0]?.token as string
  const made = await client.call('POST', '/api/policies', { token, body: policy(steps) })
  if (made.status !== 201) throw new Error(`could not make a policy: ${made.text}`)
  const shownTo = (who: string, id: string) =>
    open(
      async (method, path, body) => (await client.call(method, path, { token: who, ...(body && { body }) })).body.data,
      id,
    )
  return {
    client,
    center,
    people,
    token,
    policyId: made.body.data.id,
    shownTo,
    fixture: { center, key: await world.key(center) },
  }
}

const approval = (id: string, token: string, shown: Shown | Record<string, never>) =>
  ['POST', `/api/decisions/${id}/approvals`, { token, body: { result: 'approved', ...shown } }] as const

export const linePlacesRace: Race = {
  name: 'the places of a line',
  async prepare(setup) {
    const roles = ['ADMIN', 'INSTRUCTOR', 'INSTRUCTOR', 'INSTRUCTOR', 'INSTRUCTOR']
    const own = await staffed(setup, roles, [{ roles: ['INSTRUCTOR'], count: 2 }, { roles: ['ADMIN'] }])
    const { client, people, fixture, shownTo, token } = own
    return async (contenders) => {
      const { id } = await record(client, fixture)
      const shown = await Promise.all(people.map((who) => shownTo(who.token, id)))
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) => {
        const at = next++ % people.length
        return each.call(...approval(id, people[at]?.token as string, shown[at] as Shown))
      })
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => [200, 409, 422].includes(status)),
        `answers ${countBy(answers)}`,
      )
      const read = async () => (await client.call('GET', `/api/decisions/${id}`, { token })).body.data
      const filled = (await read()).lines[0].steps.map(
        ({ places }: { places: { approval: number | null }[] }) =>
          places.filter((place) => place.approval !== null).length,
      )
      const given = answers.filter(({ status }) => status === 200).length
      check(filled[0] === 2 && filled[0] + filled[1] === given, `${given} approvals, and places ${filled.join('+')}`)
      if (filled[1] === 0) await client.call(...approval(id, token, await shownTo(token, id)))
      const { status, approvals } = await read()
      check(status === 'sealed' && approvals.length === 3, `${status} with ${approvals.length} approvals`)
      return { violations, turnedAway }
    }
  },
}

export const longerLineRace: Race = {
  name: 'a line that becomes longer while people approve',
  async prepare(setup) {
    return async (contenders) => {
      const steps = [{ roles: ['ADMIN'] }]
      const own = await staffed(setup, ['ADMIN', 'ADMIN'], steps)
      const { client, center, token, fixture, shownTo, policyId } = own
      const decisions: { id: string; shown: Shown | Record<string, never> }[] = []
      for (let left = contenders - 1; left > 0; left--) {
        const { id }: Decision = await record(client, fixture)
        decisions.push({ id, shown: await shownTo(token, id) })
      }
      const changeAt = Math.floor(setup.random() * contenders)
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) => {
        const at = next++
        if (at === changeAt) {
          const { approval: longer } = policy([...steps, { roles: ['ADMIN'] }])
          return each.call('PATCH', `/api/policies/${policyId}`, { token, body: { approval: longer } })
        }
        const { id, shown } = decisions[at > changeAt ? at - 1 : at] as (typeof decisions)[number]
        return each.call(...approval(id, token, shown))
      })
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => status === 200 || status === 409),
        `answers ${countBy(answers)}`,
      )
      const [change] = await setup.world.query<{ idx: number }>(
        `select max(idx)::int as idx from cell.chain_entries
         where center_id = $1 and domain = 'history' and content::json ->> 'type' = 'policy'`,
        [center.id],
      )
      const seals = await setup.world.query<{ at: number }>(
        `select (control -> 'rules' ->> 'index')::int as at from cell.dpus where center_id = $1 and domain = 'proof'`,
        [center.id],
      )
      const late = seals.filter(({ at }) => at >= (change?.idx ?? 0)).length
      // Under the longer line, nobody is alone enough to seal.
      check(late === 0, `${late} decisions were sealed by one person after the line had become longer`)
      return { violations, turnedAway }
    }
  },
}
