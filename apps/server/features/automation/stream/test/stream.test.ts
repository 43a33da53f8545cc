import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sampleEvent } from '../../../../../../tests/support/samples.ts'
import { startServer, type TestServer } from '../../../../../../tests/support/server.ts'
import type { Center, Person } from '../../../../../../tests/support/world.ts'
import { mostOfKey, mostOfPerson } from '../readers.ts'

let here: TestServer
let elsewhere: TestServer
let center: Center

beforeAll(async () => {
  here = await startServer()
  elsewhere = await startServer({ beside: here })
  center = await here.world.center()
})
afterAll(async () => {
  await elsewhere.close()
  await here.close()
})

interface Event {
  readonly event: string
  readonly data: { readonly kind?: string; readonly id?: string | null; readonly reason?: string }
}

interface Stream {
  readonly status: number
  readonly events: Event[]
  /** Waits for such an event, and returns it. */
  until(event: string, kind?: string): Promise<Event>
  ended(): Promise<void>
  close(): void
}

const opened: Stream[] = []
afterEach(() => {
  for (const stream of opened.splice(0)) stream.close()
})

/** Not with fetch, which connects again after it has left, and a server waits for such connections when it closes. */
async function open(server: TestServer, token: string): Promise<Stream> {
  return follow(`${server.url}/api/console/stream`, { cookie: `auth_token=${token}` })
}

async function follow(address: string, headers: Record<string, string>): Promise<Stream> {
  const asked = get(address, { agent: false, headers })
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  const events: Event[] = []
  let isOpen = true
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
      if (event) events.push({ event, data: JSON.parse(data as string) })
    }
  })
  response.on('close', () => {
    isOpen = false
  })
  response.on('error', () => {})
  const until = async (found: () => Event | true | undefined) => {
    for (let tries = 0; tries < 500; tries++) {
      const result = found()
      if (result) return result
      await sleep(20)
    }
    throw new Error(`not received; received were ${JSON.stringify(events)}`)
  }
  const stream: Stream = {
    status: response.statusCode ?? 0,
    events,
    until: async (event, kind) =>
      (await until(() => events.find((each) => each.event === event && (!kind || each.data.kind === kind)))) as Event,
    ended: async () => void (await until(() => (isOpen ? undefined : true))),
    close: () => void asked.destroy(),
  }
  opened.push(stream)
  return stream
}

async function member(role = 'ADMIN', of = center): Promise<{ person: Person; token: string }> {
  const person = await here.world.person()
  await here.world.member(person, of, role)
  return { person, token: (await here.signIn(person, of.domain)).accessToken }
}

async function ready(server: TestServer, token: string): Promise<Stream> {
  const stream = await open(server, token)
  await stream.until('ready')
  return stream
}

async function record(server: TestServer, of = center): Promise<string> {
  const answer = await server.call('POST', '/api/v1/decision-events', {
    token: await here.world.key(of),
    body: sampleEvent(),
  })
  return answer.body.data.id
}

describe('changes', () => {
  it('by any process are told with kind and id, without content, and to their center only', async () => {
    const other = await here.world.center()
    const [admin, stranger] = [await member(), await member('ADMIN', other)]
    const stream = await ready(here, admin.token)
    const foreign = await ready(here, stranger.token)
    const id = await record(elsewhere)
    expect((await stream.until('change', 'decision')).data).toEqual({ kind: 'decision', id })
    await elsewhere.call('POST', '/api/policies', {
      token: admin.token,
      body: { name: 'Refunds', match: { actionTypes: ['refund'] }, guards: { humanReview: true } },
    })
    expect((await stream.until('change', 'policy')).data.id).toMatch(/^pol_/)
    await elsewhere.call('POST', '/api/freezes', { token: admin.token, body: { actorId: 'agent', reason: 'A test' } })
    expect((await stream.until('change', 'freeze')).data.id).toMatch(/^frz_/)
    await here.call('POST', '/api/api-keys', { token: admin.token, body: { name: 'one', scopes: ['proof:read'] } })
    await stream.until('change', 'api_key')
    await here.world.member(await here.world.person(), center)
    await stream.until('change', 'member')
    const recoveries = () => stream.events.filter(({ data }) => data.kind === 'webhook').length
    await here.world.query(
      `insert into cell.webhook_recoveries (center_id, id, webhook_id, since, total, created_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), now(), 5, now())`,
      [center.id],
    )
    await expect.poll(recoveries, { timeout: 5000 }).toBe(1)
    await here.world.query('update cell.webhook_recoveries set recovered = 5, completed_at = now()')
    await expect.poll(recoveries, { timeout: 5000 }).toBe(2)
    expect(JSON.stringify(stream.events)).not.toContain('Refunds')
    expect(foreign.events.filter(({ event }) => event === 'change')).toEqual([])
  })

  it('are told only to roles that may read them', async () => {
    const [admin, child] = [await member(), await member('CHILD')]
    const [told, untold] = [await ready(here, admin.token), await ready(here, child.token)]
    await record(here)
    await told.until('change', 'decision')
    const path = `/api/centers/${center.id}/settings`
    await here.call('PATCH', path, { token: admin.token, body: { locale: 'en' } })
    await untold.until('change', 'center')
    expect(new Set(untold.events.flatMap(({ data }) => data.kind ?? []))).toEqual(new Set(['center']))
  })

  it('that a process may have missed are told as reload', async () => {
    const { token } = await member()
    const stream = await ready(here, token)
    await here.world.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'countersign changes' and datname = current_database()`,
    )
    await stream.until('reload')
  })
})

describe('the end of a stream, in another process than the change, within a second', () => {
  it.each([
    ['a session that signed out', 'UNAUTHORIZED'],
    ['a suspended membership', 'MEMBERSHIP_SUSPENDED'],
    ['a suspended center', 'CENTER_SUSPENDED'],
  ])('%s', async (what, reason) => {
    const own = await here.world.center()
    const { person, token } = await member('ADMIN', own)
    const stream = await ready(elsewhere, token)
    const at = performance.now()
    if (reason === 'UNAUTHORIZED') await here.call('POST', '/api/auth/logout', { token })
    else if (what.includes('membership')) await here.world.setMembership(person, own, { status: 'SUSPENDED' })
    else await here.world.query(`update directory.centers set status = 'SUSPENDED' where id = $1`, [own.id])
    const changedAt = performance.now()
    expect((await stream.until('end')).data).toEqual({ reason })
    await stream.ended()
    // From the commit, which is between the two times.
    expect(performance.now() - changedAt).toBeLessThan(Math.max(1000, changedAt - at))
  })

  it('a second stream of the same session', async () => {
    const { token } = await member()
    const first = await ready(here, token)
    const second = await ready(here, token)
    expect((await first.until('end')).data).toEqual({ reason: 'REPLACED' })
    expect(second.events.map(({ event }) => event)).toEqual(['ready'])
  })
})

describe('refusals', () => {
  const code = async (headers: Record<string, string>, path = '/api/console/stream') => {
    const answer = await here.call('GET', path, { headers })
    return [answer.status, answer.body.error.code]
  }

  it('no credential, an API key, a token in the address, and another origin', async () => {
    const { token } = await member()
    expect(await code({})).toEqual([401, 'UNAUTHORIZED'])
    expect(await code({ authorization: `Bearer ${await here.world.key(center)}` })).toEqual([401, 'UNAUTHORIZED'])
    expect(await code({}, `/api/console/stream?access_token=${token}`)).toEqual([401, 'UNAUTHORIZED'])
    const cookie = `auth_token=${token}`
    expect(await code({ cookie, origin: 'https://elsewhere.example' })).toEqual([403, 'FORBIDDEN'])
    expect(await code({ cookie, 'sec-fetch-site': 'same-site' })).toEqual([403, 'FORBIDDEN'])
  })

  it('a session without a center', async () => {
    const { accessToken } = await here.signIn(await here.world.person())
    expect(await code({ cookie: `auth_token=${accessToken}` })).toEqual([403, 'NO_MEMBERSHIP'])
  })

  it('more streams of one person than are allowed', async () => {
    const { person, token } = await member()
    await ready(here, token)
    for (let n = 1; n < mostOfPerson; n++) {
      await open(here, (await here.signIn(person, center.domain)).accessToken)
    }
    const { accessToken } = await here.signIn(person, center.domain)
    expect(await code({ cookie: `auth_token=${accessToken}` })).toEqual([429, 'RATE_LIMITED'])
    const size = here.services.streams.size
    opened.pop()?.close()
    while (here.services.streams.size === size) await sleep(20)
    expect((await open(here, accessToken)).status).toBe(200)
  })
})

describe('the stream of one decision, for a key', () => {
  const path = (id: string) => `/api/v1/decision-events/${id}/stream`
  const decide = async (key: string) => {
    const body = { agent: { id: 'agent-7' }, action: { type: 'refund.pay', input: { won: 1 } } }
    return (await here.call('POST', '/api/v1/agents/decide', { token: key, body })).body.data.eventId as string
  }
  async function asking() {
    const own = await here.world.center()
    const admin = await member('ADMIN', own)
    const policy = { name: 'Refunds', match: { actionTypes: ['refund.*'] }, guards: { humanReview: true } }
    expect((await here.call('POST', '/api/policies', { token: admin.token, body: policy })).status).toBe(201)
    const key = await here.world.key(own)
    return { own, admin, key, id: await decide(key) }
  }
  const statusOf = (id: string, token?: string) =>
    here.call('GET', path(id), token === undefined ? {} : { token }).then(({ status }) => status)
  const keyFor = (own: Center, id: string) =>
    here.world.key(own, { scopes: ['decide'], boundTo: { id, type: 'ai_agent' } })

  it('tells of this decision alone, by any of its IDs, and nothing of its content', async () => {
    const { admin, key, id } = await asking()
    const stream = await follow(here.url + path(id.replace('evt_', 'dpu_')), { authorization: `Bearer ${key}` })
    await stream.until('ready')
    await decide(key)
    await elsewhere.call('POST', `/api/decisions/${id}/comments`, { token: admin.token, body: { text: 'Why?' } })
    expect((await stream.until('change')).data).toEqual({ kind: 'decision', id })
    expect(new Set(stream.events.flatMap(({ data }) => data.id ?? []))).toEqual(new Set([id]))
    expect(JSON.stringify(stream.events)).not.toContain('Why')
  })

  it('ends within a second after its key was revoked', async () => {
    const { own, admin, id } = await asking()
    const made = await here.call('POST', '/api/api-keys', {
      token: admin.token,
      body: { name: 'reader', scopes: ['proof:read'] },
    })
    const stream = await follow(here.url + path(id), { authorization: `Bearer ${made.body.data.key}` })
    await stream.until('ready')
    const at = performance.now()
    const ended = await elsewhere.call('DELETE', `/api/api-keys/${made.body.data.id}`, { token: admin.token })
    expect([ended.status, own.id]).toEqual([204, own.id])
    const changedAt = performance.now()
    expect((await stream.until('end')).data).toEqual({ reason: 'UNAUTHORIZED' })
    await stream.ended()
    expect(performance.now() - changedAt).toBeLessThan(Math.max(1000, changedAt - at))
  })

  it('is 404 for whoever may not read the decision, and 401 or 403 without a key that reads', async () => {
    const { own, admin, id } = await asking()
    expect(await statusOf(id, await here.world.key(await here.world.center()))).toBe(404)
    expect(await statusOf(id, await keyFor(own, 'agent-8'))).toBe(404)
    expect(await statusOf('evt_unknown', await here.world.key(own))).toBe(404)
    expect(await statusOf(id)).toBe(401)
    expect(await statusOf(id, admin.token)).toBe(401)
    expect(await statusOf(id, await here.world.key(own, { scopes: ['events:write'] }))).toBe(403)
    const bound = await follow(here.url + path(id), { authorization: `Bearer ${await keyFor(own, 'agent-7')}` })
    expect(bound.status).toBe(200)
  })

  it('leaves the people of the center their streams', async () => {
    const { own, key, id } = await asking()
    const authorization = `Bearer ${key}`
    for (let n = 0; n < mostOfKey; n++) expect((await follow(here.url + path(id), { authorization })).status).toBe(200)
    expect(await statusOf(id, key)).toBe(429)
    expect((await ready(here, (await member('ADMIN', own)).token)).status).toBe(200)
  })
})

it('a process that stops ends its streams, and does not wait for them', async () => {
  const third = await startServer({ beside: here })
  const { token } = await member()
  const stream = await ready(third, token)
  await third.close()
  expect((await stream.until('end')).data).toEqual({ reason: 'RESTART' })
})
