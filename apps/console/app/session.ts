/**
 * The session of this browser. The access token is in memory, the refresh token in a cookie that no script reads. All
 * tabs share the cookie: one of them renews at a time and tells the others, so no refresh token is used twice.
 */
import type { EnvironmentName } from '@countersign/contract/enums.ts'
import { storeOf } from './store.ts'

export interface Session {
  readonly accessToken: string
  /** By the clock of this browser. */
  readonly expiresAt: number
  readonly actor: { readonly id: string; readonly email: string; readonly name: string; readonly role: string }
  readonly center: { readonly id: number; readonly name: string; readonly domain: string } | null
  readonly destination: string
  /** Whether the pages of operators are open to it. */
  readonly operator: boolean
  /** What this installation is called. */
  readonly environment: EnvironmentName
}

/** `ended`: there was a session in this tab, and it is over. */
export type SessionState =
  | { readonly status: 'unknown' | 'out' | 'ended'; readonly session: null }
  | { readonly status: 'in'; readonly session: Session }

/** What the server said, where it refused to start a session. */
export class SessionRefusal extends Error {
  readonly status: number
  readonly code: string
  readonly requestId: string | null
  readonly retryAfter: number
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, requestId: string | null, retryAfter: number, details = {}) {
    super(code)
    this.status = status
    this.code = code
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.details = details
  }
}

export const sessionStore = storeOf<SessionState>({ status: 'unknown', session: null })
export const sessionState = sessionStore.get
const held = (): string | null => sessionState().session?.accessToken ?? null
const channel = new BroadcastChannel('countersign-session')

function become(next: SessionState, tellTabs: boolean): void {
  if (tellTabs) channel.postMessage(next)
  sessionStore.set(next)
}

channel.onmessage = ({ data }: MessageEvent<SessionState>) => {
  if (data.status === 'in') become(data, false)
  // A tab that has no session is not told that one ended.
  else if (held() !== null) become({ status: 'ended', session: null }, false)
}

interface Answer extends Omit<Session, 'expiresAt'> {
  readonly expiresIn: number
}

async function post(path: string, body?: object): Promise<Session> {
  const asked = Date.now()
  const response = await fetch(`/api/auth/session${path}`, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(path === '/center' && { authorization: `Bearer ${held()}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => null)
  if (response === null) throw new SessionRefusal(0, 'NO_ANSWER', null, 0)
  const value = (await response.json().catch(() => ({}))) as {
    data?: Answer
    error?: { code?: string; details?: object }
  }
  if (response.ok && value.data) {
    const { expiresIn, ...session } = value.data
    return { ...session, expiresAt: asked + expiresIn * 1000 }
  }
  throw new SessionRefusal(
    response.status,
    value.error?.code ?? `HTTP_${response.status}`,
    response.headers.get('x-request-id'),
    Number(response.headers.get('retry-after') ?? 0),
    value.error?.details,
  )
}

/** One tab at a time. Browsers have locks in secure contexts only; elsewhere the server gives both tabs one successor. */
const alone = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request('countersign-session', work) : work()

async function begin(path: string, body?: object): Promise<Session> {
  const session = await post(path, body)
  become({ status: 'in', session }, true)
  return session
}

export interface Credentials {
  readonly email?: string
  readonly phone?: string
  readonly password?: string
  /** Of another sign-in, by passkey or provider; it is spent. */
  readonly refreshToken?: string
  readonly centerDomain?: string
}

export const startSession = (credentials: Credentials): Promise<Session> => alone(() => begin('', credentials))

const renewBeforeMs = 20_000
let renewing: Promise<boolean> | null = null

/** Replaces the access token `used`, unless another call or tab already has. False: the session has ended. */
export function renewSession(used: string | null): Promise<boolean> {
  const isReplaced = () => held() !== null && held() !== used
  if (isReplaced()) return Promise.resolve(true)
  renewing ??= alone(async () => {
    if (isReplaced()) return true
    try {
      await begin('/refresh')
      return true
    } catch (error) {
      // Without an answer the session may still be good.
      if ((error as SessionRefusal).status === 0 || (error as SessionRefusal).status >= 429) throw error
      const ended = held() !== null
      become({ status: ended ? 'ended' : 'out', session: null }, ended)
      return false
    }
  }).finally(() => {
    renewing = null
  })
  return renewing
}

/** Renewed before it expires, so that a call does not begin with a refusal. Null: there is no session. */
export async function freshToken(): Promise<string | null> {
  const { session } = sessionState()
  if (session === null) return null
  if (session.expiresAt - Date.now() < renewBeforeMs) await renewSession(session.accessToken).catch(() => false)
  return held()
}

export async function switchCenter(centerId: number): Promise<Session> {
  await freshToken()
  return alone(() => begin('/center', { centerId }))
}

/** For routes: the session, or null without one. */
export async function knownSession(): Promise<Session | null> {
  if (sessionState().status === 'unknown') await renewSession(null)
  return sessionState().session
}

export async function endSession(): Promise<void> {
  await fetch('/api/auth/session', { method: 'DELETE', credentials: 'same-origin' }).catch(() => null)
  become({ status: 'out', session: null }, true)
}
