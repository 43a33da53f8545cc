/** One decision, many approvers: one seal. */
import { chainFaults, recordEvent } from '../crash/ledger.ts'
import { allAtOnce, countBy, judge, type Race } from './arena.ts'

export const approvalRace: Race = {
  name: 'one approval',
  async prepare(arena) {
    const { world, doors } = arena
    const center = await world.center()
    const fixture = { center, key: await world.key(center) }
    let length = 0
    return async (contenders) => {
      const eventId = await recordEvent(doors[0] as (typeof doors)[0], fixture)
      let next = 0
      const { answers, turnedAway } = await allAtOnce(arena, contenders, (door) =>
        door.call('POST', `/api/v1/decision-events/${eventId}/approvals`, {
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
      // Every entry is looked at again now and then: each round would make it quadratic.
      if (length % 50 === 1) for (const fault of await chainFaults(world, center, [])) check(false, fault)
      return { violations, turnedAway }
    }
  },
}
