import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startWebhookFixture, type WebhookFixture } from '../../../tests/support/webhook-fixture.ts'
import { verifyWebhook } from '../webhook.ts'

interface Vector {
  readonly about: string
  readonly body: string
  readonly headers: Record<string, string>
  readonly secret: string
}
const vectors = JSON.parse(
  readFileSync(new URL('../../../docs/formats/webhook-signatures.json', import.meta.url), 'utf8'),
) as {
  accepted: (Vector & { previousSecret: string | null; timestamp: string })[]
  refused: (Vector & { receivedAt: string; accepted: { service: boolean; standard: boolean } })[]
}
const schemes = ['standard', 'service'] as const
const at = (time: string) => ({ now: () => Date.parse(time) })

describe('the published vectors', () => {
  it.each(vectors.accepted)('accept $about', async ({ body, headers, secret, previousSecret, timestamp }) => {
    for (const scheme of schemes) {
      for (const known of [secret, ...(previousSecret ? [previousSecret] : [])]) {
        const delivery = { headers, scheme, secrets: known, clock: at(timestamp) }
        expect((await verifyWebhook({ ...delivery, body })).id).toBe(headers['webhook-id'])
        expect(await verifyWebhook({ ...delivery, headers: new Headers(headers), body: Buffer.from(body) })).toEqual(
          JSON.parse(body),
        )
      }
    }
  })

  it.each(vectors.refused)('refuse $about', async ({ body, headers, secret, receivedAt, accepted }) => {
    for (const scheme of schemes) {
      const said = await verifyWebhook({ body, headers, scheme, secrets: [secret], clock: at(receivedAt) }).then(
        () => true,
        (error: Error) => error.name,
      )
      expect(said).toBe(accepted[scheme] || 'WebhookSignatureError')
    }
  })
})

describe('a mistake of the receiver', () => {
  const [{ body, headers, secret, timestamp }] = vectors.accepted as [(typeof vectors.accepted)[0]]
  const delivery = { body, headers, secrets: secret, clock: at(timestamp) }
  it.each([
    ['a parsed body', { body: JSON.parse(body) }, TypeError],
    ['a secret with quotes', { secrets: `"${secret}"` }, TypeError],
    ['no secret', { secrets: [] }, TypeError],
    ['a body that was written anew', { body: JSON.stringify(JSON.parse(body), null, 1) }, 'signature'],
    ['no headers', { headers: {} }, 'headers'],
    ['a clock that is wrong', { clock: at('2020-01-01T00:00:00Z') }, 'time'],
    ['a header given twice', { headers: { ...headers, 'webhook-id': ['a', 'b'] } }, 'headers'],
  ])('is named: %s', async (_, change, wanted) => {
    const error = await verifyWebhook({ ...delivery, ...change }).catch((each: unknown) => each)
    if (typeof wanted === 'string') expect(error).toMatchObject({ name: 'WebhookSignatureError', reason: wanted })
    else expect(error).toBeInstanceOf(wanted)
  })

  it('cannot move a delivery from the scheme with a signed time to the other', async () => {
    const { 'webhook-signature': _, ...rest } = headers
    await expect(verifyWebhook({ ...delivery, headers: rest })).rejects.toMatchObject({ reason: 'headers' })
  })
})

describe('deliveries of a server', () => {
  let fixture: WebhookFixture
  beforeAll(async () => {
    fixture = await startWebhookFixture()
  })
  afterAll(() => fixture.close())

  it('are accepted by either scheme, also by the old secret after a rotation', async () => {
    const { id, signingSecret } = await fixture.register()
    const rotated = await fixture.rotate(id)
    await fixture.publish()
    const [received] = await fixture.consumer.until(1)
    if (!received) throw new Error('nothing was delivered')
    const { body, headers } = received
    for (const scheme of schemes) {
      for (const secrets of [signingSecret, rotated, [signingSecret, rotated]]) {
        expect(await verifyWebhook({ body, headers, secrets, scheme })).toMatchObject({ deliveryAttempt: 1 })
      }
    }
  })
})
