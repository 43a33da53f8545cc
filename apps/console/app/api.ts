/**
 * The operations of the API, by the names that the contract gives them: `api.decisions.list({ waiting: true })`. Calls
 * carry the token of the session, renew it once when it has expired, ask the person to show that it is them where that is
 * needed, and wait where the server says so.
 */
import { CountersignPlatform } from '@countersign/sdk'
import { inSession, send } from './fetch.ts'
import { askStepUp, needsStepUp } from './step-up.ts'

/** For what is no operation of the SDK, such as a download; relative addresses only. */
export async function sessionFetch(address: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const response = await inSession(address, init)
  const asked = await needsStepUp(response)
  return asked && (await askStepUp(asked)) ? inSession(address, init) : response
}

export const api = new CountersignPlatform({ baseUrl: location.origin, fetch: sessionFetch })

/** Sign-in by other ways than a password answers with tokens of its own; this client forgets them. */
export const entryApi = (): CountersignPlatform =>
  new CountersignPlatform({ baseUrl: location.origin, fetch: (address, init) => send(address, init ?? {}, null) })
