/** The center whose custom domain this is; null on the host of the service. */
import { NotFoundError } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { entryApi } from './api.ts'

/** A name without a dot, or an address, is no domain of a center. */
const mayBeSite = /\.[a-z]{2,}$/.test(location.hostname)

export const useSite = () =>
  useQuery({
    queryKey: ['site'],
    staleTime: Number.POSITIVE_INFINITY,
    enabled: mayBeSite,
    ...(!mayBeSite && { initialData: null }),
    queryFn: async ({ signal }) => {
      try {
        return await entryApi().whitelabel.getConfig(location.hostname, { signal })
      } catch (error) {
        if (error instanceof NotFoundError) return null
        throw error
      }
    },
  })
