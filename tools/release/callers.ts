/**
 * Programs that call two API processes in turn. As a load balancer does, they look every second which of them are ready; and they
 * send a request again only as docs/guides/retries.md says.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fail } from './shared.ts'

export interface Call {
  readonly token?: string
  readonly body?: unknown
  /** Makes a write safe to send again. */
  readonly key?: string
}

export interface Callers {
  readonly counts: { requests: number; retried: number; unanswered: number }
  /** The text of the answer, whose status must be below 300. */
  text(method: string, path: string, call?: Call): Promise<string>
  /** The member `data` of such an answer. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any operation
  data(method: string, path: string, call?: Call): Promise<any>
  close(): void
}

const passing = new Set([429, 500, 502, 503, 504])
const attempts = 4

export function openCallers(addresses: readonly string[]): Callers {
  const counts = { requests: 0, retried: 0, unanswered: 0 }
  let ready = addresses
  let turn = 0
  const looking = setInterval(async () => {
    const found = await Promise.all(
      addresses.map((url) =>
        fetch(`${url}/health/ready`).then(
          (answer) => answer.text().then(() => answer.ok),
          () => false,
        ),
      ),
    )
    ready = addresses.filter((_, at) => found[at])
  }, 1000)

  async function once(method: string, path: string, { token, body, key }: Call) {
    const to = ready.length > 0 ? ready : addresses
    const answer = await fetch(`${to[turn++ % to.length]}${path}`, {
      method,
      signal: AbortSignal.timeout(30_000),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text(), after: Number(answer.headers.get('retry-after') ?? 0) }
  }

  async function text(method: string, path: string, call: Call = {}): Promise<string> {
    const repeatable = method === 'GET' || call.key !== undefined
    counts.requests++
    for (let attempt = 1; ; attempt++) {
      const answer = await once(method, path, call).catch((error: Error) => ({
        status: 0,
        text: String(error.cause ?? error),
        after: 0,
      }))
      if (answer.status > 0 && answer.status < 300) return answer.text
      const passes = passing.has(answer.status) || (answer.status === 0 && repeatable)
      if (!passes || attempt === attempts) {
        counts.unanswered++
        return fail(`${method} ${path} was answered with ${answer.status} in attempt ${attempt}: ${answer.text}`)
      }
      counts.retried++
      await sleep(Math.max(answer.after, 2 ** (attempt - 1) * (0.5 + Math.random() / 2)) * 1000)
    }
  }

  return {
    counts,
    text,
    data: async (method, path, call) => JSON.parse(await text(method, path, call)).data,
    close: () => clearInterval(looking),
  }
}
