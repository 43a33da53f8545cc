/** SENS and SOLAPI on loopback, by their documents: they check the signature, the time and the body as the real ones do. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedText {
  readonly provider: 'sens' | 'solapi'
  readonly from: string
  readonly to: string
  readonly text: string
  readonly type: string | null
}

export interface TextBox {
  readonly sensUrl: string
  readonly solapiUrl: string
  readonly messages: ReceivedText[]
  /** The status with which it refuses everything. */
  refusing: number | null
  close(): Promise<void>
}

const [key, secret, service] = ['access-key', 'secret:with/signs', 'ncp:sms:kr:0123:countersign']
const mostSkewMs = 5 * 60_000

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

interface Answer {
  readonly status: number
  readonly body: object
}

const refused = (status: number, why: string): Answer => ({
  status,
  body: { error: { errorCode: String(status), message: why } },
})
const domestic = /^01[0-9]{8,9}$/

export async function openTextProvider(): Promise<TextBox> {
  const messages: ReceivedText[] = []

  function sens({ method, url = '', headers }: IncomingMessage, body: Record<string, unknown>): Answer {
    const [timestamp, id, signature] = ['timestamp', '', 'signature-v2'].map((name) =>
      String(headers[name === '' ? 'x-ncp-iam-access-key' : `x-ncp-apigw-${name}`] ?? ''),
    ) as [string, string, string]
    const wanted = createHmac('sha256', secret).update(`${method} ${url}\n${timestamp}\n${key}`).digest('base64')
    if (id !== key || !isSame(signature, wanted)) return refused(401, 'Authentication Failed')
    if (Math.abs(Date.now() - Number(timestamp)) > mostSkewMs) return refused(401, 'Expired timestamp')
    if (url !== `/sms/v2/services/${encodeURIComponent(service)}/messages`) return refused(404, 'Not Found')
    const { type, from, content, messages: sent } = body as Record<string, string> & { messages?: { to: string }[] }
    const bytes = [...String(content)].reduce((sum, each) => sum + (each.charCodeAt(0) < 0x80 ? 1 : 2), 0)
    const to = (sent as unknown as { to: string }[] | undefined)?.[0]?.to ?? ''
    if (!['SMS', 'LMS'].includes(String(type)) || !domestic.test(to)) return refused(400, 'Bad Request')
    if (bytes > (type === 'SMS' ? 90 : 2000)) return refused(400, 'The content is too long')
    messages.push({ provider: 'sens', from: String(from), to, text: String(content), type: String(type) })
    return {
      status: 202,
      body: { requestId: 'VORSSA', requestTime: '2026-11-18T21:00:00.000', statusCode: '202', statusName: 'success' },
    }
  }

  function solapi({ url, headers }: IncomingMessage, body: Record<string, unknown>): Answer {
    const form = /^HMAC-SHA256 apiKey=(\S+), date=(\S+), salt=(\S{12,64}), signature=([0-9a-f]{64})$/
    const [, id, date = '', salt = '', signature = ''] = form.exec(String(headers.authorization)) ?? []
    const wanted = createHmac('sha256', secret).update(`${date}${salt}`).digest('hex')
    if (id !== key || !isSame(signature, wanted)) return refused(403, 'SignatureDoesNotMatch')
    if (url !== '/messages/v4/send') return refused(404, 'NotFound')
    const { to = '', from = '', text = '' } = (body.message ?? {}) as Record<string, string>
    if (!domestic.test(to) || text === '') return refused(400, 'ValidationError')
    messages.push({ provider: 'solapi', from, to, text, type: null })
    return { status: 200, body: { groupId: 'G4V', messageId: 'M4V', to, from, statusCode: '2000' } }
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>
      const judge = request.url?.startsWith('/sms/') ? sens : solapi
      const answer = box.refusing === null ? judge(request, body) : refused(box.refusing, 'not now')
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const account = `${encodeURIComponent(key)}:${encodeURIComponent(secret)}@${host}`
  const box: TextBox = {
    sensUrl: `sens+http://${account}/${encodeURIComponent(service)}`,
    solapiUrl: `solapi+http://${account}`,
    messages,
    refusing: null,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return box
}
