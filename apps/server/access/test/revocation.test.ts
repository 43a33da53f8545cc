import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../tests/support/world.ts'

/** A credential that works, its revocation, and the refusal that follows. */
interface Right {
  use(server: TestServer): Promise<{ status: number; body: { error?: { code: string } } }>
  readonly refusal: readonly [status: number, code: string]
  /** As a feature does it: change the row, then clear the cache of this process. */
  takeAway(): Promise<void>
}

const settings = [
  ['with Redis', {}],
  ['without Redis', { REDIS_URL: '' }],
] as const

describe.each(settings)('%s', (_, env) => {
  let here: TestServer
  let elsewhere: TestServer

  beforeAll(async () => {
    here = await startServer({ env })
    elsewhere = await startServer({ env, beside: here })
    expect(here.services.redis === null).toBe('REDIS_URL' in env)
  })
  afterAll(async () => {
    await elsewhere.close()
    await here.close()
  })

  async function newMember(role = 'ADMIN'): Promise<{ person: Person; center: Center; token: string }> {
    const [person, center] = [await here.world.person(), await here.world.center()]
    await here.world.member(person, center, role)
    return { person, center, token: (await here.signIn(person)).accessToken }
  }
  const changed = (center: Center) => here.services.authenticate.forget(`center:${center.id}`)
  const asActor = (token: string) => (server: TestServer) => server.call('GET', '/api/auth/me', { token })
  const asProgram = (key: string) => (server: TestServer) =>
    server.call('GET', '/api/v1/decision-events', { token: key })

  const rights: Record<string, () => Promise<Right>> = {
    'a suspended membership': async () => {
      const { person, center, token } = await newMember()
      return {
        use: asActor(token),
        refusal: [403, 'MEMBERSHIP_SUSPENDED'],
        async takeAway() {
          await here.world.setMembership(person, center, { status: 'SUSPENDED' })
          changed(center)
        },
      }
    },
    'an ended membership': async () => {
      const { person, center, token } = await newMember()
      return {
        use: asActor(token),
        refusal: [403, 'MEMBERSHIP_ENDED'],
        async takeAway() {
          await here.world.setMembership(person, center, { status: 'ENDED' })
          changed(center)
        },
      }
    },
    'a lower role': async () => {
      const { person, center, token } = await newMember()
      return {
        use: (server) => server.call('GET', '/api/api-keys', { token }),
        refusal: [403, 'INSUFFICIENT_ROLE'],
        async takeAway() {
          await here.world.setMembership(person, center, { role: 'PARENT' })
          changed(center)
        },
      }
    },
    'a session that was ended by logout': async () => {
      const { token } = await newMember()
      return {
        use: asActor(token),
        refusal: [401, 'UNAUTHORIZED'],
        async takeAway() {
          expect((await here.call('POST', '/api/auth/logout', { token })).status).toBe(204)
        },
      }
    },
    'a revoked API key': async () => {
      const { token } = await newMember()
      const created = await here.call('POST', '/api/api-keys', { token, body: { name: 'n', scopes: ['proof:read'] } })
      return {
        use: asProgram(created.body.data.key),
        refusal: [401, 'UNAUTHORIZED'],
        async takeAway() {
          const { status } = await here.call('DELETE', `/api/api-keys/${created.body.data.id}`, { token })
          expect(status).toBe(204)
        },
      }
    },
    'a suspended center, for its members': async () => {
      const { center, token } = await newMember()
      return {
        use: asActor(token),
        refusal: [403, 'CENTER_SUSPENDED'],
        async takeAway() {
          await here.world.setCenterStatus(center, 'SUSPENDED')
          changed(center)
        },
      }
    },
    'a suspended center, for its API keys': async () => {
      const { center } = await newMember()
      return {
        use: asProgram(await here.world.key(center)),
        refusal: [403, 'FORBIDDEN'],
        async takeAway() {
          await here.world.setCenterStatus(center, 'SUSPENDED')
          changed(center)
        },
      }
    },
  }
  const kinds = Object.keys(rights)
  const newRight = (kind: string) => (rights[kind] as () => Promise<Right>)()

  it.each(kinds)('%s is refused on the very next request of this process', async (kind) => {
    const { use, refusal, takeAway } = await newRight(kind)
    for (let i = 0; i < 3; i++) expect((await use(here)).status).toBe(200)
    await takeAway()
    const { status, body } = await use(here)
    expect([status, body.error?.code]).toEqual(refusal)
  })

  it.each(kinds)('%s is refused by every request that begins afterwards, under concurrent load', async (kind) => {
    const { use, refusal, takeAway } = await newRight(kind)
    let takenAwayAt = Number.POSITIVE_INFINITY
    let done = false
    const late: unknown[] = []
    let early = 0
    const caller = async () => {
      while (!done) {
        const after = performance.now() > takenAwayAt
        const { status, body } = await use(here)
        if (!after && status === 200) early++
        if (after) late.push([status, body.error?.code])
      }
    }
    const callers = Array.from({ length: 8 }, caller)
    await expect.poll(() => early, { timeout: 20_000 }).toBeGreaterThan(8)
    await takeAway()
    takenAwayAt = performance.now()
    await expect.poll(() => late.length, { timeout: 20_000 }).toBeGreaterThan(16)
    done = true
    await Promise.all(callers)
    expect(late.filter((answer) => JSON.stringify(answer) !== JSON.stringify(refusal))).toEqual([])
  })

  it.each(kinds)('%s is refused within a second by another process', async (kind) => {
    const { use, refusal, takeAway } = await newRight(kind)
    expect((await use(elsewhere)).status).toBe(200)
    await takeAway()
    const takenAwayAt = performance.now()
    // Measured by when a request was sent, because a busy machine may answer late.
    for (;;) {
      const sentAfter = performance.now() - takenAwayAt
      const { status, body } = await use(elsewhere)
      if (status !== 200) {
        expect([status, body.error?.code]).toEqual(refusal)
        break
      }
      expect(sentAfter).toBeLessThan(1000)
      await sleep(20)
    }
    expect((await use(elsewhere)).status).toBe(refusal[0])
  })
})
