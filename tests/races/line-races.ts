/** Approval lines under contention: many people for the places of a line, and a longer line against approvals of the shorter one. */
import { record } from '../crash/executor.ts'
import { open, type Shown } from '../support/approving.ts'
import type { Client } from '../support/client.ts'
import { allAtOnce, countBy, judge, patient, prepareMany, type Race, type RaceSetup } from './race-setup.ts'

const policy = (steps: object[]) => ({
  name: 'A line',
  match: { actionTypes: ['money.*'] },
  guards: { humanReview: true },
  approval: { identity: 'session', steps },
})

async function staffed({ world, clients }: RaceSetup, roles: readonly string[], steps: object[]) {
  const client = patient(clients[0] as Client)
  const center = await world.center()
  const people = []
  for (const role of roles) {
    const person = await world.person()
    await world.member(person, center, role)
    people.push({ role, token: (await client.signIn(person, center.domain)).accessToken })
  }
  const token = people[0]?.token as string
  const made = await client.call('POST', '/api/policies', { token, body: policy(steps) })
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
      const { answers, turnedAway, lost } = await allAtOnce(setup, contenders, (each) => {
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
      const places = filled[0] + filled[1]
      check(
        (filled[0] === 2 || turnedAway + lost > 0) && places >= given && places <= given + lost,
        `${given} approvals, and places ${filled.join('+')}`,
      )
      // Those whose requests a crash lost ask again, the director last; whoever has approved is refused.
      for (const who of [...people.slice(1), ...people.slice(0, 1)]) {
        if ((await read()).status === 'sealed') break
        await client.call(...approval(id, who.token, await shownTo(who.token, id))).catch(() => null)
      }
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
      const decisions = await prepareMany(contenders - 1, async () => {
        const { id } = await record(client, fixture)
        return { id, shown: await shownTo(token, id) }
      })
      const changeAt = Math.floor(setup.random() * contenders)
      let next = 0
      const { answers, turnedAway, lost } = await allAtOnce(setup, contenders, (each) => {
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
      const [change] = await setup.world.query<{ idx: number; versions: number }>(
        `select max(idx)::int as idx, count(*)::int as versions from cell.chain_entries
         where center_id = $1 and domain = 'history' and content::json ->> 'type' = 'policy'`,
        [center.id],
      )
      const seals = await setup.world.query<{ at: number }>(
        `select (control -> 'rules' ->> 'index')::int as at from cell.dpus where center_id = $1 and domain = 'proof'`,
        [center.id],
      )
      const isLonger = change?.versions === 2
      check(isLonger || turnedAway + lost > 0, 'the line has not become longer')
      const late = isLonger ? seals.filter(({ at }) => at >= change.idx).length : 0
      // Under the longer line, nobody is alone enough to seal.
      check(late === 0, `${late} decisions were sealed by one person after the line had become longer`)
      return { violations, turnedAway }
    }
  },
}
