/** A signing secret is shown once and is nowhere else: not in the database, not in a log, not in any other answer. */
import { createHmac, randomBytes } from 'node:crypto'
import { keepWebhooks } from '@countersign/server/features/automation/webhooks/retention.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Answer } from '../../../../../../tests/support/contract-check.ts'
import { startServer } from '../../../../../../tests/support/server.ts'
import {
  localNetworks,
  startWebhookFixture,
  type WebhookFixture,
} from '../../../../../../tests/support/webhook-fixture.ts'

let fixture: WebhookFixture
beforeAll(async () => {
  fixture = await startWebhookFixture()
})
afterAll(() => fixture.close())

/** The secret as text and as bytes, each in common encodings. */
function disguises(secret: string): string[] {
  const bare = secret.replace('whsec_', '')
  const bytes = Buffer.from(bare, 'base64')
  return [
    bare,
    bytes.toString('hex'),
    bytes.toString('base64url'),
    Buffer.from(bare).toString('hex'),
    Buffer.from(secret).toString('base64').replace(/=*$/, ''),
    Buffer.from(bare).toString('base64').replace(/=*$/, ''),
    encodeURIComponent(bare),
  ]
}

/** The tables in which one of these texts is found, in a column of any type; bytea is searched as hex. */
async function tablesWith(needles: readonly string[]): Promise<string[]> {
  const { world } = fixture.server
  const tables = await world.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await world.query(
      `select from ${name} t where exists (select from unnest($1::text[]) n where position(n in t::text) > 0) limit 1`,
      [needles],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

const idempotent = (key: string) => ({ 'idempotency-key': key })

it('no secret is found after registering, rotating, testing, failing, retrying and listing', async () => {
  const { v1, consumer } = fixture
  const secrets: string[] = []
  const answers: Answer[] = []
  const ask = async (...call: Parameters<typeof v1>) => {
    const answer = await v1(...call)
    answers.push(answer)
    return answer
  }
  const body = { url: consumer.url, events: ['*'], description: 'described so that it is found' }
  const first = (await v1('POST', '/api/v1/webhooks', body, idempotent('registered-1'))).body
  const again = (await v1('POST', '/api/v1/webhooks', body, idempotent('registered-1'))).body
  expect(again).toEqual(first)
  const { id } = first
  const other = await fixture.register()
  secrets.push(first.signingSecret, other.signingSecret)
  const path = `/api/v1/webhooks/${id}`
  const rotated = (await v1('POST', `${path}/rotate-secret`, undefined, idempotent('rotated-1'))).body
  secrets.push(rotated.signingSecret, await fixture.rotate(other.id))
  expect(new Set(secrets).size).toBe(4)

  // The consumer returns the signatures, as an error page might; it does not have the secret.
  let count = 0
  consumer.answer(({ headers }, response) => {
    const status = [500, 401, 302, 200, 0][count++ % 5] as number
    if (status > 0) response.writeHead(status).end(JSON.stringify(headers))
    return undefined
  })
  await ask('POST', `${path}/test`)
  const published = await ask(
    'POST',
    '/api/v1/events',
    {
      id: 'an-event-that-is-found',
      type: 'payment.completed',
      data: { paymentId: 'pay-1', amount: 45000 },
    },
    idempotent('published-1'),
  )
  await ask('POST', '/api/v1/events', { id: 'e-2', type: 'payment.failed', data: { paymentId: 'pay-2' } })
  expect(published.status).toBe(202)
  // Five requests with different responses: of three to one endpoint at least two have failed.
  await fixture.settled(other.id, (all) => all.length === 2)
  const failed = (await fixture.settled(id, (all) => all.length === 3)).find(({ status }) => status === 'failed')
  const eventId = failed?.eventId as string
  await ask('POST', `/api/v1/webhooks/events/${eventId}/retry`)
  await ask('PATCH', path, { description: 'changed', active: true })
  await ask('GET', '/api/v1/webhooks')
  await ask('GET', `${path}/deliveries?limit=100`)
  await ask('GET', `${path}/deliveries/${eventId}/attempts`)
  await ask('POST', `${path}/recover`, { since: first.createdAt })
  expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])

  const needles = secrets.flatMap(disguises)
  // The search finds values that exist: as text, and as hex in bytes.
  expect(await tablesWith(['changed'])).toContain('cell.webhooks')
  expect(await tablesWith([Buffer.from('an-event-that-is-found').toString('hex')])).toContain(
    'cell.idempotency_records',
  )
  expect(fixture.server.logs.length).toBeGreaterThan(0)
  expect(await tablesWith(needles)).toEqual([])
  const said = [...fixture.server.logs, ...answers.map(({ text }) => text)]
  for (const needle of needles) expect(said.filter((line) => line.includes(needle))).toEqual([])

  // Stored for repeated requests, and only sealed.
  const records = await fixture.server.world.query<{ body: Buffer }>(
    `select body from cell.idempotency_records where key in ('registered-1', 'rotated-1')`,
  )
  expect(records).toHaveLength(2)
  for (const { body: sealed } of records) {
    expect(sealed.subarray(1, 5)).toEqual(fixture.server.services.box.keyId)
    expect(sealed.includes('whsec_')).toBe(false)
  }
})

it('with a new SECRET_KEY in front all secrets are sealed again, and the old key can go', async () => {
  await fixture.clear()
  const { world, services } = fixture.server
  const webhook = await fixture.register()
  await fixture.v1('POST', '/api/v1/webhooks', {
    ...{ type: 'nats', url: 'tls://user:word@nats.example.org', subject: 'a', events: ['dpu.verified'] },
  })
  const [oldSecret, newSecret] = [webhook.signingSecret, await fixture.rotate(webhook.id)]
  await services.deliveryWorkers.stop()
  const [oldKey, newKey] = [services.config.secretKeys[0] as Buffer, randomBytes(32)]
  const withKeys = (...keys: Buffer[]) =>
    startServer({
      env: { ...localNetworks, SECRET_KEY: keys.map((key) => key.toString('base64')).join(',') },
      beside: fixture.server,
    })
  const keyIds = async () =>
    (
      await world.query<{ id: string }>(
        `select distinct encode(substring(sealed from 2 for 4), 'hex') as id from (
           select sealed from cell.webhook_secrets union all
           select credentials from cell.webhooks where credentials is not null) s`,
      )
    ).map(({ id }) => id)
  expect(await keyIds()).toEqual([services.box.keyId.toString('hex')])

  const between = await withKeys(newKey, oldKey)
  const expected = [between.services.box.keyId.toString('hex')]
  await keepWebhooks(between.services.box, between.services.cells.of('main'))
  expect(await keyIds()).toEqual(expected)
  await between.close()
  expect(expected).not.toEqual([services.box.keyId.toString('hex')])

  const later = await withKeys(newKey)
  try {
    later.services.deliveryWorkers.start()
    const answer = await later.call('POST', '/api/v1/events', {
      token: fixture.key,
      body: { id: 'after-the-key', type: 'payment.completed', data: { paymentId: 'pay-1', amount: 45000 } },
    })
    expect(answer.body.data).toMatchObject({ deliveries: 1 })
    const [{ headers, body }] = (await fixture.consumer.until(1)) as [(typeof fixture.consumer.received)[number]]
    const hex = (secret: string) => createHmac('sha256', secret).update(body).digest('hex')
    expect(headers['x-service-signature']).toBe(hex(newSecret))
    expect(headers['x-service-signature-previous']).toBe(hex(oldSecret))
  } finally {
    await later.close()
  }
})
