/** Calls of the API on the same origin, with the cookie of the session. */
export type Answer<T> =
  | { readonly ok: true; readonly data: T }
  /** Status 0: no answer came. */
  | {
      readonly ok: false
      readonly status: number
      readonly code: string
      readonly message: string
      readonly retryAfter: number
      /** `details.reason`, where the server says one. */
      readonly reason?: unknown
    }

export interface Session {
  readonly refreshToken: string
}

const patience = 20_000

/** In memory only: a person who opens the page later signs in again. */
let refreshToken: string | null = null
let refreshing: Promise<boolean> | null = null

async function send<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  try {
    const response = await fetch(`/api${path}`, {
      method,
      credentials: 'same-origin',
      signal: AbortSignal.timeout(patience),
      ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const value = text === '' ? {} : JSON.parse(text)
    if (response.ok) return { ok: true, data: ('data' in value ? value.data : value) as T }
    const { code = '', message = '', details } = value.error ?? {}
    const retryAfter = Number(response.headers.get('retry-after') ?? 0)
    return { ok: false, status: response.status, code, message, retryAfter, reason: details?.reason }
  } catch {
    return { ok: false, status: 0, code: 'NO_ANSWER', message: '', retryAfter: 0 }
  }
}

/** Keeps what renews the session, from an answer that began one. */
export function keepSession<T extends Session>(answer: Answer<T>): Answer<T> {
  if (answer.ok) refreshToken = answer.data.refreshToken
  return answer
}

export const forgetSession = (): void => {
  refreshToken = null
}

/** Hands the session to the console, whose refresh token is in a cookie. False: there is none, or the server refused. */
export async function passSessionOn(): Promise<boolean> {
  const spent = refreshToken
  refreshToken = null
  return spent !== null && (await send('POST', '/auth/session', { refreshToken: spent })).ok
}

/** Two calls that meet an expired session renew it once: a second use of the same token would end it. */
function renew(): Promise<boolean> {
  refreshing ??= (async () => {
    const spent = refreshToken
    refreshToken = null
    if (spent === null) return false
    return keepSession(await send<Session>('POST', '/auth/refresh-token', { refreshToken: spent })).ok
  })().finally(() => {
    refreshing = null
  })
  return refreshing
}

/** A wrong password is 401 too, and says nothing about the session. */
const isEntry = (path: string): boolean => path.startsWith('/auth/login') || path === '/auth/step-up'

async function inSession<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  const answer = await send<T>(method, path, body)
  if (answer.ok || answer.status !== 401 || isEntry(path)) return answer
  return (await renew()) ? send<T>(method, path, body) : answer
}

let askStepUp: () => Promise<boolean> = async () => false

/** Who asks the person to show that it is them. */
export const onStepUp = (ask: () => Promise<boolean>): void => {
  askStepUp = ask
}

export async function call<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  const answer = await inSession<T>(method, path, body)
  if (answer.ok || answer.reason !== 'stepUp' || !(await askStepUp())) return answer
  return inSession<T>(method, path, body)
}
