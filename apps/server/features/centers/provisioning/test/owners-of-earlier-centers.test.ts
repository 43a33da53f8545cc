/** The migration that gives centers an owner, on centers that were founded before it. */
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'

const file = readFileSync(new URL('../../../../database/directory/0040_strangers.sql', import.meta.url), 'utf8')
const [backfill = ''] =
  /alter table directory\.centers no force[\s\S]*actors force row level security;/.exec(file) ?? []
let server: TestServer

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

it('a center that a person ordered for themselves belongs to them; one of a partner or an operator to nobody', async () => {
  const { world } = server
  const ordered = async (options: Parameters<typeof world.person>[0] = {}) => {
    const person = await world.person(options)
    const { accessToken } = await server.signIn(person)
    const name = `earlier-${person.actorId.slice(-12)}`
    const { body } = await server.call('POST', '/api/provisioning/center-tenant', {
      token: accessToken,
      body: {
        centerName: 'A center',
        subdomain: name,
        planId: 'center-starter',
        orderId: name,
        adminActorId: person.actorId,
      },
    })
    return { id: body.data.center.id as number, actorId: person.actorId }
  }
  const made = [await ordered(), await ordered({ partner: true }), await ordered({ operator: true })] as const
  const owners = async () =>
    (
      await world.query<{ owner_id: string | null }>(
        'select owner_id from directory.centers where id = any ($1) order by id',
        [made.map(({ id }) => id)],
      )
    ).map(({ owner_id }) => owner_id)
  expect(await owners()).toEqual([made[0].actorId, null, null])
  await world.query('update directory.centers set owner_id = null')
  await world.query(`begin; set local role cs_owner; ${backfill} commit`)
  expect(await owners()).toEqual([made[0].actorId, null, null])
})
