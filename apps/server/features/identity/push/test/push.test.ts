import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPushService, type PushService, pushSettings } from '../../../../../../tests/support/push-service.ts'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { nowMs, useClock } from '../../../../lib/clock.ts'
import { newUuid } from '../../../../lib/ids.ts'
import { waitingDecisionsJob } from '../../../evidence/decisions/waiting-decisions.job.ts'

let service: PushService
let server: TestServer

beforeAll(async () => {
  service = await openPushService()
  server = await startServer({ env: pushSettings })
})
afterAll(async () => {
  await server.close()
  await service.close()
})

interface Browser {
  readonly endpoint: string
  readonly token: string
}

/** A person who signs in in another browser and turns messages on there. */
async function browserOf(person: Person, center: Center): Promise<Browser> {
  const { accessToken: token } = await server.signIn(person, center.domain)
  const subscription = service.subscribe()
  const { status, text } = await server.call('PUT', '/api/auth/push', { token, body: subscription })
  if (status !== 204) throw new Error(text)
  return { endpoint: subscription.endpoint, token }
}

async function place() {
  const { world } = server
  const center = await world.center({ name: '하늘발달센터' })
  const admin = await world.person()
  await world.member(admin, center, 'ADMIN')
  const { accessToken: token } = await server.signIn(admin, center.domain)
  await server.call('POST', '/api/policies', { token, body: { name: 'all', match: {}, guards: { humanReview: true } } })
  const key = await world.key(center, { scopes: ['proof:write'] })
  const record = async (): Promise<string> =>
    (await server.call('POST', '/api/v1/decision-events', { token: key, body: sampleEvent() })).body.data.id
  return { center, admin, token, record }
}

async function tell(center: Center): Promise<void> {
  await waitingDecisionsJob(server.services, 'main', { centerId: center.id })
  await server.services.push.close()
}

const toBrowser = ({ endpoint }: Browser) => service.received.filter((each) => each.endpoint === endpoint)
const state = async ({ token }: Browser) => (await server.call('GET', '/api/auth/push', { token })).body.data
const stored = async ({ actorId }: Person): Promise<number> =>
  (await server.world.query('select from directory.push_subscriptions where actor_id = $1', [actorId])).length

async function later(seconds: number, work: () => Promise<unknown>): Promise<void> {
  const start = nowMs()
  const restore = useClock(() => start + seconds * 1000)
  try {
    await work()
  } finally {
    restore()
  }
}

describe('a browser of a person who may approve', () => {
  it('is told which center waits, with a link, encrypted and signed, and nothing of the decision', async () => {
    const { center, admin, record } = await place()
    const [one, two] = [await browserOf(admin, center), await browserOf(admin, center)]
    const { publicKey, subscribed } = await state(one)
    expect(subscribed).toBe(true)
    await record()
    const newest = await record()
    await tell(center)
    for (const browser of [one, two]) {
      const [{ message, sender, headers } = { message: '', sender: null, headers: {} }, ...more] = toBrowser(browser)
      expect(more).toEqual([])
      expect(JSON.parse(message)).toEqual({
        kind: 'decisions_wait',
        center: '하늘발달센터',
        language: 'ko',
        url: `/c/${center.domain}/inbox?id=${newest}`,
      })
      expect(sender).toBe(publicKey)
      expect(headers).toMatchObject({
        'content-encoding': 'aes128gcm',
        urgency: 'normal',
        topic: `center-${center.id}`,
      })
    }
    // Within ten minutes no second message.
    await record()
    await tell(center)
    expect(toBrowser(one)).toHaveLength(1)
  })

  it('is told no more after signing out, a revocation, and turning it off; entering another center changes nothing', async () => {
    const { center, admin, record } = await place()
    const browsers = []
    for (let n = 0; n < 4; n++) browsers.push(await browserOf(admin, center))
    const [out, revoked, off, stays] = browsers as [Browser, Browser, Browser, Browser]
    await server.call('POST', '/api/auth/logout', { token: out.token })
    await server.services.directory.identity({ requestId: 'test', actorId: null, centerId: 0 }, async ({ db }) => {
      const [, claims = ''] = revoked.token.split('.')
      const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString())
      await db
        .updateTable('sessions')
        .set({ revoked_at: new Date(), revoke_reason: 'operator' })
        .where('id', '=', sid)
        .execute()
    })
    await server.call('DELETE', '/api/auth/push', { token: off.token })
    expect(await state(off)).toMatchObject({ subscribed: false })
    const other = await server.world.center()
    await server.world.member(admin, other, 'ADMIN')
    const { body } = await server.call('POST', '/api/auth/switch-center', {
      token: stays.token,
      body: { centerId: other.id },
    })
    expect(await state({ ...stays, token: body.data.accessToken })).toMatchObject({ subscribed: true })
    expect(await stored(admin)).toBe(1)
    await record()
    await tell(center)
    expect(browsers.map((each) => toBrowser(each).length)).toEqual([0, 0, 0, 1])
  })

  it('is forgotten when the push service says that it is gone, and tried again when the service is busy', async () => {
    const { center, admin, record } = await place()
    const browser = await browserOf(admin, center)
    service.answer(503, { 'retry-after': '90' })
    await record()
    await tell(center)
    await server.services.push.sendDue()
    expect(toBrowser(browser)).toHaveLength(1)
    await later(60, () => server.services.push.sendDue())
    expect(toBrowser(browser)).toHaveLength(1)
    service.answer(410)
    await later(95, () => server.services.push.sendDue())
    service.answer(201)
    expect([toBrowser(browser).length, await stored(admin)]).toEqual([2, 0])
  })

  it('that refuses one message keeps its subscription, and a message an hour old is not sent', async () => {
    const { center, admin, record } = await place()
    const browser = await browserOf(admin, center)
    service.answer(403)
    await record()
    await tell(center)
    service.answer(500)
    await later(601, async () => {
      await record()
      await tell(center)
    })
    service.answer(201)
    await later(601 + 3601, () => server.services.push.sendDue())
    expect([toBrowser(browser).length, await stored(admin)]).toEqual([2, 1])
  })
})

it('a person has ten browsers, a browser one person, and a session of a provider only its own center', async () => {
  const { center, admin, record } = await place()
  const browsers: Browser[] = []
  for (let n = 0; n < 11; n++) browsers.push(await browserOf(admin, center))
  expect(await stored(admin)).toBe(10)
  expect(await state(browsers[0] as Browser)).toMatchObject({ subscribed: false })
  const guest = await server.world.person()
  await server.world.member(guest, center, 'INSTRUCTOR')
  const { accessToken: token } = await server.signIn(guest, center.domain)
  const shared = service.subscribe()
  await server.call('PUT', '/api/auth/push', { token: (browsers[10] as Browser).token, body: shared })
  await server.call('PUT', '/api/auth/push', { token, body: shared })
  expect([await stored(admin), await stored(guest)]).toEqual([9, 1])
  // A provider that is there, in another center; and one that was removed, in this center.
  const [elsewhere, provider] = [await server.world.center(), newUuid()]
  await server.world.query(
    `insert into directory.oidc_providers (id, center_id, name, issuer, client_id, sealed, created_at, updated_at)
     values ($1, $2, 'x', 'https://login.example', 'x', '', now(), now())`,
    [provider, elsewhere.id],
  )
  const late = await server.world.person()
  await server.world.member(late, center, 'INSTRUCTOR')
  const orphan = await browserOf(late, center)
  const begun = 'update directory.sessions set provider_id = $2, center_id = $3 where actor_id = $1'
  await server.world.query(begun, [guest.actorId, provider, elsewhere.id], true)
  await server.world.query(begun, [late.actorId, newUuid(), center.id], true)
  await record()
  await tell(center)
  expect(service.received.filter(({ endpoint }) => endpoint === shared.endpoint)).toEqual([])
  expect(toBrowser(orphan)).toEqual([])
  expect(toBrowser(browsers[9] as Browser)).toHaveLength(1)
})

it('one center with many browsers does not delay another', async () => {
  const [large, small] = [await place(), await place()]
  for (let n = 0; n < 3; n++) {
    const person = await server.world.person()
    await server.world.member(person, large.center, 'INSTRUCTOR')
    for (let m = 0; m < 8; m++) await browserOf(person, large.center)
  }
  const browser = await browserOf(small.admin, small.center)
  service.answer(503)
  for (const { center, record } of [large, small]) {
    await record()
    await tell(center)
  }
  service.answer(201)
  const before = service.received.length
  await later(31, () => server.services.push.sendDue())
  const order = service.received.slice(before).findIndex(({ endpoint }) => endpoint === browser.endpoint)
  expect(service.received.length - before).toBe(25)
  expect(order).toBeLessThan(10)
})

describe('a subscription is refused', () => {
  it.each([
    ['http://fcm.googleapis.com/x', 'https'],
    ['https://169.254.169.254/latest', 'address'],
    ['https://evil.example/push', 'Ask the operator to allow it'],
    ['not an address', 'endpoint'],
  ])('for %s', async (endpoint, reason) => {
    const { token } = await place()
    const body = { ...service.subscribe(), endpoint }
    const answer = await server.call('PUT', '/api/auth/push', { token, body })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(answer.body.error.message).toContain(reason)
  })

  it('for keys that are no keys, and by a server without a key of its own', async () => {
    const { admin, center, token } = await place()
    const { endpoint, keys } = service.subscribe()
    const bad = { endpoint, keys: { ...keys, p256dh: Buffer.alloc(65, 4).toString('base64url') } }
    expect((await server.call('PUT', '/api/auth/push', { token, body: bad })).status).toBe(400)
    const silent = await startServer({ beside: server, env: { VAPID_PRIVATE_KEY: '' } })
    const session = await silent.signIn(admin, center.domain)
    const seen = await silent.call('GET', '/api/auth/push', { token: session.accessToken })
    expect(seen.body.data).toEqual({ publicKey: null, subscribed: false })
    const answer = await silent.call('PUT', '/api/auth/push', { token: session.accessToken, body: { endpoint, keys } })
    expect([answer.status, answer.body.error.message]).toEqual([
      503,
      expect.stringContaining("can't send push notifications"),
    ])
    await silent.close()
  })
})
