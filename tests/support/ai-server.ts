/** A third-party model server over real HTTP: speaks chat completions, answers as configured, and records every request. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: {
    readonly model: string
    readonly stream: boolean
    readonly temperature: number
    readonly max_tokens: number
    readonly messages: readonly { readonly role: string; readonly content: string }[]
    readonly response_format?: {
      readonly type: string
      readonly json_schema?: { readonly strict?: boolean; readonly schema: Record<string, unknown> }
    }
  }
}

export type AiManner = (asked: Asked, response: ServerResponse) => void

export interface AiServer {
  /** The value for AI_BASE_URL. */
  readonly url: string
  readonly asked: Asked[]
  /** Sets the answer from now on; by default `wording()`. */
  behave(manner: AiManner): void
  close(): Promise<void>
}

const send = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

/** A valid completion with this text. */
export const saying =
  (content: unknown, finish = 'stop', confidence?: number): AiManner =>
  ({ body }, response) =>
    send(response, 200, {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      model: body.model,
      choices: [
        {
          index: 0,
          finish_reason: finish,
          message: {
            role: 'assistant',
            content:
              typeof content === 'string'
                ? content
                : JSON.stringify({ ...(content as object), ...(confidence !== undefined && { confidence }) }),
          },
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    })

/** The answer of a well-behaved model to a workflow. */
export const wording = (
  summary = 'The figures are as listed, and a person should review them.',
  confidence = 0.8,
): AiManner => saying({ summary, points: ['Look at the list.'] }, 'stop', confidence)

export const slow: AiManner = () => {}
export const rateLimited = (retryAfter: string): AiManner => failing(429, { 'retry-after': retryAfter })
export const failing =
  (status: number, headers = {}, message = 'no'): AiManner =>
  (_, response) =>
    send(response, status, { error: { message } }, headers)
export const malformed: AiManner = (_, response) => send(response, 200, '{"choices": [')
export const wrongContent = saying('I would rather not answer in JSON.')
export const truncated = saying('{"summary": "The figu', 'length')
export const endless: AiManner = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}

/** Answers with one manner after another; the last one stays. */
export const inTurn = (...manners: [AiManner, ...AiManner[]]): AiManner => {
  let turn = 0
  return (asked, response) => (manners[Math.min(turn++, manners.length - 1)] as AiManner)(asked, response)
}

export async function startAiServer(): Promise<AiServer> {
  const asked: Asked[] = []
  let manner: AiManner = wording()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      const each = { path: request.url ?? '', headers: request.headers, body }
      asked.push(each)
      manner(each, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    asked,
    behave(next) {
      manner = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
