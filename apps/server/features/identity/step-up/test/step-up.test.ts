import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Device, passkeyLogin, registerPasskey } from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'

const path = '/api/auth/step-up'
let server: TestServer
let beside: TestServer
let center: Center
let admin: Person
let token: string

beforeAll(async () => {
  server = await startServer({ env: { RATE_LIMIT_LOGIN: '5/900' } })
  beside = await startServer({ beside: server })
})
afterAll(async () => {
  await beside.close()
  await server.close()
})
beforeEach(async () => {
  center = await server.world.center()
  admin = await server.world.person()
  await server.world.member(admin, center, 'ADMIN')
  token = (await server.signIn(admin, center.domain)).accessToken
})

const sidOf = (accessToken: string) =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid
async function age(accessToken = token) {
  const sid = sidOf(accessToken)
  await server.world.query(`update directory.sessions set signed_in_at = now() - interval '20 days' where id = $1`, [
    sid,
  ])
  for (const each of [server, beside]) each.services.authenticate.forget(`session:${sid}`)
}
const change = (at = server, as = token) =>
  at.call('POST', '/api/policies', { token: as, body: { name: 'A policy', match: {}, guards: { humanReview: true } } })
const stepUp = (body: unknown, as = token, headers = {}) => server.call('POST', path, { token: as, body, headers })
const challenge = async (as = token) => (await server.call('POST', `${path}/options`, { token: as })).body.data
const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [status, body.error?.code]

describe('200', () => {
  it('by password, for this session and no other', async () => {
    await age()
    const other = (await server.signIn(admin, center.domain)).accessToken
    await age(other)
    expect((await change()).status).toBe(403)
    expect((await stepUp({ password: admin.password })).body.data.steppedUpAt).toMatch(/Z$/)
    expect((await change()).status).toBe(201)
    expect((await change(server, other)).status).toBe(403)
  })

  it('in another process at once', async () => {
    await age()
    expect((await change(beside)).status).toBe(403)
    await stepUp({ password: admin.password })
    expect((await change(beside)).status).toBe(201)
  })

  it('for 15 minutes', async () => {
    await age()
    await stepUp({ password: admin.password })
    // The access token of the test is young enough for this clock.
    const restore = useClock(() => Date.now() + 14 * 60_000)
    expect((await change()).status).toBe(201)
    restore()
    await server.world.query(
      `update directory.sessions set stepped_up_at = now() - interval '901 seconds' where id = $1`,
      [sidOf(token)],
    )
    server.services.authenticate.forget(`session:${sidOf(token)}`)
    expect((await change()).status).toBe(403)
  })

  it('stays when the session enters another center', async () => {
    const second = await server.world.center()
    await server.world.member(admin, second, 'ADMIN')
    await age()
    await stepUp({ password: admin.password })
    const body = { centerId: second.id }
    const entered = (await server.call('POST', '/api/auth/switch-center', { token, body })).body.data.accessToken
    expect((await change(server, entered)).status).toBe(201)
  })

  it('is in the audit of the center', async () => {
    await stepUp({ password: admin.password })
    const [entry] = await server.world.query<{ details: object }>(
      `select details from directory.audit_entries where center_id = $1 and type = 'session.changed' and details ->> 'action' = 'step_up'`,
      [center.id],
    )
    expect(entry?.details).toMatchObject({ by: 'password' })
  })
})

describe('by passkey', () => {
  let device: Device
  let handle: string
  beforeEach(async () => {
    ;({ device, handle } = await registerPasskey(server, token))
    await age()
  })

  it('which signs a statement about this session', async () => {
    const { statement, publicKey } = await challenge()
    expect(statement).toMatchObject({ type: 'countersign-step-up-v1', actorId: admin.actorId })
    expect(statement.sid).toMatch(/^ses_/)
    const assertion = device.answer(publicKey.challenge)
    expect((await stepUp({ assertion })).status).toBe(200)
    expect((await change()).status).toBe(201)
    expect(outcome(await stepUp({ assertion }))).toEqual([409, 'CONFLICT'])
  })

  it('not with the challenge of another session, of a sign-in or of a registration', async () => {
    const other = (await server.signIn(admin, center.domain)).accessToken
    const foreign = device.answer((await challenge(other)).publicKey.challenge)
    const login = (await server.call('POST', '/api/auth/passkeys/login/options')).body.data.publicKey.challenge
    for (const assertion of [foreign, device.answer(login)]) {
      expect(outcome(await stepUp({ assertion }))).toEqual([409, 'CONFLICT'])
    }
    expect((await change()).status).toBe(403)
  })

  it('not of another person, and not with a false signature', async () => {
    const stranger = await server.world.person()
    const strangersToken = (await server.signIn(stranger)).accessToken
    const { device: theirs } = await registerPasskey(server, strangersToken)
    const answers = [
      theirs.answer((await challenge()).publicKey.challenge),
      { ...device.answer((await challenge()).publicKey.challenge), signature: 'MEQCIA' },
    ]
    for (const assertion of answers) expect((await stepUp({ assertion })).status).toBeGreaterThanOrEqual(400)
    expect((await change()).status).toBe(403)
  })

  it('and a sign-in by passkey counts as a sign-in', async () => {
    const signedIn = await passkeyLogin(server, { device, handle }, { centerDomain: center.domain })
    expect((await change(server, signedIn.body.data.accessToken)).status).toBe(201)
  })
})

describe('refused', () => {
  it.each([
    ['nothing', {}],
    ['both', { password: 'x', assertion: { id: 'a', authenticatorData: 'a', clientDataJSON: 'a', signature: 'a' } }],
    ['another member', { password: 'x', more: 1 }],
  ])('400 for %s', async (_, body) => {
    expect(outcome(await stepUp(body))).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('401 without a session', async () => {
    expect(outcome(await server.call('POST', path, { body: { password: 'x' } }))).toEqual([401, 'UNAUTHORIZED'])
    expect(outcome(await server.call('POST', `${path}/options`))).toEqual([401, 'UNAUTHORIZED'])
  })

  it('401 for a wrong password, and 429 after five, for the person and not for others at the same address', async () => {
    await age()
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(outcome(await stepUp({ password: 'wrong' }))).toEqual([401, 'INVALID_CREDENTIALS'])
    }
    const again = (await server.signIn(admin, center.domain)).accessToken
    expect((await stepUp({ password: admin.password }, again)).status).toBe(429)
    expect((await change()).status).toBe(403)
    const other = await server.world.person()
    const { accessToken } = await server.signIn(other)
    expect((await stepUp({ password: other.password }, accessToken)).status).toBe(200)
  })

  it('409 for a challenge without a passkey', async () => {
    expect(outcome(await server.call('POST', `${path}/options`, { token }))).toEqual([409, 'CONFLICT'])
  })
})
