/** The libraries for Standard Webhooks verify what the server sent over HTTP, and refuse an altered copy. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Received } from '../support/consumer.ts'
import { startWebhookFixture, type WebhookFixture } from '../support/webhook-fixture.ts'
import { askGo, askPythonPackages, describeWith } from './other-programs.ts'

interface Case {
  readonly secret: string
  readonly body: string
  readonly headers: Record<string, string>
}

let fixture: WebhookFixture
let right: Case[]
let altered: Case[]
beforeAll(async () => {
  fixture = await startWebhookFixture()
  const { id, signingSecret: first } = await fixture.register()
  await fixture.publish({ data: { text: 'e\u0301, \u00e9, \u2028, 𝄞, </script>', amount: 1.5e300 } })
  const [sent] = (await fixture.consumer.until(1)) as [Received]
  const second = await fixture.rotate(id)
  await fixture.publish()
  const [, rotated] = (await fixture.consumer.until(2)) as [Received, Received]

  const asCase = (secret: string, { body, headers }: Received): Case => ({
    secret,
    body: body.toString('base64'),
    headers: Object.fromEntries(
      Object.entries(headers).filter(([name]) => name.startsWith('webhook-')),
    ) as Case['headers'],
  })
  const genuine = asCase(first, sent)
  right = [genuine, asCase(first, rotated), asCase(second, rotated)]
  const withHeader = (name: string, change: (value: string) => string): Case => ({
    ...genuine,
    headers: { ...genuine.headers, [name]: change(genuine.headers[name] as string) },
  })
  const text = sent.body.toString()
  altered = [
    { ...genuine, secret: second },
    { ...genuine, body: Buffer.from(text.replace('1.5e+300', '2.5e+300')).toString('base64') },
    { ...genuine, body: Buffer.from(`${text} `).toString('base64') },
    withHeader('webhook-id', (value) => `${value}x`),
    withHeader('webhook-timestamp', (value) => String(Number(value) + 1)),
    withHeader('webhook-timestamp', (value) => String(Number(value) - 301)),
    withHeader('webhook-signature', (value) => value.replace('v1,', 'v2,')),
  ]
  expect(new Set(altered.map((each) => JSON.stringify(each))).size).toBe(altered.length)
  expect(altered[1]?.body).not.toBe(genuine.body)
})
afterAll(() => fixture.close())

async function expectVerified(verify: (cases: readonly Case[]) => Promise<readonly string[]>): Promise<void> {
  expect(await verify(right)).toEqual(['ok', 'ok', 'ok'])
  const answers = await verify(altered)
  expect(answers).toHaveLength(altered.length)
  expect(answers).not.toContain('ok')
}

describe('standardwebhooks of npm', () => {
  it('verifies a delivery, before and during a rotation, and refuses altered copies', () =>
    expectVerified(async (cases) =>
      cases.map(({ secret, body, headers }) => {
        try {
          new Webhook(secret).verify(Buffer.from(body, 'base64'), headers)
          return 'ok'
        } catch (error) {
          return String(error)
        }
      }),
    ))
})

describeWith(['pip'], 'standardwebhooks of the Python index', () => {
  it('verifies a delivery, before and during a rotation, and refuses altered copies', () =>
    expectVerified((cases) => askPythonPackages('webhook', cases)))
})

describeWith(['go'], 'standard-webhooks in Go', () => {
  it('verifies a delivery, before and during a rotation, and refuses altered copies', () =>
    expectVerified((cases) => askGo('webhook', cases)))
})
