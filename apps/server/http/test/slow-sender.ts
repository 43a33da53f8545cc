/** A request whose second half is sent when the test decides, so that it stays in progress until then. */
import { Agent, request } from 'node:http'

export interface SlowRequest {
  /** Settles before `finish` where the server refuses the request unread. */
  readonly answered: Promise<{ status: number; body: string }>
  finish(): Promise<{ status: number; body: string }>
  abort(): void
}

/** Over a keep-alive connection, as clients use. */
export async function beginSlowly(url: string, token: string, body: unknown): Promise<SlowRequest> {
  const text = JSON.stringify(body)
  const half = Math.floor(text.length / 2)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  const sending = request(url, { method: 'POST', headers, agent: new Agent({ keepAlive: true }) })
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    sending.once('error', reject)
    sending.once('response', (response) => {
      let received = ''
      response.setEncoding('utf8').on('data', (data) => {
        received += data
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, body: received }))
    })
  })
  answered.catch(() => {})
  await new Promise<void>((resolve) => sending.write(text.slice(0, half), () => resolve()))
  return {
    answered,
    finish() {
      sending.end(text.slice(half))
      return answered
    },
    abort: () => sending.destroy(),
  }
}
