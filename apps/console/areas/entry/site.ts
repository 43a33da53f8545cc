/** The ways in that leave this page. */
import { entryApi } from '../../app/api.ts'

/** Read by the pages that come back from another host. */
function returnHere(next: string): void {
  try {
    sessionStorage.setItem('countersign-return', next)
  } catch {
    // They then lead to the account.
  }
}

/** A center's sign-in provider: the page asks for the center and leads there. */
export function leaveToProvider(next: string): void {
  returnHere(next)
  location.assign('/signin')
}

/** On the domain of a center: people sign in at the host of the service and come back. */
export async function leaveToService(next: string): Promise<void> {
  const { url } = await entryApi().auth.startHandoff()
  returnHere(next)
  location.assign(url)
}
