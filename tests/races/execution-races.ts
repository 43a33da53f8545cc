/** Concurrent executors of one decision: one consumes it, and of concurrent outcomes one is sealed. */
import { approve, record } from '../crash/executor.ts'
import { readChain } from '../crash/ledger.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

export const consumeRace: Race = {
  name: 'one executor',
  async prepare(setup) {
    const { world, clients } = setup
    const center = await world.center()
    const fixture = { center, key: await world.key(center) }
    const bound = await world.key(center, { boundTo: { id: 'agent-7', type: 'ai_agent' } })
    const [first] = clients as [(typeof clients)[0]]
    let length = 0
    return async (contenders) => {
      const decision = await record(first, fixture)
      await approve(first, decision)
      const path = `/api/v1/decision-events/${decision.id}`
      let next = 0
      let token = ''
      const { answers, turnedAway } = await allAtOnce(setup, contenders, async (client) => {
        // Both keys may act on it, and each executor asks twice at once.
        const [key, executor] = [next % 3 === 0 ? bound : fixture.key, `executor-${Math.floor(next++ / 2)}`]
        const body = { actionDigest: decision.digest, executor }
        const answer = await client.call('POST', `${path}/consume`, { token: key, body })
        if (answer.status === 200) token = key
        return answer
      })
      const { check, violations } = judge()
      const winners = answers.filter(({ status, body }) => status === 200 && !body.data.replayed)
      const names = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.data.executor))
      check(winners.length === 1 && names.size === 1, `${winners.length} winners among ${countBy(answers)}`)
      check(
        answers.every(
          ({ status, body }) => status === 200 || (status === 409 && names.has(body.error.details.executor)),
        ),
        `answers ${countBy(answers)}`,
      )
      const { execution } = (await first.call('GET', path, { token: fixture.key })).body.data
      check(execution !== null && names.has(execution.executor), 'the stored executor is not the winner')
      const reports = await allAtOnce(setup, contenders, (client) => {
        const status = next++ % 2 === 0 ? 'succeeded' : 'failed'
        const body = { executor: execution?.executor ?? 'none', status, output: { next } }
        return client.call('POST', `${path}/outcome`, { token, body })
      })
      const sealed = reports.answers.filter((answer) => answer.status === 200)
      check(sealed.length === 1, `${sealed.length} outcomes among ${countBy(reports.answers)}`)
      length += 2
      const [head] = await world.query<{ next_index: number }>(
        `select next_index::int from cell.chain_heads where center_id = $1 and domain = 'history'`,
        [center.id],
      )
      check(head?.next_index === length, `the history has ${head?.next_index} entries, not ${length}`)
      // Every entry is verified only now and then: verifying in each round would make the test quadratic.
      if (length % 50 === 2) for (const fault of (await readChain(world, center, 'history')).faults) check(false, fault)
      return { violations, turnedAway: turnedAway + reports.turnedAway }
    }
  },
}
