import { createHmac } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deliveryHeaders, envelopeBody, newSigningSecret, type SigningKey, signingKey } from '../signing.ts'

const at = new Date('2026-11-15T08:30:00.987Z')
const event = { id: 'msg_01', type: 'payment.completed', createdAt: '2026-11-15T08:29:59.001Z', attempt: 1 }
const anyText = fc.string({ unit: 'binary' })
/** JSON texts, some of which change when they are parsed and written again. */
const data = fc.oneof(
  fc.json({ stringUnit: 'binary' }),
  fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.stringify(value, null, 2)),
  fc.bigInt().map((value) => `{"amount":${value},"ratio":${value}.50e+3,"amount":1.0}`),
  anyText.map((text) => `{ "text" : ${JSON.stringify(`\u2028${text}\u2029`)} }`),
  fc.constantFrom('{}', '{"\\u00e9":"\\ud83d\\ude00\\/"}', '{"e":1e400,"z":-0}'),
)

const legacy = (secret: string, body: string) => createHmac('sha256', secret).update(body, 'utf8').digest('hex')
const standard = (secret: string, id: string, seconds: number, body: string) =>
  createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`${id}.${seconds}.${body}`)
    .digest('base64')

describe('a new secret', () => {
  it('is whsec_ and the base64 of 32 bytes, and unique', () => {
    const made = Array.from({ length: 500 }, newSigningSecret)
    for (const secret of made) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    }
    expect(new Set(made).size).toBe(made.length)
  })

  it('is not revealed by its key, in a log or in an error', () => {
    const secret = newSigningSecret()
    const shown = inspect(signingKey(secret), { depth: 9, showHidden: true }) + JSON.stringify(signingKey(secret))
    expect(shown).not.toContain(secret.slice(6, 20))
    for (const wrong of [secret.slice(6), `${secret}=`, secret.slice(0, -2), `whsec_${'!'.repeat(43)}=`, '']) {
      expect(() => signingKey(wrong)).toThrow(/^not a signing secret: whsec_ and the base64 of 32 bytes are expected$/)
    }
  })
})

describe('the body', () => {
  it('has five members, in this order', () => {
    expect(envelopeBody({ ...event, data: '{"a":1}' })).toBe(
      '{"id":"msg_01","type":"payment.completed","createdAt":"2026-11-15T08:29:59.001Z","data":{"a":1},"deliveryAttempt":1}',
    )
  })

  it('holds data byte for byte and the other members unchanged, for any event', () => {
    fc.assert(
      fc.property(data, anyText, anyText, fc.integer({ min: 1 }), (text, id, type, attempt) => {
        const body = envelopeBody({ ...event, id, type, attempt, data: text })
        expect(JSON.parse(body)).toEqual({
          ...{ id, type, createdAt: event.createdAt, deliveryAttempt: attempt },
          data: JSON.parse(text),
        })
        const kept = body.indexOf(',"data":', JSON.stringify({ id, type, createdAt: event.createdAt }).length - 1)
        expect(body.slice(kept)).toBe(`,"data":${text},"deliveryAttempt":${attempt}}`)
      }),
    )
  })
})

describe('the headers', () => {
  const secret = newSigningSecret()
  const body = Buffer.from(envelopeBody({ ...event, data: '{"원":"₩1,000 😀\u2028"}' }))
  const sent = (secrets: readonly SigningKey[], signing?: SigningKey) =>
    deliveryHeaders({ body, eventId: event.id, attempt: 3, at, secrets, ...(signing && { signing }) })

  it('with one secret are exactly these', () => {
    const seconds = Date.parse('2026-11-15T08:30:00Z') / 1000
    const expected = {
      'content-type': 'application/json',
      'user-agent': 'Countersign-Webhooks/1',
      'x-service-signature': legacy(secret, body.toString()),
      'x-service-event-id': 'msg_01',
      'x-service-delivery-attempt': '3',
      'x-service-timestamp': '2026-11-15T08:30:00.987Z',
      'webhook-id': 'msg_01',
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${standard(secret, 'msg_01', seconds, body.toString())}`,
    }
    const key = signingKey(secret)
    expect(sent([key])).toEqual(expected)
    expect(deliveryHeaders({ body, eventId: event.id, attempt: 3, at: at.getTime(), secrets: [key] })).toEqual(expected)
  })

  it('with several secrets hold one signature, the next one, and all of them, newest first', () => {
    const texts = Array.from({ length: 3 }, newSigningSecret)
    const keys = texts.map(signingKey)
    const hex = texts.map((text) => legacy(text, body.toString()))
    const all = texts.map((text) => `v1,${standard(text, 'msg_01', 1_794_731_400, body.toString())}`)
    for (const [count, signing, next] of [
      [2, 0, 1],
      [2, 1, 0],
      [3, 0, 1],
      [3, 1, 2],
      [3, 2, 0],
    ] as const) {
      const headers = sent(keys.slice(0, count), keys[signing])
      expect(headers['x-service-signature']).toBe(hex[signing])
      expect(headers['x-service-signature-previous']).toBe(hex[next])
      expect(headers['webhook-signature']).toBe(all.slice(0, count).join(' '))
    }
    expect(sent(keys)['x-service-signature']).toBe(hex[0])
  })

  it('cannot be made without a live secret', () => {
    const key = signingKey(secret)
    expect(() => sent([])).toThrow('a delivery is signed with a live secret')
    expect(() => sent([], key)).toThrow('a delivery is signed with a live secret')
    expect(() => sent([signingKey(secret)], key)).toThrow('a delivery is signed with a live secret')
  })

  it('verify under both schemes for any event', () => {
    const old = newSigningSecret()
    const secrets = [signingKey(secret), signingKey(old)]
    const time = fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    fc.assert(
      fc.property(data, time, fc.integer({ min: 1, max: 99 }), (text, dispatched, attempt) => {
        const written = envelopeBody({ ...event, attempt, data: text })
        const headers = deliveryHeaders({
          ...{ body: Buffer.from(written), eventId: event.id, attempt, at: dispatched, secrets },
        })
        const seconds = Math.floor(dispatched.getTime() / 1000)
        expect(headers['x-service-signature']).toBe(legacy(secret, written))
        expect(headers['x-service-signature-previous']).toBe(legacy(old, written))
        expect(headers['webhook-signature']).toBe(
          [secret, old].map((each) => `v1,${standard(each, event.id, seconds, written)}`).join(' '),
        )
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x21-\x7e]+( [\x21-\x7e]+)?$/)
      }),
    )
  })

  it('differ between the schemes: no signature of one is valid in the other', () => {
    const headers = sent([signingKey(secret)])
    const hex = Buffer.from(headers['x-service-signature'] as string, 'hex')
    const decoded = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(body)
      .digest()
    expect(hex.equals(decoded)).toBe(false)
    expect(headers['webhook-signature']).not.toContain(hex.toString('base64'))
  })
})
