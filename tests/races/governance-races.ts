/** Concurrent raises of one DPU, concurrent changes of one policy, and seals during policy changes. */
import type { Client } from '../support/client.ts'
import type { Answer } from '../support/contract-check.ts'
import type { Center, World } from '../support/world.ts'
import { allAtOnce, countBy, judge, type Race } from './race-setup.ts'

async function fixture(world: World, client: Client) {
  const [admin, center] = [await world.person(), await world.center()]
  await world.member(admin, center, 'ADMIN')
  return { center, token: (await client.signIn(admin, center.domain)).accessToken, key: await world.key(center) }
}

const made = async (client: Client, path: string, token: string, body: object): Promise<string> =>
  (await client.call('POST', path, { token, body })).body.data.id

export const raiseRace: Race = {
  name: 'concurrent raises of one DPU',
  async prepare(setup) {
    const { world, clients } = setup
    const client = clients[0] as Client
    const { center, token } = await fixture(world, client)
    let entries = 0
    return async (contenders) => {
      const id = await made(client, '/api/dpu/demo', token, {})
      const { check, violations } = judge()
      let away = 0
      for (const [evidenceLevel, no] of [
        ['DOCUMENTED', 'INVALID_EVIDENCE_LEVEL'],
        ['AUDIT_READY', 'DPU_SEALED'],
      ] as const) {
        const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) =>
          each.call('PUT', `/api/dpu/${id}`, { token, body: { evidenceLevel } }),
        )
        away += turnedAway
        const winners = answers.filter(({ status }) => status === 200)
        check(winners.length === 1, `${winners.length} raised it to ${evidenceLevel}: ${countBy(answers)}`)
        const losers = answers.filter(({ body }) => body.error?.code === no)
        check(winners.length + losers.length === answers.length, `answers ${countBy(answers)}`)
        entries += 1
      }
      const [rows] = await world.query<{ entries: number; audited: number }>(
        `select (select count(*)::int from cell.chain_entries where center_id = $1 and domain = 'history'
             and content::json ->> 'type' = 'level') as entries,
           (select count(*)::int from cell.audit_entries where center_id = $1 and details ->> 'action' = 'level') as audited`,
        [center.id],
      )
      check(rows?.entries === entries && rows.audited === entries, `${JSON.stringify(rows)} after ${entries} raises`)
      return { violations, turnedAway: away }
    }
  },
}

export const policyRace: Race = {
  name: 'concurrent changes of one policy',
  async prepare(setup) {
    const { world, clients } = setup
    const client = clients[0] as Client
    const { token } = await fixture(world, client)
    return async (contenders) => {
      const id = await made(client, '/api/policies', token, { name: 'p', match: {}, guards: { humanReview: true } })
      let next = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, (each) =>
        each.call('PATCH', `/api/policies/${id}`, { token, body: { name: `by contender ${next++}` } }),
      )
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => status === 200),
        `answers ${countBy(answers)}`,
      )
      const versions = answers.map(({ body }) => body.data.version as number).toSorted((a, b) => a - b)
      check(
        versions.every((version, at) => version === at + 2),
        `versions ${versions.join(' ')}`,
      )
      const { body } = await client.call('GET', `/api/policies/${id}/versions`, { token })
      const kept = new Map(body.data.map((each: { version: number; name: string }) => [each.version, each.name]))
      check(kept.size === answers.length + 1, `${kept.size} versions after ${answers.length} changes`)
      // Every author's change is stored under the version that the answer named: no update was lost.
      check(
        answers.every((answer) => kept.get(answer.body.data.version) === answer.body.data.name),
        'a stored version differs from the answer to its author',
      )
      await client.call('DELETE', `/api/policies/${id}`, { token })
      return { violations, turnedAway }
    }
  },
}

interface Sealed {
  readonly sealed_at: string
  readonly version: number
}

/** Every seal names the policy version in force at its time: not an earlier and not a later one. */
async function misnamed(world: World, center: Center): Promise<string[]> {
  const versions = await world.query<{ version: number; at: string }>(
    `select version, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
     from cell.policy_versions where center_id = $1 order by version`,
    [center.id],
  )
  const began = new Map(versions.map(({ version, at }) => [version, at]))
  const seals = await world.query<Sealed>(
    `select sealed_at, (content::json -> 'policies' -> 0 ->> 'version')::int as version
     from cell.chain_entries where center_id = $1 and domain = 'proof' order by idx`,
    [center.id],
  )
  return seals.flatMap(({ sealed_at, version }) => {
    const [from, until] = [began.get(version) ?? '', began.get(version + 1) ?? '9999']
    return from <= sealed_at && sealed_at <= until ? [] : [`sealed at ${sealed_at} under version ${version} of ${from}`]
  })
}

export const policyOrderRace: Race = {
  name: 'policy changes during decisions',
  async prepare(setup) {
    const { world, clients } = setup
    const client = clients[0] as Client
    const { center, token, key } = await fixture(world, client)
    const id = await made(client, '/api/policies', token, { name: 'p', match: {}, guards: { riskThreshold: 1 } })
    return async (contenders) => {
      let turn = 0
      const { answers, turnedAway } = await allAtOnce(setup, contenders, async (each): Promise<Answer> => {
        if (turn++ % 5 === 0) {
          return each.call('PATCH', `/api/policies/${id}`, { token, body: { name: `p ${turn}` } })
        }
        const body = { agent: { id: 'a' }, action: { type: 'x' }, riskScore: 0 }
        return each.call('POST', '/api/v1/agents/decide', { token: key, body })
      })
      const { check, violations } = judge()
      check(
        answers.every(({ status }) => status === 200 || status === 201),
        `answers ${countBy(answers)}`,
      )
      for (const fault of await misnamed(world, center)) check(false, fault)
      return { violations, turnedAway }
    }
  },
}
