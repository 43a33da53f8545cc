/** How approvals end: a withdrawal against the last approval, and a change of policy against consumptions. */
import { approve, type Decision, record } from '../crash/executor.ts'
import { open } from '../support/approving.ts'
import type { Client } from '../support/client.ts'
import { allAtOnce, countBy, judge, patient, prepareMany, type Race, type RaceSetup } from './race-setup.ts'

const policy = {
  name: 'A person',
  match: { actionTypes: ['money.*'] },
  guards: { humanReview: true },
  approval: { identity: 'session' },
}

async function newCenter({ world, clients }: RaceSetup) {
  const client = patient(clients[0] as Client)
  const center = await world.center()
  const person = await world.person()
  await world.member(person, center, 'ADMIN')
  const token = (await client.signIn(person, center.domain)).accessToken
  return { client, center, token, fixture: { center, key: await world.key(center) } }
}

export const withdrawRace: Race = {
  name: 'a withdrawal or the last approval',
  async prepare(setup) {
    const { client, token, fixture } = await newCenter(setup)
    await client.call('POST', '/api/policies', { token, body: policy })
    return async (contenders) => {
      const { id } = await record(client, fixture)
      const shown = await open(
        async (method, path, body) => (await client.call(method, path, { token, ...(body && { body }) })).body.data,
        id,
      )
      let next = 0
      const won: string[] = []
      const { answers, turnedAway, lost } = await allAtOnce(setup, contenders, async (each) => {
        const withdraws = next++ % 2 === 0
        const answer = withdraws
          ? await each.call('POST', `/api/v1/decision-events/${id}/withdraw`, { token: fixture.key, body: {} })
          : await each.call('POST', `/api/decisions/${id}/approvals`, { token, body: { result: 'approved', ...shown } })
        if (answer.status === 200) won.push(withdraws ? 'rejected' : 'sealed')
        return answer
      })
      const { check, violations } = judge()
      check(won.length === 1 || (lost > 0 && won.length === 0), `${won.length} winners among ${countBy(answers)}`)
      check(
        answers.every(({ status }) => status === 200 || status === 409),
        `answers ${countBy(answers)}`,
      )
      const { data } = (await client.call('GET', `/api/v1/decision-events/${id}`, { token: fixture.key })).body
      check(
        ['sealed', 'rejected'].includes(data.status) && data.status === (won[0] ?? data.status),
        `${data.status} after ${won[0]}`,
      )
      check(data.approvals.length === 1, `${data.approvals.length} approvals`)
      return { violations, turnedAway }
    }
  },
}

export const policyAgainstUseRace: Race = {
  name: 'a policy ends the use of what was given before it',
  async prepare(setup) {
    return async (contenders) => {
      const { client, center, token, fixture } = await newCenter(setup)
      const decisions = await prepareMany(contenders - 1, async () => {
        const decision = await record(client, fixture)
        await approve(client, decision)
        return decision
      })
      const changeAt = Math.floor(setup.random() * contenders)
      let next = 0
      const { answers, turnedAway, lost } = await allAtOnce(setup, contenders, (each) => {
        const at = next++
        if (at === changeAt) return each.call('POST', '/api/policies', { token, body: policy })
        const { id, digest: actionDigest } = decisions[at > changeAt ? at - 1 : at] as Decision
        const body = { actionDigest, executor: `executor-${at}` }
        return each.call('POST', `/api/v1/decision-events/${id}/consume`, { token: fixture.key, body })
      })
      const { check, violations } = judge()
      const refused = answers.filter(({ status }) => status === 409)
      check(
        refused.every(({ body }) => body.error.details.reason === 'policy'),
        `refused for another reason: ${countBy(answers)}`,
      )
      const entries = await setup.world.query<{ type: string }>(
        `select content::json ->> 'type' as type from cell.chain_entries
         where center_id = $1 and domain = 'history' order by idx`,
        [center.id],
      )
      const types = entries.map(({ type }) => type)
      const taken = answers.filter(({ status }) => status === 200).length
      const executions = types.filter((type) => type === 'execution').length
      check(executions >= taken && executions <= taken + lost, `${taken} answers, and ${executions} in the history`)
      const changed = types.indexOf('policy')
      check(changed >= 0 || turnedAway + lost > 0, 'no policy is in the history')
      check(changed < 0 || !types.slice(changed).includes('execution'), 'a decision was taken after the policy')
      return { violations, turnedAway }
    }
  },
}
