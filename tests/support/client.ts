/** Calls a server at an address; checks every answer against the contract. */
import { type Answer, assertKeepsContract } from './contract-check.ts'
import type { Person } from './world.ts'

export interface Call {
  readonly body?: unknown
  /** Sent unchanged, with the content type application/json. */
  readonly raw?: string | Uint8Array
  readonly token?: string
  readonly headers?: Record<string, string>
  /** Returns a 503 for load shedding instead of retrying. */
  readonly impatient?: boolean
}

export interface SignedIn {
  readonly accessToken: string
  readonly refreshToken: string
  readonly answer: Answer
}

export interface Client {
  readonly url: string
  call(method: string, path: string, call?: Call): Promise<Answer>
  signIn(person: Person, centerDomain?: string): Promise<SignedIn>
}

/** Refused by load shedding, before the server processed the request. */
const isShed = ({ status, text }: Answer): boolean => status === 503 && text.includes('The server is busy')
const mostTries = 40
const betweenMs = 250

export function openClient(url: string): Client {
  /** On a slow machine a server sheds load although the load is small; a retry succeeds. */
  async function call(method: string, path: string, options: Call = {}): Promise<Answer> {
    for (let tried = 1; ; tried++) {
      const answer = await callOnce(method, path, options)
      if (!isShed(answer) || options.impatient || tried === mostTries) return answer
      await new Promise((resolve) => setTimeout(resolve, betweenMs))
    }
  }

  async function callOnce(method: string, path: string, { body, raw, token, headers }: Call): Promise<Answer> {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await fetch(`${url}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(payload !== undefined && { body: payload }),
    })
    const text = await response.text()
    const type = response.headers.get('content-type') ?? ''
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: parsedBody(type, text),
    }
    assertKeepsContract(method, path, answer)
    return answer
  }

  return {
    url,
    call,
    async signIn({ email, password }, centerDomain) {
      const answer = await call('POST', '/api/auth/login', {
        body: { email, password, ...(centerDomain && { centerDomain }) },
      })
      if (answer.status !== 200) throw new Error(`could not sign in: ${answer.text}`)
      return { accessToken: answer.body.data.accessToken, refreshToken: answer.body.data.refreshToken, answer }
    },
  }
}

export function parsedBody(contentType: string, text: string): unknown {
  if (text === '') return null
  if (contentType.includes('ndjson'))
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  return contentType.includes('json') ? JSON.parse(text) : null
}
