/** The lines of decisions in the answers of the server. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import { openOffice } from './fixture.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const ids = (people: readonly { actorId: string }[]) => people.map(({ actorId }) => actorId).toSorted()

it('shows a member who could fill the places of a decision that waits, and a program only which are filled', async () => {
  const office = await openOffice(server)
  const { id: policyId } = await office.policy({ guards: { dualApproval: true } })
  const [first, second] = [await office.join('INSTRUCTOR'), await office.join('INSTRUCTOR')]
  await office.join('PARENT')
  const { id } = await office.record()
  const asMember = async () =>
    (await server.call('GET', `/api/decisions/${id}`, { token: first.token })).body.data.lines
  const begun = await asMember()
  expect(begun).toMatchObject([{ policyId, version: 1, name: 'Plans need a person', full: false }])
  expect(ids(begun[0].steps[0].people)).toEqual([office.admin.id, first.id, second.id].toSorted())

  expect((await office.decide(first, id)).status).toBe(200)
  const [{ steps }] = await asMember()
  expect(steps).toMatchObject([
    {
      ...{ title: null, delegated: false, identity: 'session', current: true, peopleCount: 2 },
      places: [
        { approval: 0, by: 'role' },
        { approval: null, confirmation: null, by: null },
      ],
    },
  ])
  expect(ids(steps[0].people)).toEqual([office.admin.id, second.id].toSorted())
  const [own] = await server.world.query('select name from directory.actors where id = $1', [second.id])
  expect(steps[0].people).toContainEqual({ actorId: second.id, name: own?.name })

  const [line] = (await office.read(id)).lines
  expect(line.steps[0]).toMatchObject({ people: [], peopleCount: 0, places: [{ approval: 0 }, { approval: null }] })

  // Who leaves no longer fills a place, and is no longer named.
  await server.world.query("update directory.memberships set status = 'SUSPENDED' where actor_id = $1", [first.id])
  const asAdmin = await server.call('GET', `/api/decisions/${id}`, { token: office.admin.token })
  expect(asAdmin.body.data.lines[0].steps[0].struck).toEqual([0])
  expect(asAdmin.body.data.lines[0].steps[0].places).toEqual([
    { approval: null, confirmation: null, by: null },
    { approval: null, confirmation: null, by: null },
  ])
})

it('shows the steps of a line, and nobody of another center', async () => {
  const [office, other] = [await openOffice(server), await openOffice(server)]
  const teacher = await office.join('INSTRUCTOR')
  await other.join('INSTRUCTOR')
  const approval = {
    steps: [
      { title: '담당', roles: ['INSTRUCTOR'] },
      { title: '원장', actorIds: [office.admin.id], identity: 'passkey', delegated: true },
    ],
  }
  await office.policy({ approval })
  const { id } = await office.record()
  const { lines } = (await server.call('GET', `/api/decisions/${id}`, { token: teacher.token })).body.data
  expect(lines[0].steps).toMatchObject([
    { title: '담당', current: true, identity: 'session', people: [{ actorId: teacher.id }], peopleCount: 1 },
    { title: '원장', current: false, identity: 'passkey', delegated: true, people: [{ actorId: office.admin.id }] },
  ])
})

it('shows no line where no policy asks', async () => {
  const office = await openOffice(server)
  const { id } = await office.record()
  expect((await office.read(id)).lines).toEqual([])
  expect((await office.decide(office.admin, id)).status).toBe(200)
  expect((await office.read(id)).lines).toEqual([])
})
