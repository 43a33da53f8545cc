/**
 * The operations of the API, by the names that the contract gives them: `api.decisions.list({ waiting: true })`. Calls
 * carry the token of the session, renew it once when it has expired, ask the person to show that it is them where that is
 * needed, and wait where the server says so.
 */
import { CountersignPlatform } from '@countersign/sdk'
import { pausedFor } from './pauses.ts'
import { freshToken, renewSession } from './session.ts'
import { askStepUp, needsStepUp } from './step-up.ts'

async function send(address: RequestInfo | URL, init: RequestInit, token: string | null): Promise<Response> {
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(address, { ...init, headers, credentials: 'same-origin' })
  if (response.status === 429) pausedFor(Number(response.headers.get('retry-after') ?? 1))
  return response
}

/** For what is no operation of the SDK, such as a download; relative addresses only. */
export async function sessionFetch(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const response = await inSession(address, init)
  return (await needsStepUp(response)) && (await askStepUp()) ? inSession(address, init) : response
}

async function inSession(address: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const token = await freshToken()
  const response = await send(address, init, token)
  if (response.status !== 401 || token === null) return response
  // Expired, or ended by a change of the center in another tab, which has a newer session.
  return (await renewSession(token)) ? send(address, init, await freshToken()) : response
}

export const api = new CountersignPlatform({ baseUrl: location.origin, fetch: sessionFetch })

/** Sign-in by other ways than a password answers with tokens of its own; this client forgets them. */
export const entryApi = (): CountersignPlatform =>
  new CountersignPlatform({ baseUrl: location.origin, fetch: (address, init) => send(address, init ?? {}, null) })
