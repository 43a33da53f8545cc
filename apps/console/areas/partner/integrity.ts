/** What the service knows about the chains of all centers of the partner. */
import { useQuery } from '@tanstack/react-query'
import { sessionFetch } from '../../app/api.ts'
import { SessionRefusal } from '../../app/session.ts'

export interface CenterIntegrity {
  readonly centerId: number
  readonly name: string
  readonly domain: string
  readonly entries: number
  readonly broken: readonly { readonly domain: string; readonly brokenAt: number }[]
  readonly verifiedAt: string | null
  readonly reachable: boolean
}

export const useIntegrity = () =>
  useQuery({
    queryKey: ['chain', 'partner'],
    queryFn: async ({ signal }): Promise<readonly CenterIntegrity[]> => {
      const response = await sessionFetch('/api/partner/integrity', { signal })
      const value = (await response.json().catch(() => ({}))) as {
        data?: readonly CenterIntegrity[]
        error?: { code?: string }
      }
      if (response.ok && value.data) return value.data
      const { status, headers } = response
      throw new SessionRefusal(status, value.error?.code ?? `HTTP_${status}`, headers.get('x-request-id'), 0)
    },
  })
