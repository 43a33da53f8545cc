/** The stops in all centers of a partner, whoever made them, in one list. */
import { newUuid } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Partner, Person } from '../../../../../../tests/support/world.ts'
import { liftInAll, stopInAll } from '../../../evidence/freezes/api.ts'

let server: TestServer
let partner: Partner
let boss: Person
let centers: readonly [Center, Center]
let token: string

beforeAll(async () => {
  server = await startServer()
  partner = await server.world.partner()
  boss = await server.world.person()
  await server.world.account(boss, partner)
  centers = [await server.world.center({ partner }), await server.world.center({ partner })]
  token = (await server.signIn(boss)).accessToken
})
afterAll(() => server.close())

const list = async (as = token) => {
  const { status, body } = await server.call('GET', '/api/partner/freezes', { token: as })
  expect(status).toBe(200)
  return body.data
}
const stop = async (center: Center, body: object) =>
  (await server.call('POST', `/api/partner/centers/${center.id}/freezes`, { token, body })).body.data.id
const lift = (center: Center, id: string, reason: string) =>
  server.call('POST', `/api/partner/centers/${center.id}/freezes/${id}/lift`, { token, body: { reason } })

it('lists what the partner and its centers stopped, with who and where, and what was lifted', async () => {
  expect(await list()).toEqual({ inForce: [], lifted: [], unreachable: [] })
  const admin = await server.world.person()
  await server.world.member(admin, centers[1], 'ADMIN')
  const own = await server.signIn(admin, centers[1].domain)
  await server.call('POST', '/api/freezes', {
    token: own.accessToken,
    body: { actionTypes: ['refund'], reason: 'Wrong sums' },
  })
  const first = await stop(centers[0], { actorId: 'agent-1', reason: 'Three times the same' })

  const { inForce, lifted } = await list()
  expect(lifted).toEqual([])
  expect(inForce).toEqual([
    expect.objectContaining({
      ...{ id: first, actorId: 'agent-1', rank: 'partner', centerId: centers[0].id, centerName: expect.any(String) },
      ...{ madeBy: boss.actorId, madeByName: expect.any(String), liftedAt: null, liftedByName: null },
    }),
    expect.objectContaining({
      ...{ actionTypes: ['refund'], rank: 'center', centerId: centers[1].id, madeBy: admin.actorId },
      madeByName: expect.any(String),
    }),
  ])

  expect((await lift(centers[0], first, 'It was a test')).status).toBe(200)
  const after = await list()
  expect(after.inForce).toHaveLength(1)
  expect(after.lifted).toEqual([
    expect.objectContaining({ id: first, liftReason: 'It was a test', liftedByName: inForce[0].madeByName }),
  ])
})

it("shows nothing of another partner's centers, and everything to a PARTNER_OPERATOR", async () => {
  const [other, reader] = [await server.world.person(), await server.world.person()]
  await server.world.account(other, await server.world.partner())
  await server.world.account(reader, partner, 'PARTNER_OPERATOR')
  const reason = newUuid()
  const id = await stop(centers[0], { center: true, reason })
  const foreign = await list((await server.signIn(other)).accessToken)
  expect(foreign).toEqual({ inForce: [], lifted: [], unreachable: [] })
  const read = await list((await server.signIn(reader)).accessToken)
  expect(read.inForce.map((each: { id: string }) => each.id)).toContain(id)
  // Another partner's center can't be named to lift it either.
  expect((await lift(await server.world.center(), id, 'Mine?')).status).toBe(404)
  await lift(centers[0], id, 'Done')
})

it("lists the operator's stop of all centers once, without a center", async () => {
  const { id, changed } = await stopInAll(server.services.cells, { actionTypes: ['wire.*'] }, 'A bad release')
  expect(changed).toEqual(server.services.cells.all.map(({ name }) => name))
  const shared = { id, rank: 'operator', centerId: null, centerName: null, madeBy: 'operator', madeByName: null }
  const found = (await list()).inForce.filter((each: { id: string }) => each.id === id)
  expect(found).toEqual([expect.objectContaining({ ...shared, historyIndex: null })])
  await liftInAll(server.services.cells, id, 'Mended')
  expect((await list()).lifted[0]).toMatchObject({ ...shared, liftedBy: 'operator', liftReason: 'Mended' })
})
