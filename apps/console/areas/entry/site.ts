/** The center whose domain this is, and the ways in that leave this page. */

import { NotFoundError } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api, entryApi } from '../../app/api.ts'

/** The brand of the center whose domain this is; null on the host of the service. */
export const useSite = () =>
  useQuery({
    queryKey: ['site'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      // A name without a dot, or an address, is no domain of a center.
      if (!/\.[a-z]{2,}$/.test(location.hostname)) return null
      try {
        return await api.whitelabel.getConfig(location.hostname, { signal })
      } catch (error) {
        if (error instanceof NotFoundError) return null
        throw error
      }
    },
  })

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
