/** One idempotency key: one effect, and the same answer for every caller that sent it. */
import type { Answer } from '../support/contract-check.ts'
import { sampleEvent } from '../support/samples.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

type Check = ReturnType<typeof judge>['check']

function checkReplays(check: Check, answers: readonly Answer[]): void {
  check(answers.length > 0 && answers.every(({ status }) => status === 201), `answers ${countBy(answers)}`)
  check(new Set(answers.map(({ text }) => text)).size === 1, 'the answers differ')
  const first = answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)
  check(first.length === 1, `${first.length} answers without Idempotency-Replayed`)
}

export const createKeyRace: Race = {
  name: 'one Idempotency-Key on POST /api/api-keys',
  async prepare(setup) {
    const { world, clients } = setup
    const [client] = clients as [(typeof clients)[0]]
    const [person, center] = [await world.person(), await world.center()]
    await world.member(person, center, 'ADMIN')
    let round = 0
    return async (contenders) => {
      const { accessToken } = await client.signIn(person)
      const name = `race ${++round}`
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) =>
        each.call('POST', '/api/api-keys', {
          token: accessToken,
          body: { name, scopes: ['proof:read'] },
          headers: { 'idempotency-key': `race-${round}` },
        }),
      )
      const { check, violations } = judge()
      checkReplays(check, answers)
      const [effect] = await world.query<{ keys: number; audited: number }>(
        `select (select count(*)::int from directory.api_keys where center_id = $1 and name = $2) as keys,
           (select count(*)::int from directory.audit_entries where center_id = $1 and type = 'api_key.changed') as audited`,
        [center.id, name],
      )
      check(effect?.keys === 1, `${effect?.keys} keys`)
      check(effect?.audited === round, `${effect?.audited} audit entries after ${round} rounds`)
      return { violations, turnedAway }
    }
  },
}

export const recordEventRace: Race = {
  name: 'one Idempotency-Key on POST /api/v1/decision-events',
  async prepare(setup) {
    const { world } = setup
    const center = await world.center()
    const token = await world.key(center)
    let round = 0
    return async (contenders) => {
      const tag = `race-${++round}`
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', '/api/v1/decision-events', {
          token,
          body: sampleEvent({ tags: [tag] }),
          headers: { 'idempotency-key': tag },
        }),
      )
      const { check, violations } = judge()
      checkReplays(check, answers)
      const [effect] = await world.query<{ n: number }>(
        'select count(*)::int as n from cell.decision_events where center_id = $1 and tags @> array[$2]',
        [center.id, tag],
      )
      check(effect?.n === 1, `${effect?.n} events`)
      return { violations, turnedAway }
    }
  },
}

export const bodyKeyRace: Race = {
  name: 'one idempotencyKey in the body of POST /api/v1/decision-events',
  async prepare(setup) {
    const { world } = setup
    const center = await world.center()
    const token = await world.key(center)
    let round = 0
    return async (contenders) => {
      const idempotencyKey = `race-${++round}`
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (client) =>
        client.call('POST', '/api/v1/decision-events', { token, body: sampleEvent({ idempotencyKey }) }),
      )
      const { check, violations } = judge()
      const created = answers.filter(({ status }) => status === 201)
      check(created.length === 1, `${created.length} answers with 201`)
      check(
        answers.every(({ status }) => status === 200 || status === 201),
        `answers ${countBy(answers)}`,
      )
      check(new Set(answers.map(({ text }) => text)).size === 1, 'the answers differ')
      const [effect] = await world.query<{ n: number }>(
        'select count(*)::int as n from cell.decision_events where center_id = $1 and decision_id = $2',
        [center.id, idempotencyKey],
      )
      check(effect?.n === 1, `${effect?.n} events`)
      return { violations, turnedAway }
    }
  },
}
