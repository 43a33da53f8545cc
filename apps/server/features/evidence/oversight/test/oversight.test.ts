/** What the two operations answer, to whom, and what they refuse. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { useClock } from '../../../../lib/clock.ts'
import { type Colleague, type Office, openOffice } from '../../decisions/test/fixture.ts'
import { countCenter } from '../counter.ts'

let server: TestServer
let office: Office
let instructor: Colleague
let policyId: string

beforeAll(async () => {
  server = await startServer()
  office = await openOffice(server)
  instructor = await office.join('INSTRUCTOR')
  policyId = (await office.policy({ approval: { expiresAfterSeconds: 3600 } })).id
  const made = []
  for (let at = 0; at < 4; at++) made.push((await office.record()).id)
  await server.call('POST', `/api/decisions/${made[0]}/opened`, { token: office.admin.token })
  expect((await office.decide(office.admin, made[0] as string)).status).toBe(200)
  const refusal = { result: 'rejected', reason: 'No.' }
  expect((await office.decide(office.admin, made[1] as string, refusal)).status).toBe(200)
  const restore = useClock(() => Date.now() + 3_700_000)
  await office.runJob().finally(restore)
  await office.record()
  await countCenter(server.services.cells.of('main'), server.services.centers, office.center.id)
})
afterAll(() => server.close())

const ask = (query: string, token = office.admin.token) =>
  server.call('GET', `/api/console/oversight${query}`, { token })

describe('200', () => {
  it('counts approvals, refusals, expiries and what waits, for the center and under a policy', async () => {
    const { body } = await ask('')
    expect(body.data).toMatchObject({ behind: 0, scope: 'center' })
    expect(body.data.points).toHaveLength(13)
    const sums = body.data.points.reduce(
      (all: Record<string, number>, point: Record<string, number>) => ({
        approved: (all.approved ?? 0) + (point.approved ?? 0),
        refused: (all.refused ?? 0) + (point.refused ?? 0),
        seals: (all.seals ?? 0) + (point.seals ?? 0),
      }),
      {},
    )
    expect(sums).toMatchObject({ approved: 1, refused: 1 })
    expect(body.data.points.at(-1)).toMatchObject({ waiting: 1, deliveries: { succeeded: 0, failed: 0 } })
    const own = (await ask(`?policyId=${policyId}&period=month&step=day`)).body.data
    expect(own.points.length).toBeGreaterThan(21)
    expect(own.points.at(-1)).toMatchObject({ waiting: null, seals: null, deliveries: null, appointments: null })
    const groups = (await ask('/groups')).body.data
    expect(groups).toMatchObject({ leftOut: 0, groups: [{ id: policyId, name: 'Plans need a person' }] })
    const people = (await ask('/groups?by=person&period=year')).body.data
    expect(people.groups).toMatchObject([{ id: office.admin.id, approved: 1, refused: 1 }])
    expect(people.groups[0].weeks).toHaveLength(52)
  })

  it('an INSTRUCTOR gets their own, and nothing of others', async () => {
    const { body } = await ask('', instructor.token)
    expect(body.data.scope).toBe('own')
    for (const point of body.data.points)
      expect(point).toMatchObject({ approved: 0, refused: 0, waiting: null, seals: null, deliveries: null })
    expect(body.data.points.at(-1).appointments).toEqual({ attended: 0, missed: 0 })
    expect((await ask(`?actorId=${instructor.id}`, instructor.token)).status).toBe(200)
  })

  it('another center gets nothing for the same IDs', async () => {
    const other = await openOffice(server)
    for (const query of [`?policyId=${policyId}`, `?actorId=${office.admin.id}`]) {
      const { body } = await ask(query, other.admin.token)
      for (const point of body.data.points)
        expect(point).toMatchObject({ approved: 0, refused: 0, expired: 0, asked: 0 })
    }
    expect((await ask('/groups?by=person', other.admin.token)).body.data.groups).toEqual([])
  })
})

describe('400', () => {
  it.each(['?period=decade', '?step=hour', '?weeks=3', '?agentId=', '/groups?by=center', '/groups?of=policy'])(
    '%s',
    async (query) => {
      expect((await ask(query)).status).toBe(400)
    },
  )

  it('more than one of a policy, a person and an agent', async () => {
    const { status, body } = await ask(`?policyId=${policyId}&agentId=x`)
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('403', () => {
  it.each(['actor', 'policy', 'agent'])('an INSTRUCTOR asks about another one: %s', async (what) => {
    const id = { actor: office.admin.id, policy: policyId, agent: 'agent-1' }[what]
    const { status, body } = await ask(`?${what}Id=${id}`, instructor.token)
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('an INSTRUCTOR asks for the groups', async () => {
    expect((await ask('/groups?by=person', instructor.token)).status).toBe(403)
  })
})
