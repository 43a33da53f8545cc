/** How the approval page speaks with the server: in the session of this browser, with answers instead of exceptions. */
import type { Decision } from '@countersign/sdk'
import { inSession } from '../app/fetch.ts'
import type { Answer, Wire } from '../decision/decide.ts'

const patience = 20_000

export async function call<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  try {
    const response = await inSession(`/api${path}`, {
      method,
      signal: AbortSignal.timeout(patience),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const value = text === '' ? {} : JSON.parse(text)
    if (response.ok) return { ok: true, data: ('data' in value ? value.data : value) as T }
    const { code = '', details } = value.error ?? {}
    const retryAfter = Number(response.headers.get('retry-after') ?? 0)
    const { reason, by, turn } = details ?? {}
    return { ok: false, status: response.status, code, retryAfter, reason, by, turn }
  } catch {
    return { ok: false, status: 0, code: 'NO_ANSWER', retryAfter: 0 }
  }
}

export const addressOf = (id: string): string => `/decisions/${encodeURIComponent(id)}`

export const wire: Wire = {
  channel: 'page',
  challenge: (id, given) => call('POST', `${addressOf(id)}/approvals/challenge`, given),
  approve: (id, body) => call('POST', `${addressOf(id)}/approvals`, body),
  challengeConfirmation: (id, given) => call('POST', `${addressOf(id)}/confirmations/challenge`, given),
  confirm: (id, body) => call('POST', `${addressOf(id)}/confirmations`, body),
  read: (id) => call<Decision>('GET', addressOf(id)),
}
