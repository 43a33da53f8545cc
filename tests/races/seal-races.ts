/** Concurrent approvals of one decision make one seal. */
import { chainFaults, recordEvent } from '../crash/ledger.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

export const approvalRace: Race = {
  name: 'one approval',
  async prepare(setup) {
    const { world, clients } = setup
    const center = await world.center()
    const fixture = { center, key: await world.key(center) }
    let length = 0
    return async (contenders) => {
      const eventId = await recordEvent(clients[0] as (typeof clients)[0], fixture)
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', `/api/v1/decision-events/${eventId}/approvals`, {
          token: fixture.key,
          body: { approver: { id: `approver-${next++}`, type: 'human' }, result: 'approved' },
        }),
      )
      const { check, violations } = judge()
      const winners = answers.filter(({ status }) => status === 200)
      check(winners.length === 1, `${winners.length} winners among ${countBy(answers)}`)
      check(
        answers.every(({ status }) => status === 200 || status === 409),
        `answers ${countBy(answers)}`,
      )
      const [head] = await world.query<{ next_index: number }>(
        `select next_index::int from cell.chain_heads where center_id = $1 and domain = 'proof'`,
        [center.id],
      )
      check(head?.next_index === ++length, `the chain has ${head?.next_index} entries after ${length} rounds`)
      // Every entry is verified only now and then: verifying in each round would make the test quadratic.
      if (length % 50 === 1) for (const fault of await chainFaults(world, center, [])) check(false, fault)
      return { violations, turnedAway }
    }
  },
}
