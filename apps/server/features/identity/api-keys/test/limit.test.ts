import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center } from '../../../../../../tests/support/world.ts'

const path = '/api/api-keys'
const most = 3
let server: TestServer

beforeAll(async () => {
  server = await startServer({ env: { MAX_API_KEYS_PER_CENTER: String(most) } })
})
afterAll(() => server.close())

async function newAdmin() {
  const center = await server.world.center()
  const person = await server.world.person()
  await server.world.member(person, center, 'ADMIN')
  const { accessToken: token } = await server.signIn(person)
  const create = () => server.call('POST', path, { token, body: { name: 'k', scopes: ['proof:read'] } })
  return { center, token, create }
}

const live = async ({ id }: Center) =>
  (
    await server.world.query(
      'select from directory.api_keys where center_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())',
      [id],
    )
  ).length

it('admits one of fifty concurrent requests for the last key', async () => {
  const { center, create } = await newAdmin()
  for (let n = 1; n < most; n++) expect((await create()).status).toBe(201)
  const answers = await Promise.all(Array.from({ length: 50 }, create))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const refused = answers.filter(({ status }) => status === 403)
  expect(refused).toHaveLength(49)
  expect(refused[0]?.body.error).toEqual({
    code: 'FORBIDDEN',
    message:
      "This center already has 3 active API keys, the maximum. Revoke one you don't need, or ask the operator for more.",
    details: { reason: 'maxKeys' },
  })
  expect(await live(center)).toBe(most)
})

it('counts neither revoked nor expired keys, nor those of another center', async () => {
  const { center, token, create } = await newAdmin()
  const made = []
  for (let n = 0; n < most; n++) made.push((await create()).body.data)
  expect((await create()).status).toBe(403)
  expect((await (await newAdmin()).create()).status).toBe(201)
  await server.call('DELETE', `${path}/${made[0].id}`, { token })
  expect((await create()).status).toBe(201)
  expect((await create()).status).toBe(403)
  await server.world.query(
    `update directory.api_keys set expires_at = now() - interval '1 second' where center_id = $1 and prefix = $2`,
    [center.id, made[1].prefix],
  )
  expect((await create()).status).toBe(201)
  expect((await create()).status).toBe(403)
})
