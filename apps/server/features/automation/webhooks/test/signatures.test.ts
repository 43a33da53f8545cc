/** Our signatures against the library for Standard Webhooks and the published vectors. */
import { createHmac } from 'node:crypto'
import {
  deliveryHeaders,
  envelopeBody,
  newSigningSecret,
  signingKey,
} from '@countersign/server/features/automation/webhooks/signing.ts'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { read } from '../../../../../../tests/docs/blocks.ts'

const event = { id: 'msg_01kz9x4q8hfx5r3v7t2b6n0m1c', type: 'payment.completed', createdAt: '2026-11-15T08:30:00.000Z' }
const payload = fc.oneof(
  fc.json({ stringUnit: 'binary' }),
  fc.string({ unit: 'binary' }).map((text) => `{ "text":${JSON.stringify(`\u2028${text}`)} }`),
  fc.bigInt().map((value) => `{"amount":${value},"amount":${value}e3,"one":1.0}`),
)

describe('the library for Standard Webhooks', () => {
  const [newest, previous, unrelated] = [newSigningSecret(), newSigningSecret(), newSigningSecret()]
  const secrets = [signingKey(newest), signingKey(previous)]
  const delivery = (data: string, attempt = 1, at = Date.now()) => {
    const body = Buffer.from(envelopeBody({ ...event, data, attempt }))
    return { body, headers: deliveryHeaders({ body, eventId: event.id, attempt, at, secrets }) }
  }

  it('accepts any event with either secret, and reads its content', () => {
    fc.assert(
      fc.property(payload, fc.integer({ min: 1, max: 7 }), (data, attempt) => {
        const { body, headers } = delivery(data, attempt)
        const read = { ...event, data: JSON.parse(data), deliveryAttempt: attempt }
        for (const secret of [newest, previous]) expect(new Webhook(secret).verify(body, headers)).toEqual(read)
        expect(createHmac('sha256', newest).update(body).digest('hex')).toBe(headers['x-service-signature'])
        expect(createHmac('sha256', previous).update(body).digest('hex')).toBe(headers['x-service-signature-previous'])
      }),
    )
  })

  it('refuses another secret, another byte, another id and another time', () => {
    const { body, headers } = delivery('{"amount":1000}')
    const verify = (secret: string, bytes: Buffer, changed: Record<string, string> = {}) =>
      new Webhook(secret).verify(bytes, { ...headers, ...changed })
    expect(verify(newest, body)).toMatchObject({ data: { amount: 1000 } })
    expect(() => verify(unrelated, body)).toThrow('No matching signature')
    expect(() => verify(newest, Buffer.from(body.toString().replace('1000', '9000')))).toThrow('No matching signature')
    expect(() => verify(newest, body, { 'webhook-id': 'msg_other' })).toThrow('No matching signature')
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(() => verify(newest, body, { 'webhook-timestamp': later })).toThrow('No matching signature')
  })

  it('refuses a delivery that is older than five minutes', () => {
    const { body, headers } = delivery('{}', 1, Date.now() - 302_000)
    expect(() => new Webhook(newest).verify(body, headers)).toThrow('too old')
  })
})

describe('the published vectors', () => {
  const { accepted } = JSON.parse(read('docs/formats/webhook-signatures.json')) as {
    accepted: {
      about: string
      id: string
      timestamp: string
      attempt: number
      secret: string
      previousSecret: string | null
      signedWith: 'secret' | 'previousSecret'
      body: string
      headers: Record<string, string>
    }[]
  }

  it.each(accepted)('$about: the service sends exactly this', (vector) => {
    const { type, createdAt } = JSON.parse(vector.body) as { type: string; createdAt: string }
    const data = vector.body.slice(vector.body.indexOf(',"data":') + 8, vector.body.lastIndexOf(',"deliveryAttempt"'))
    const { id, attempt } = vector
    expect(envelopeBody({ id, type, createdAt, data, attempt })).toBe(vector.body)
    const newest = signingKey(vector.secret)
    const secrets = vector.previousSecret === null ? [newest] : [newest, signingKey(vector.previousSecret)]
    const signing = secrets[vector.signedWith === 'secret' ? 0 : 1] ?? newest
    const sent = deliveryHeaders({
      ...{ body: Buffer.from(vector.body), eventId: id, attempt, at: new Date(vector.timestamp), secrets, signing },
    })
    expect(sent).toEqual({ ...vector.headers, 'user-agent': 'Countersign-Webhooks/1' })
  })
})
