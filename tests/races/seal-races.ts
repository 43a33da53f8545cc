/** Concurrent approvals of one decision, by keys and by signed-in members, make one seal. */

import { chainFaults, recordEvent } from '../crash/ledger.ts'
import { open } from '../support/approving.ts'
import { allAtOnce, countBy, judge, patient, type Race } from './race-setup.ts'

export const approvalRace: Race = {
  name: 'one approval',
  async prepare(setup) {
    const { world, clients } = setup
    const center = await world.center()
    // The policy accepts a person whom a key names, so that both surfaces can seal; the key that records cannot.
    const fixture = { center, key: await world.key(center) }
    const first = patient(clients[0] as (typeof clients)[0])
    const approving = await world.key(center, { scopes: ['proof:approve'] })
    const members: string[] = []
    for (let n = 0; n < 10; n++) {
      const person = await world.person()
      await world.member(person, center, 'ADMIN')
      members.push((await first.signIn(person, center.domain)).accessToken)
    }
    await first.call('POST', '/api/policies', {
      token: members[0] as string,
      body: { name: 'A person', match: {}, guards: { humanReview: true }, approval: { identity: 'claim' } },
    })
    let length = 0
    const opened = (eventId: string) =>
      Promise.all(
        members.map((token) =>
          open(
            async (method, path, body) => (await first.call(method, path, { token, ...(body && { body }) })).body.data,
            eventId,
          ),
        ),
      )
    return async (contenders) => {
      const eventId = await recordEvent(first, fixture)
      const [shown] = await opened(eventId)
      let next = 0
      const { answers, turnedAway, lost } = await allAtOnce(setup, contenders, (client) => {
        const number = next++
        const byMember = members[number % (2 * members.length)]
        return byMember === undefined
          ? client.call('POST', `/api/v1/decision-events/${eventId}/approvals`, {
              token: approving,
              body: { approver: { id: `approver-${number}`, type: 'human' }, result: 'approved' },
            })
          : client.call('POST', `/api/decisions/${eventId}/approvals`, {
              token: byMember,
              body: { result: 'approved', ...shown },
            })
      })
      const { check, violations } = judge()
      const winners = answers.filter(({ status }) => status === 200)
      check(
        winners.length === 1 || (lost > 0 && winners.length === 0),
        `${winners.length} winners among ${countBy(answers)}`,
      )
      check(
        answers.every(({ status }) => status === 200 || status === 409),
        `answers ${countBy(answers)}`,
      )
      const [head] = await world.query<{ next_index: number }>(
        `select next_index::int from cell.chain_heads where center_id = $1 and domain = 'proof'`,
        [center.id],
      )
      check(head?.next_index === ++length, `the chain has ${head?.next_index} entries after ${length} rounds`)
      const [left] = await world.query<{ waiting: number; approvals: number }>(
        `select (select count(*)::int from cell.waiting_decisions where center_id = $1) as waiting,
           (select count(*)::int from cell.approvals where center_id = $1) as approvals`,
        [center.id],
      )
      check(left?.waiting === 0 && left.approvals === length, `${left?.waiting} wait, ${left?.approvals} approvals`)
      // Every entry is verified only now and then: verifying in each round would make the test quadratic.
      if (length % 50 === 1) for (const fault of await chainFaults(world, center, [])) check(false, fault)
      return { violations, turnedAway }
    }
  },
}
