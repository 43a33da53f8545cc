import { uuidOf } from '@countersign/server/lib/ids.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atOnce, elsewhere, type Fixture, said, startFixture, statuses } from './fixture.ts'
import { refusesOthers } from './refusals.ts'

const path = '/api/v1/webhooks'
let fixture: Fixture
beforeAll(async () => {
  fixture = await startFixture()
})
afterAll(() => fixture.close())

const body = { url: elsewhere, events: ['dpu.sealed', 'payment.*'] }
const register = (given: unknown, headers = {}) => fixture.v1('POST', path, given, headers)
const count = async (centerId: number) =>
  (await fixture.server.world.query('select from cell.webhooks where center_id = $1', [centerId])).length

describe('201', () => {
  it('returns the webhook without an envelope, with its secret', async () => {
    const answer = await register({ ...body, description: 'Our billing' })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^whk_[0-9a-z]{26}$/),
      type: 'http',
      ...body,
      description: 'Our billing',
      active: true,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      signingSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
  })

  it('requires only a URL and events', async () => {
    const { url, events, description, active } = (await register(body)).body
    expect({ url, events, description, active }).toEqual({ ...body, description: '', active: true })
  })

  it('accepts an inactive webhook, and returns each event once', async () => {
    const answer = await register({ ...body, events: ['*', 'dpu.sealed', '*'], active: false })
    expect([answer.status, answer.body.active, answer.body.events]).toEqual([201, false, ['*', 'dpu.sealed']])
  })

  it.each([
    ['*'],
    ['dpu.*'],
    ['agent.*'],
    ['agent.decision.*'],
    ['agent.approval.requested'],
    ['workflow.transitioned'],
  ])('takes %s', async (pattern) => {
    expect((await register({ ...body, events: [pattern] })).status).toBe(201)
  })

  it('gives every webhook its own secret, also two with the same URL', async () => {
    const [one, two] = [(await register(body)).body, (await register(body)).body]
    expect(one.id).not.toBe(two.id)
    expect(one.signingSecret).not.toBe(two.signingSecret)
  })

  it('stores the secret encrypted, and writes it to no log or audit entry', async () => {
    const { id, signingSecret } = (await register(body)).body
    const bytes = Buffer.from(signingSecret.slice(6), 'base64')
    const rows = await fixture.server.world.query<{ sealed: Buffer }>('select sealed from cell.webhook_secrets')
    expect(rows.length).toBeGreaterThan(0)
    for (const { sealed } of rows) expect(sealed.includes(signingSecret) || sealed.includes(bytes)).toBe(false)
    const entries = await fixture.server.world.query<{ type: string; details: object; entry: string }>(
      'select type, details, e::text as entry from cell.audit_entries e where target_id = $1',
      [id],
    )
    expect(entries).toMatchObject([{ type: 'webhook.changed', details: { action: 'created' } }])
    expect(entries[0]?.entry).not.toContain(signingSecret)
    expect(fixture.server.logs.some((line) => line.includes(signingSecret))).toBe(false)
  })
})

describe('brokers', () => {
  it.each([
    [
      { type: 'nats', url: 'tls://user:hidden-word@nats.example.org:4333', subject: 'countersign.events' },
      { type: 'nats', url: 'tls://nats.example.org:4333', subject: 'countersign.events' },
    ],
    [
      { type: 'rabbitmq', url: 'amqps://user:hidden-word@rabbit.example.org/prod', exchange: 'events' },
      { type: 'rabbitmq', url: 'amqps://rabbit.example.org/prod', exchange: 'events', routingKey: '' },
    ],
    [
      { type: 'rabbitmq', url: 'amqp://hidden:word@127.0.0.1', routingKey: 'queue' },
      { type: 'rabbitmq', url: 'amqp://127.0.0.1', exchange: '', routingKey: 'queue' },
    ],
  ])('%o', async (given, shown) => {
    const answer = await register({ ...given, events: ['*'] })
    expect([answer.status, answer.body]).toMatchObject([201, shown])
    expect(Object.keys(answer.body)).not.toContain('credentials')
    const row = await fixture.server.world.query<{ credentials: Buffer; row: string }>(
      'select credentials, w::text as row from cell.webhooks w where id = $1',
      [uuidOf('webhook', answer.body.id)],
    )
    expect(row[0]?.credentials.includes('hidden')).toBe(false)
    const listed = (await fixture.v1('GET', path)).text
    for (const text of [answer.text, row[0]?.row, listed, ...fixture.server.logs]) expect(text).not.toContain('hidden')
  })
})

describe('Idempotency-Key', () => {
  it('returns the same secret again, and creates one webhook', async () => {
    const { v1, center } = await fixture.tenant()
    const [first, second] = [
      await v1('POST', path, body, { 'idempotency-key': 'k-1' }),
      await v1('POST', path, body, { 'idempotency-key': 'k-1' }),
    ]
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text])
    expect(second.headers.get('idempotency-replayed')).toBe('true')
    expect(await count(center.id)).toBe(1)
  })

  it('stores the response encrypted: the secret is not in the database', async () => {
    const { signingSecret } = (await register(body, { 'idempotency-key': 'k-2' })).body
    const [record] = await fixture.server.world.query<{ body: Buffer }>(
      'select body from cell.idempotency_records where key = $1',
      ['k-2'],
    )
    expect(record?.body.length).toBeGreaterThan(100)
    expect(record?.body.includes(signingSecret)).toBe(false)
  })

  it('409 CONFLICT for another body', async () => {
    await register(body, { 'idempotency-key': 'k-3' })
    expect(said(await register({ ...body, events: ['*'] }, { 'idempotency-key': 'k-3' }))).toEqual([409, 'CONFLICT'])
  })

  it('registers one webhook for fifty concurrent requests, with one response', async () => {
    const { v1, center } = await fixture.tenant()
    const answers = await atOnce(50, () => v1('POST', path, body, { 'idempotency-key': 'k-4' }))
    expect(statuses(answers)).toEqual({ 201: 50 })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await count(center.id)).toBe(1)
  })
})

describe('403 FORBIDDEN', () => {
  it('for more than 100 webhooks, also with concurrent requests', async () => {
    const { v1, center, register: made } = await fixture.tenant()
    const { id } = await made({ url: elsewhere })
    await fixture.server.world.query(
      `insert into cell.webhooks (center_id, id, url, events, description, active, created_at)
       select center_id, gen_random_uuid(), url, events, '', true, now() from cell.webhooks, generate_series(1, 98)
       where center_id = $1`,
      [center.id],
    )
    const answers = await atOnce(50, () => v1('POST', path, body))
    expect(statuses(answers)).toEqual({ 201: 1, 403: 49 })
    const refused = answers.find(({ status }) => status === 403)
    expect([refused?.body.error.code, refused?.body.error.message]).toEqual([
      'FORBIDDEN',
      "This center already has 100 webhooks, the maximum. Delete one you don't need, or ask the operator for more.",
    ])
    expect(await count(center.id)).toBe(100)
    await v1('DELETE', `${path}/${id}`)
    expect((await v1('POST', path, body)).status).toBe(201)
  })
})

describe('422 VALIDATION_ERROR', () => {
  const events = ['*']
  it.each([
    ['nothing', {}, 'url'],
    ['no URL', { events }, 'url'],
    ['no events', { url: elsewhere }, 'events'],
    ['an empty URL', { url: '', events }, 'url'],
    ['a text that is not a URL', { url: 'hooks.example.org', events }, 'url'],
    ['http', { url: 'http://hooks.example.org/', events }, 'url'],
    ['another scheme', { url: 'ftp://hooks.example.org/', events }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/', events }, 'url'],
    ['the address of cloud metadata', { url: 'https://169.254.169.254/latest', events }, 'url'],
    ['a private address in another spelling', { url: 'https://0xA000001/', events }, 'url'],
    ['loopback in IPv6', { url: 'https://[::1]/', events }, 'url'],
    ['a local name', { url: 'https://localhost/', events }, 'url'],
    ['a user and a password', { url: 'https://user:word@hooks.example.org/', events }, 'url'],
    ['a URL that is too long', { url: `${elsewhere}/${'x'.repeat(2048)}`, events }, 'url'],
    ['a URL that is not a string', { url: 1, events }, 'url'],
    ['an unknown type', { type: 'kafka', url: elsewhere, events }, 'type'],
    ['a subject without a broker', { url: elsewhere, events, subject: 'a' }, 'subject'],
    ['NATS without a subject', { type: 'nats', url: 'tls://nats.example.org', events }, 'subject'],
    ['a wildcard in the subject', { type: 'nats', url: 'tls://nats.example.org', subject: 'a.*', events }, 'subject'],
    [
      'a subject of the system',
      { type: 'nats', url: 'tls://nats.example.org', subject: '$JS.API.INFO', events },
      'subject',
    ],
    [
      'an exchange for NATS',
      { type: 'nats', url: 'tls://nats.example.org', subject: 'a', exchange: 'x', events },
      'exchange',
    ],
    ['RabbitMQ without a route', { type: 'rabbitmq', url: 'amqps://rabbit.example.org', events }, 'exchange'],
    ['a broker without TLS', { type: 'rabbitmq', url: 'amqp://rabbit.example.org', exchange: 'x', events }, 'url'],
    ['a broker in a private network', { type: 'nats', url: 'tls://10.0.0.1', subject: 'a', events }, 'url'],
    ['a URL of HTTP for a broker', { type: 'nats', url: elsewhere, subject: 'a', events }, 'url'],
    ['a URL of a broker for HTTP', { url: 'tls://nats.example.org', events }, 'url'],
    ['no event in the list', { url: elsewhere, events: [] }, 'events'],
    ['an unknown event type', { url: elsewhere, events: ['*', 'member.created'] }, 'events'],
    ['the type of test events', { url: elsewhere, events: ['ping'] }, 'events'],
    ['a wildcard within a name', { url: elsewhere, events: ['pay*'] }, 'events'],
    ['a wildcard in front', { url: elsewhere, events: ['*.completed'] }, 'events'],
    ['a wildcard behind a whole type', { url: elsewhere, events: ['payment.completed.*'] }, 'events'],
    ['a type in capital letters', { url: elsewhere, events: ['DPU.SEALED'] }, 'events'],
    ['events as text', { url: elsewhere, events: 'dpu.sealed' }, 'events'],
    ['an event that is not a string', { url: elsewhere, events: [null] }, 'events.0'],
    ['51 events', { url: elsewhere, events: Array(51).fill('*') }, 'events'],
    ['a description of 1,001 characters', { ...body, description: 'x'.repeat(1001) }, 'description'],
    ['active as text', { ...body, active: 'true' }, 'active'],
    ['active that is null', { ...body, active: null }, 'active'],
    ['an unknown field', { ...body, signingSecret: 'whsec_mine' }, 'signingSecret'],
    ['a list', [body], ''],
  ])('%s', async (_, given, at) => {
    const { center, v1 } = await fixture.tenant()
    const answer = await v1('POST', path, given)
    expect([...said(answer), answer.body.error.details.issues[0].path]).toEqual([422, 'VALIDATION_ERROR', at])
    expect(await count(center.id)).toBe(0)
  })

  it('names the operation that lists the event types', async () => {
    const { message } = (await register({ url: elsewhere, events: ['member.created'] })).body.error
    expect(message).toContain('"member.created"')
    expect(message).toContain('GET /api/v1/webhooks/event-types')
  })
})

refusesOthers(() => fixture, 'proof:write', { method: 'POST', path, body })
