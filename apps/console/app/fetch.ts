/** Calls in the session of this browser: they carry its token, and renew it once when it has expired. */
import { pausedFor } from './pauses.ts'
import { freshToken, renewSession } from './session.ts'

export async function send(address: RequestInfo | URL, init: RequestInit, token: string | null): Promise<Response> {
  const headers = new Headers(init.headers)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  const response = await fetch(address, { ...init, headers, credentials: 'same-origin' })
  if (response.status === 429) pausedFor(Number(response.headers.get('retry-after') ?? 1))
  return response
}

/** Relative addresses only. */
export async function inSession(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const token = await freshToken()
  const response = await send(address, init, token)
  if (response.status !== 401 || token === null) return response
  // Expired, or ended by a change of the center in another tab, which has a newer session.
  return (await renewSession(token)) ? send(address, init, await freshToken()) : response
}
