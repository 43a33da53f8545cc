import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Person } from '../../../../../../tests/support/world.ts'

let server: TestServer
let mailbox: Mailbox

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

const next = 'plum-lantern-42-harbor'
const tokenOf = async (person: Person) => (await server.signIn(person)).accessToken
const change = (password: unknown, token?: string) =>
  server.call('POST', '/api/auth/me/password', { body: { password }, ...(token && { token }) })
const isAlive = async (token: string) => (await server.call('GET', '/api/auth/me', { token })).status === 200

describe('204', () => {
  it('the new password signs in, other sessions end at once, this one goes on, and the person is told', async () => {
    const person = await server.world.person()
    const [here, elsewhere] = [await tokenOf(person), await tokenOf(person)]
    await server.call('POST', '/api/auth/password/forgot', { body: { email: person.email } })
    const reset = await mailbox.token(person.email, 'csp')
    expect((await change(next, here)).status).toBe(204)
    expect([await isAlive(here), await isAlive(elsewhere)]).toEqual([true, false])
    const login = (password: string) =>
      server.call('POST', '/api/auth/login', { body: { email: person.email, password } })
    expect([(await login(next)).status, (await login(person.password)).status]).toEqual([200, 401])
    const body = { token: reset, password: 'another-password-77' }
    expect((await server.call('POST', '/api/auth/password/reset', { body })).status).toBe(401)
    await server.services.mail.close()
    expect(mailbox.messages.findLast(({ to }) => to.includes(person.email))?.text).toContain('password was changed')
  })

  it('of two sessions that change it at once, one ends the other', async () => {
    const person = await server.world.person()
    const tokens = [await tokenOf(person), await tokenOf(person)]
    const answers = await Promise.all(tokens.map((token, n) => change(`${next}-${n}`, token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401])
    const winner = answers.findIndex(({ status }) => status === 204)
    const body = { email: person.email, password: `${next}-${winner}` }
    expect((await server.call('POST', '/api/auth/login', { body })).status).toBe(200)
  })
})

it('400 for a password that a stranger could guess, or that is none', async () => {
  const person = await server.world.person()
  const token = await tokenOf(person)
  for (const weak of ['short', 'password1234', person.email, ' '.repeat(12), 12, null])
    expect([weak, (await change(weak, token)).status]).toEqual([weak, 400])
})

it('401 without a session, 403 for one that has grown old', async () => {
  expect((await change(next)).status).toBe(401)
  const person = await server.world.person()
  const token = await tokenOf(person)
  await server.world.query(
    `update directory.sessions set signed_in_at = now() - interval '6 minutes' where actor_id = $1`,
    [person.actorId],
    true,
  )
  server.services.authenticate.forget(`actor:${person.actorId}`)
  const { status, body } = await change(next, token)
  expect([status, body.error.details.reason]).toEqual([403, 'stepUp'])
})

it('another tenant: nobody else has a new password', async () => {
  const [person, other] = [await server.world.person(), await server.world.person()]
  const token = await tokenOf(other)
  await change(next, await tokenOf(person))
  expect([await isAlive(token), (await server.signIn(other)).accessToken !== '']).toEqual([true, true])
})
