import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  beginRegistration,
  passkeyLogin,
  type Registered,
  registerPasskey,
  testDevice,
} from '../../../../../../tests/support/passkeys.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'

const path = '/api/auth/passkeys/login'
let server: TestServer
let center: Center
let person: Person
let own: Registered

beforeAll(async () => {
  server = await startServer()
  center = await server.world.center()
  person = await server.world.person()
  await server.world.member(person, center, 'INSTRUCTOR')
  own = await registerPasskey(server, (await server.signIn(person, center.domain)).accessToken)
})
afterAll(() => server.close())

const challenge = async (): Promise<string> =>
  (await server.call('POST', `${path}/options`)).body.data.publicKey.challenge

const answerOf = ({ device, handle }: Registered, asked: string) => ({ ...device.answer(asked), userHandle: handle })

const send = async (assertion: object, body: object = {}) => {
  const answer = await server.call('POST', path, { body: { assertion, ...body } })
  return [answer.status, answer.body.error?.code]
}
const refused = [401, 'INVALID_CREDENTIALS']

describe('200', () => {
  it('answers and sets cookies as sign-in by password does', async () => {
    const body = { centerDomain: center.domain }
    const byKey = await passkeyLogin(server, own, body)
    const { answer: byPassword } = await server.signIn(person, center.domain)
    const plain = ({ body: { data } }: typeof byKey) => ({ ...data, accessToken: '', refreshToken: '' })
    expect([byKey.status, plain(byKey)]).toEqual([200, plain(byPassword)])
    const cookies = ({ headers }: typeof byKey) => headers.getSetCookie().map((line) => line.replace(/=[^;]*/, ''))
    expect(cookies(byKey)).toEqual(cookies(byPassword))
    const me = await server.call('GET', '/api/auth/me', { token: byKey.body.data.accessToken })
    expect(me.body.data.actorId).toBe(person.actorId)
  })

  it('is audited with the passkey, and notes the use', async () => {
    await passkeyLogin(server, own)
    const [entry] = await server.world.query<{ details: object }>(
      `select details from directory.audit_entries where type = 'session.changed' and actor_id = $1
       order by occurred_at desc, id desc limit 1`,
      [person.actorId],
    )
    expect(entry?.details).toEqual({ action: 'start', passkey: own.id })
    const { accessToken: token } = await server.signIn(person)
    const [shown] = (await server.call('GET', '/api/auth/passkeys', { token })).body.data
    expect(shown.lastUsedAt).not.toBeNull()
  })
})

describe('403 and 404 as for a password', () => {
  it.each([
    ['SUSPENDED', 'MEMBERSHIP_SUSPENDED'],
    ['ENDED', 'MEMBERSHIP_ENDED'],
    ['PENDING', 'NO_MEMBERSHIP'],
  ])('a membership that is %s', async (status, code) => {
    const other = await server.world.center()
    await server.world.member(person, other, 'INSTRUCTOR', status)
    const { status: answered, body } = await passkeyLogin(server, own, { centerDomain: other.domain })
    expect([answered, body.error.code]).toEqual([403, code])
  })

  it('a center that does not exist', async () => {
    const { status, body } = await passkeyLogin(server, own, { centerDomain: 'no-such-center' })
    expect([status, body.error.code]).toEqual([404, 'CENTER_NOT_FOUND'])
  })
})

describe('401', () => {
  it('a challenge that was used', async () => {
    const assertion = answerOf(own, await challenge())
    expect(await send(assertion)).toEqual([200, undefined])
    expect(await send(assertion)).toEqual(refused)
  })

  it('a challenge that an answer without success has used', async () => {
    const asked = await challenge()
    expect(await send({ ...answerOf(own, asked), userHandle: 'AAAA' })).toEqual(refused)
    expect(await send(answerOf(own, asked))).toEqual(refused)
  })

  it('a challenge that is older than five minutes', async () => {
    const asked = await challenge()
    const restore = useClock(() => Date.now() + 301_000)
    try {
      expect(await send(answerOf(own, asked))).toEqual(refused)
    } finally {
      restore()
    }
  })

  it('a challenge that this server did not make', async () => {
    expect(await send(answerOf(own, Buffer.alloc(32, 7).toString('base64url')))).toEqual(refused)
  })

  it('the challenge and the statement of a registration', async () => {
    const { accessToken: token } = await server.signIn(person, center.domain)
    const { publicKey } = (await server.call('POST', '/api/auth/passkeys/register/options', { token })).body.data
    expect(await send(answerOf(own, publicKey.challenge))).toEqual(refused)
    const stated = await beginRegistration(server, token, testDevice(server))
    expect(await send(answerOf(own, stated.publicKey.challenge))).toEqual(refused)
  })

  it.each<[string, (assertion: ReturnType<typeof answerOf>) => object]>([
    ['no user handle', ({ userHandle: _, ...rest }) => rest],
    ['the user handle of another person', (assertion) => ({ ...assertion, userHandle: 'A'.repeat(43) })],
    ['an unknown credential', (assertion) => ({ ...assertion, id: 'AAAAAAAAAAAAAAAAAAAAAA' })],
  ])('%s', async (_, change) => {
    expect(await send(change(answerOf(own, await challenge())))).toEqual(refused)
  })

  it('a passkey that was removed', async () => {
    const { accessToken: token } = await server.signIn(person, center.domain)
    const gone = await registerPasskey(server, token)
    await server.call('DELETE', `/api/auth/passkeys/${gone.id}`, { token })
    expect(await send(answerOf(gone, await challenge()))).toEqual(refused)
  })
})

describe('400', () => {
  it.each([
    ['no assertion', {}],
    ['a padded text', { assertion: { id: 'AA==', authenticatorData: 'AA', clientDataJSON: 'AA', signature: 'AA' } }],
    [
      'data without a challenge',
      { assertion: { id: 'AA', authenticatorData: 'AA', clientDataJSON: 'e30', signature: 'AA' } },
    ],
  ])('%s', async (_, body) => {
    expect((await server.call('POST', path, { body })).status).toBe(400)
  })
})

it('one of fifty concurrent answers to a challenge signs in', async () => {
  const assertion = answerOf(own, await challenge())
  const answers = await Promise.all(Array.from({ length: 50 }, () => send(assertion)))
  expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
  expect(answers.filter(([status]) => status === 401)).toHaveLength(49)
})

it('five failures of one passkey block it from that address, and no other passkey', async () => {
  // Counters of its own: the failures above count too.
  const env = { RATE_LIMIT_LOGIN: '5/900', REDIS_PREFIX: `limited-${newUuid()}` }
  const limited = await startServer({ beside: server, env })
  try {
    const other = await registerPasskey(server, (await server.signIn(person, center.domain)).accessToken)
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await passkeyLogin(limited, { ...own, handle: 'AAAA' })).status)
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
    expect((await passkeyLogin(limited, other)).status).toBe(200)
  } finally {
    await limited.close()
  }
})
