/** The signature checker gives a reason only where undoing it makes the signature match. */
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { diagnose, type Verdict } from '../areas/developers/signature.ts'

const [secret, other] = ['one', 'two'].map((text) => `whsec_${Buffer.from(text.repeat(11)).toString('base64')}`) as [
  string,
  string,
]
const body =
  '{"id":"evt_1","type":"dpu.sealed","createdAt":"2026-11-15T09:30:00.000Z","data":{"b":1,"a":"가"},"deliveryAttempt":1}'
const now = 1_794_000_000_000

const service = (key: string) => createHmac('sha256', key).update(body).digest('hex')
const standard = (key: string) =>
  createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`evt_1.${now / 1000}.${body}`)
    .digest('base64')
const headers = (list: string) => `webhook-id: evt_1\nwebhook-timestamp: ${now / 1000}\nwebhook-signature: ${list}`
const ours = headers(`v1,${standard(secret)}`)
const rotated = `X-Service-Signature: ${service(other)}\nX-Service-Signature-Previous: ${service(secret)}`
const python = JSON.stringify(JSON.parse(body), null, 1).replaceAll('\n', '')
const reordered =
  '{"data":{"b":1,"a":"가"},"deliveryAttempt":1,"createdAt":"2026-11-15T09:30:00.000Z","id":"evt_1","type":"dpu.sealed"}'

const cases: readonly (readonly [Verdict, string, string, readonly string[]])[] = [
  ['ok', body, ours, [secret]],
  ['ok', body, service(secret), [secret]],
  ['ok', body, ours, [other, secret]],
  ['previous', body, rotated, [secret]],
  ['previous', body, headers(`v1,${standard(other)} v1,${standard(secret)}`), [secret]],
  ['secretSpace', body, ours, [` "${secret}" `]],
  ['whitespace', `${body}\n`, ours, [secret]],
  ['whitespace', `\uFEFF${body}`, service(secret), [secret]],
  ['reserialized', JSON.stringify(JSON.parse(body), null, 2), ours, [secret]],
  ['reserialized', python, service(secret), [secret]],
  ['reserialized', reordered, ours, [secret]],
  ['wrongSecret', body, ours, [other]],
  ['noMatch', '{"id":"evt_1"}', ours, [secret]],
  ['noSignature', body, 'content-type: application/json', [secret]],
  ['badSecret', body, ours, ['csk_live_1']],
]

it.each(cases)('%s: %j', async (verdict, text, given, secrets) => {
  expect((await diagnose({ body: text, headers: given, secrets, now })).verdict).toBe(verdict)
})
