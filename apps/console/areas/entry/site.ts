/** The ways in that leave this page, and what comes back with the person. */
import { api, entryApi } from '../../app/api.ts'
import { safeNext } from '../../app/next.ts'

/** The page that asked to sign in, and the custom domain that waits; both for this tab only. */
const [returnKey, handoffKey] = ['countersign-return', 'countersign-handoff']

function remember(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // The way back then leads to the start.
  }
}

function taken(key: string): string | null {
  try {
    const value = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return value
  } catch {
    return null
  }
}

/** What a provider sent along, as it sent it: read before the router, which writes an address in its own way. */
export const arrived = location.search.slice(1)
// The code is used once; it stays in no history.
if (location.pathname.startsWith('/signin/callback/')) history.replaceState(null, '', location.pathname)

/** A center's sign-in provider: the page asks for the center and leads there. */
export function leaveToProvider(next: string): void {
  remember(returnKey, next)
  location.assign('/signin')
}

/** On the domain of a center: people sign in at the host of the service and come back. */
export async function leaveToService(next: string): Promise<void> {
  const { url } = await entryApi().auth.startHandoff()
  remember(returnKey, next)
  location.assign(url)
}

/** At the host of the service: also on the way to a provider and back. */
export function noteHandoff(): void {
  const handoff = new URLSearchParams(arrived).get('handoff')
  if (handoff !== null) remember(handoffKey, handoff)
}

/** After signing in: leads back to the custom domain. False where none waits. */
export async function goBack(): Promise<boolean> {
  const handoff = taken(handoffKey)
  if (handoff === null) return false
  const { url } = await api.auth.issueHandoffCode({ handoff })
  location.assign(url)
  return true
}

export const pageToReturnTo = (): string | undefined => safeNext(taken(returnKey))
