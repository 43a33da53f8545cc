/** From the custom domain of a center to the host of the service, and back. */
import { badLink } from './account.ts'
import { call, keepSession } from './api.ts'
import { button } from './dom.ts'
import { loading, notice, show, told, words } from './page.ts'
import { faultOf, pageToReturnTo } from './sign-in.ts'
import type { SignedIn } from './types.ts'

/** On a custom domain: leads to the host of the service. False elsewhere. */
export async function leavePage(): Promise<boolean> {
  const config = await loading(call<{ name: string }>('GET', `/whitelabel/${location.hostname}/config`))
  if (!config.ok) return false
  const leave = async () => {
    const started = await call<{ url: string }>('POST', '/auth/handoff/start')
    if (started.ok) location.assign(started.data.url)
    else show(() => notice(words().providerFailedTitle, [faultOf(started)]))
  }
  const { name } = config.data
  show(() => notice(name, [told('leaveBody', { center: name })], button(words().signIn, 'first', leave)))
  return true
}

const handoffKey = 'countersign-handoff'

/** At the host of the service: remembers the custom domain that waits, also on the way to a provider and back. */
export function noteHandoff(): void {
  const handoff = new URLSearchParams(location.search).get('handoff')
  if (handoff !== null) sessionStorage.setItem(handoffKey, handoff)
}

/** After the sign-in: leads back to the custom domain. False where none waits. */
export async function goBack(): Promise<boolean> {
  const handoff = sessionStorage.getItem(handoffKey)
  if (handoff === null) return false
  sessionStorage.removeItem(handoffKey)
  const issued = await call<{ url: string }>('POST', '/auth/handoff/code', { handoff })
  if (issued.ok) location.assign(issued.data.url)
  else show(() => notice(words().providerFailedTitle, [words().providerFailedBody]))
  return true
}

/** On the custom domain again. */
export async function returnPage(token: string, go: (path: string) => Promise<void>): Promise<void> {
  const answer = keepSession(await loading(call<SignedIn>('POST', '/auth/handoff/redeem', { token })))
  if (answer.ok) return go(pageToReturnTo())
  show(badLink)
}
