import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Mailbox, openMailbox } from '../../../../../../tests/support/mailbox.ts'
import {
  countingPasskey,
  passkeyLogin,
  type Registered,
  registerPasskey,
} from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

let server: TestServer
let mailbox: Mailbox
let center: Center
let admin: Person
let second: Person
let key: Registered

beforeAll(async () => {
  mailbox = await openMailbox()
  server = await startServer({ env: { SMTP_URL: mailbox.url } })
  center = await server.world.center()
  ;[admin, second] = [await member('ADMIN'), await member('ADMIN')]
  key = await countingPasskey(server, admin, center, second)
})
afterAll(async () => {
  await server.close()
  await mailbox.close()
})

async function member(role: string, where = center): Promise<Person> {
  const person = await server.world.person()
  await server.world.member(person, where, role)
  return person
}
const path = (where = center) => `/api/centers/${where.domain}/admin-passkeys`
const byPassword = async (person: Person, where = center) => (await server.signIn(person, where.domain)).accessToken
const byPasskey = async (registered: Registered, where = center): Promise<string> =>
  (await passkeyLogin(server, registered, { centerDomain: where.domain })).body.data.accessToken
const set = (token: string | undefined, required: unknown, where = center) =>
  server.call('PUT', path(where), { ...(token && { token }), body: { required } })
const outcome = ({ status, body }: Awaited<ReturnType<typeof set>>) =>
  body.error ? [status, body.error.code, body.error.details] : [status]
const asked = [403, 'FORBIDDEN', { reason: 'stepUp', by: 'passkey' }]
const members = (token: string, where = center) => server.call('GET', `/api/centers/${where.domain}/members`, { token })

/** A center that asks, with the ADMIN who turned it on. */
async function asking() {
  const where = await server.world.center()
  const [one, other] = [await member('ADMIN', where), await member('ADMIN', where)]
  const own = await countingPasskey(server, one, where, other)
  expect(outcome(await set(await byPasskey(own, where), true, where))).toEqual([200])
  return { where, one, other, own }
}

describe('adminPasskeys.get and adminPasskeys.set', () => {
  it('whoever has used a passkey that counts turns it on; all ADMINs are told; it is audited', async () => {
    const token = await byPasskey(key)
    expect((await server.call('GET', path(), { token })).body.data).toEqual({
      required: false,
      admins: expect.arrayContaining([
        { actorId: admin.actorId, name: expect.any(String), counts: true },
        { actorId: second.actorId, name: expect.any(String), counts: false },
      ]),
    })
    expect(outcome(await set(await byPassword(admin), true))).toEqual(asked)
    expect((await set(token, true)).body.data).toEqual({ required: true })
    expect((await set(token, true)).status).toBe(200)
    await server.services.mail.sendDue()
    const told = mailbox.messages.filter(({ text }) => /asks? its administrators|패스키를 사용하도록/.test(text))
    expect(told.flatMap(({ to }) => to).toSorted()).toEqual([admin.email, second.email].toSorted())
    const audited = await server.world.query(
      `select details from directory.audit_entries where details ->> 'action' = 'admin_passkeys' and center_id = $1`,
      [center.id],
    )
    expect(audited).toHaveLength(1)
    expect((await set(token, false)).body.data).toEqual({ required: false })
    expect((await members(await byPassword(second))).status).toBe(200)
  })

  it('400 for another value, 401 without a credential, 403 for an INSTRUCTOR, and for an ADMIN of another center', async () => {
    const token = await byPasskey(key)
    expect(outcome(await set(token, 'yes'))).toEqual([400, 'VALIDATION_ERROR', { field: 'required' }])
    expect((await set(undefined, true)).status).toBe(401)
    expect((await server.call('GET', path())).status).toBe(401)
    const instructor = await byPassword(await member('INSTRUCTOR'))
    for (const answer of [await set(instructor, true), await server.call('GET', path(), { token: instructor })])
      expect([answer.status, answer.body.error.code]).toEqual([403, 'INSUFFICIENT_ROLE'])
    const elsewhere = await server.world.center()
    const stranger = await byPassword(await member('ADMIN', elsewhere), elsewhere)
    for (const answer of [await set(stranger, true), await server.call('GET', path(), { token: stranger })])
      expect([answer.status, answer.body.error.code]).toEqual([403, 'NO_MEMBERSHIP'])
  })
})

describe('in a center that asks', () => {
  it('a password is not enough for an ADMIN, in this center or addressed from another; others are not asked', async () => {
    const { where, one, own } = await asking()
    const token = await byPassword(one, where)
    expect(outcome(await members(token, where))).toEqual(asked)
    const elsewhere = await server.world.center()
    await server.world.member(one, elsewhere, 'ADMIN')
    const other = await byPassword(one, elsewhere)
    expect(outcome(await members(other, where))).toEqual(asked)
    expect((await members(other, elsewhere)).status).toBe(200)
    expect((await members(await byPasskey(own, where), where)).status).toBe(200)
    const instructor = await byPassword(await member('INSTRUCTOR', where), where)
    expect((await server.call('GET', `/api/centers/${where.domain}`, { token: instructor })).status).toBe(200)
  })

  it('a step-up by passkey opens the session, one by password does not', async () => {
    const { where, one, own } = await asking()
    const token = await byPassword(one, where)
    await server.call('POST', '/api/auth/step-up', { token, body: { password: one.password } })
    expect(outcome(await members(token, where))).toEqual(asked)
    const { publicKey } = (await server.call('POST', '/api/auth/step-up/options', { token })).body.data
    const assertion = own.device.answer(publicKey.challenge)
    expect((await server.call('POST', '/api/auth/step-up', { token, body: { assertion } })).status).toBe(200)
    expect((await members(token, where)).status).toBe(200)
  })

  it('a stolen password does not help: the passkey that it registers is not confirmed', async () => {
    const { where, one, other, own } = await asking()
    const stolen = await byPassword(other, where)
    const planted = await registerPasskey(server, stolen)
    await server.services.passkeyOutbox.deliver()
    const token = await byPasskey(planted, where)
    expect(outcome(await members(token, where))).toEqual(asked)
    // The person is told who can confirm it, and the ADMIN who can is not that person.
    const standing = await server.call('GET', '/api/auth/passkeys/standing', { token })
    expect(standing.body.data).toMatchObject({ counts: false, confirmers: { by: 'admin' } })
    const confirming = `/api/centers/${where.domain}/members/${other.actorId}/passkeys/${planted.id}/confirm`
    expect((await server.call('POST', confirming, { token: await byPasskey(own, where), body: {} })).status).toBe(200)
    expect((await members(token, where)).status).toBe(200)
    expect(one.actorId).not.toBe(other.actorId)
  })

  it('a passkey that was removed counts no longer, also in a session that it began', async () => {
    const { where, one, other, own } = await asking()
    const [token, first] = [await byPasskey(own, where), await byPassword(one, where)]
    const spare = await registerPasskey(server, first, { older: own.device })
    await server.services.passkeyOutbox.deliver()
    expect((await members(await byPasskey(spare, where), where)).status).toBe(200)
    await server.call('DELETE', `/api/auth/passkeys/${own.id}`, { token: first })
    expect(outcome(await members(token, where))).toEqual(asked)
    expect(other.actorId).not.toBe(one.actorId)
  })

  it('what asks for a step-up asks for a passkey, and stopping asks for none', async () => {
    const { where, one, own } = await asking()
    const token = await byPasskey(own, where)
    const guarded = `/api/centers/${where.domain}/members/${one.actorId}/passkeys/${own.id}/confirm`
    const attempt = async () => outcome(await server.call('POST', guarded, { token, body: {} }))
    expect(await attempt()).toEqual([403, 'FORBIDDEN', { reason: 'ownPasskey' }])
    const restore = useClock(() => Date.now() + 6 * 60_000)
    await server.call('POST', '/api/auth/step-up', { token, body: { password: one.password } })
    expect(await attempt()).toEqual(asked)
    restore()
    const body = { center: true, reason: 'Too many refunds.' }
    const stopped = await server.call('POST', '/api/freezes', { token: await byPassword(one, where), body })
    expect(stopped.status).toBe(201)
  })
})
