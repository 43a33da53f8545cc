/** The views of the inbox: my turn, soon mine, I am informed, I asked. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { type Colleague, type Office, openOffice, putApproval } from './fixture.ts'

let server: TestServer
let office: Office
let teacher: Colleague
let other: Colleague
beforeAll(async () => {
  server = await startServer()
  office = await openOffice(server)
  ;[teacher, other] = [await office.join('INSTRUCTOR'), await office.join('INSTRUCTOR')]
})
afterAll(() => server.close())

const inbox = async ({ token }: Colleague, view: string) => {
  const { body } = await server.call('GET', `/api/console/inbox?view=${view}`, { token })
  expect(body.counts[view] ?? body.counts.waiting).toBe(body.pagination.total)
  return body.data.map(({ eventId }: { eventId: string }) => eventId)
}
const views = ['turn', 'soon', 'informed', 'asked'] as const
/** In which views of this person the decision is. */
const where = async (who: Colleague, id: string) => {
  const found = await Promise.all(views.map(async (view) => ((await inbox(who, view)).includes(id) ? [view] : [])))
  return found.flat()
}
const typed = (type: string, more = {}) => ({ action: { type, input: {} }, ...more })

describe('a decision under a line', () => {
  it('is of those whose turn it is, and soon of those who come later', async () => {
    const { admin } = office
    const steps = [{ actorIds: [teacher.id] }, { actorIds: [admin.id] }]
    await office.policy({ match: { actionTypes: ['line.*'] }, approval: { steps } })
    const { id } = await office.record(typed('line.one'))
    const seen = async () => [await where(teacher, id), await where(admin, id), await where(other, id)]
    expect(await seen()).toEqual([['turn'], ['soon'], []])
    await putApproval(server, office, id, teacher)
    expect(await seen()).toEqual([[], ['turn'], []])
    // All of them see it among all that wait.
    for (const who of [teacher, admin, other]) expect(await inbox(who, 'all')).toContain(id)
  })

  it('is of the deputy of an absent member', async () => {
    const absent = await office.join('ADMIN')
    await office.policy({ match: { actionTypes: ['absent.*'] }, approval: { steps: [{ actorIds: [absent.id] }] } })
    const { id } = await office.record(typed('absent.one'))
    expect(await where(other, id)).toEqual([])
    await office.deputy(absent, other)
    expect([await where(other, id), await where(absent, id)]).toEqual([['turn'], ['turn']])
  })

  it('is no turn of its own actor, who asked for it, also once it is closed', async () => {
    const { admin } = office
    await office.policy({ match: { actionTypes: ['own.*'] }, approval: { identity: 'session' } })
    const { id } = await office.record(typed('own.one', { actor: { id: teacher.id, type: 'human' } }))
    expect([await where(teacher, id), await where(other, id)]).toEqual([['asked'], ['turn']])
    expect((await office.decide(admin, id)).status).toBe(200)
    expect([await where(teacher, id), await where(other, id)]).toEqual([['asked'], []])
    const { body } = await server.call('GET', '/api/console/inbox?view=asked', { token: teacher.token })
    expect(body.data[0]).toMatchObject({ eventId: id, status: 'sealed', expiresAt: null, reasons: [] })
  })
})

it('is of the member who made the key that recorded it', async () => {
  const key = await server.world.key(office.center, { scopes: ['proof:write'] })
  await server.world.query(
    'update directory.api_keys set created_by = $1 where center_id = $2 and created_at = (select max(created_at) from directory.api_keys where center_id = $2)',
    [teacher.id, office.center.id],
  )
  await office.policy({ match: { actionTypes: ['keyed.*'] }, approval: { actorIds: [office.admin.id] } })
  const recorded = await server.call('POST', '/api/v1/decision-events', {
    token: key,
    body: sampleEvent(typed('keyed.one')),
  })
  const { id } = recorded.body.data
  expect([await where(teacher, id), await where(other, id)]).toEqual([['asked'], []])
})

describe('a decision of which somebody is informed', () => {
  it("is in their list once it is sealed or refused, and in nobody else's", async () => {
    const { admin } = office
    const inform = { actorIds: [teacher.id] }
    await office.policy({ match: { actionTypes: ['told.*'] }, approval: { roles: ['ADMIN'], inform } })
    const [one, two] = [await office.record(typed('told.one')), await office.record(typed('told.two'))]
    expect(await where(teacher, one.id)).toEqual([])
    expect((await office.decide(admin, one.id)).status).toBe(200)
    expect((await office.decide(admin, two.id, { result: 'rejected', reason: 'No.' })).status).toBe(200)
    expect([await where(teacher, one.id), await where(teacher, two.id)]).toEqual([['informed'], ['informed']])
    expect(await where(other, one.id)).toEqual([])

    const listed = async (query: string, token = teacher.token) => {
      const { body } = await server.call('GET', `/api/decisions?informed=true${query}`, { token })
      expect(body.data.length).toBe(body.pagination.total)
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await listed('')).toEqual([two.id, one.id])
    expect(await listed('&status=sealed')).toEqual([one.id])
    expect(await listed('&tag=none')).toEqual([])
    expect(await listed('&waiting=true')).toEqual([])
    expect(await listed('', other.token)).toEqual([])
    const { body } = await server.call('GET', '/api/decisions?informed=true', { token: teacher.token })
    expect(body.counts).toEqual({ byStatus: { recorded: 0, approved: 0, sealed: 1, rejected: 1 }, waiting: 0 })
    const elsewhere = await openOffice(server)
    expect(await listed('', elsewhere.admin.token)).toEqual([])
  })

  it('is found by role', async () => {
    await office.policy({
      match: { actionTypes: ['role.*'] },
      approval: { roles: ['ADMIN'], inform: { roles: ['INSTRUCTOR'] } },
    })
    const { id } = await office.record(typed('role.one'))
    expect((await office.decide(office.admin, id)).status).toBe(200)
    expect([await where(teacher, id), await where(other, id), await where(office.admin, id)]).toEqual([
      ['informed'],
      ['informed'],
      [],
    ])
  })
})

it('400 for another view and for programs that ask for what they are informed of; 403, 401', async () => {
  const { token } = teacher
  for (const path of ['/api/console/inbox?view=mine', '/api/decisions?informed=false']) {
    const { status, body } = await server.call('GET', path, { token })
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
  }
  const byKey = await server.call('GET', '/api/v1/decision-events?informed=true', { token: office.key })
  expect(byKey.status).toBeGreaterThanOrEqual(400)
  const parent = await office.join('PARENT')
  const lower = await server.call('GET', '/api/console/inbox?view=turn', { token: parent.token })
  expect([lower.status, lower.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
  expect((await server.call('GET', '/api/console/inbox?view=turn', {})).status).toBe(401)
})
