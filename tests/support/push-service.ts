/**
 * A push service as RFC 8030 describes it, with the browsers behind it: it checks the token of the sender (RFC 8292) and
 * decrypts what it gets with the keys of the browser (RFC 8291).
 */
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface BrowserKeys {
  readonly keys: { readonly p256dh: string; readonly auth: string }
  readonly pair: ECDH
}

export function newBrowserKeys(): BrowserKeys {
  const pair = createECDH('prime256v1')
  const p256dh = pair.generateKeys().toString('base64url')
  return { keys: { p256dh, auth: randomBytes(16).toString('base64url') }, pair }
}

const derived = (salt: Buffer, secret: Buffer, info: string | Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

/** As a browser reads a message: one record of `aes128gcm`. */
export function decrypt(body: Buffer, { keys, pair }: BrowserKeys): string {
  const [salt, idLength] = [body.subarray(0, 16), body[20] as number]
  const sender = body.subarray(21, 21 + idLength)
  const record = body.subarray(21 + idLength)
  if (record.length > body.readUInt32BE(16)) throw new Error('more than one record')
  const context = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), sender])
  const secret = derived(Buffer.from(keys.auth, 'base64url'), pair.computeSecret(sender), context, 32)
  const key = derived(salt, secret, 'Content-Encoding: aes128gcm\0', 16)
  const cipher = createDecipheriv('aes-128-gcm', key, derived(salt, secret, 'Content-Encoding: nonce\0', 12))
  cipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
  const end = plain.findLastIndex((byte) => byte !== 0)
  if (plain[end] !== 2) throw new Error('not the last record')
  return plain.subarray(0, end).toString()
}

/** The public key that signed the token, where the token is one for this service. */
function senderOf({ authorization = '' }: IncomingHttpHeaders, audience: string): string | null {
  const [, token = '', k = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const point = Buffer.from(k, 'base64url')
  if (point.length !== 65) return null
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)]
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const signed = Buffer.from(`${header}.${claims}`)
  const holds = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'))
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const left = exp - Date.now() / 1000
  return holds && aud === audience && left > 0 && left <= 86_400 && /^(mailto|https):/.test(sub) ? k : null
}

export interface Received {
  readonly endpoint: string
  readonly sender: string | null
  readonly message: string
  readonly headers: IncomingHttpHeaders
}

export interface PushService {
  readonly received: Received[]
  /** A subscription of a new browser, as `PushSubscription.toJSON()`. */
  subscribe(): { readonly endpoint: string; readonly keys: BrowserKeys['keys'] }
  /** What the service answers from now on: 201 until this is called. */
  answer(status: number, headers?: Readonly<Record<string, string>>): void
  close(): Promise<void>
}

export async function openPushService(): Promise<PushService> {
  const received: Received[] = []
  const browsers = new Map<string, BrowserKeys>()
  let answered: { status: number; headers: Readonly<Record<string, string>> } = { status: 201, headers: {} }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const endpoint = origin + request.url
    const browser = browsers.get(endpoint)
    if (!browser || !request.headers.ttl) return response.writeHead(404).end()
    const sender = senderOf(request.headers, origin)
    received.push({ endpoint, sender, message: decrypt(Buffer.concat(chunks), browser), headers: request.headers })
    response.writeHead(answered.status, answered.headers).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    received,
    subscribe() {
      const browser = newBrowserKeys()
      const endpoint = `${origin}/push/${randomBytes(16).toString('base64url')}`
      browsers.set(endpoint, browser)
      return { endpoint, keys: browser.keys }
    },
    answer(status, headers = {}) {
      answered = { status, headers }
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Settings of a server that sends to it. */
export const pushSettings = {
  NOTIFICATION_HOSTS: '127.0.0.1',
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
}
