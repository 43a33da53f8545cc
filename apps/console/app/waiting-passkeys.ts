/** Passkeys that wait for a confirmation, and how one's own stand. */
import type { SoleAdminPasskey } from '@countersign/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import type { NavigationEntry, Place } from './navigation.ts'

/** The event stream says nothing about passkeys. */
const askEveryMs = 60_000

export const useUnconfirmed = (center: string, enabled = true) =>
  useQuery({
    queryKey: ['passkeys', 'unconfirmed', center],
    queryFn: ({ signal }) => api.memberPasskeys.listUnconfirmed(center, { signal }),
    enabled,
    refetchInterval: askEveryMs,
  })

export type Outside = 'partner' | 'operator'

/** Those of sole administrators, for the partner or the operator. */
export const useSoleAdmins = (as: Outside, enabled = true) =>
  useQuery({
    queryKey: ['passkeys', as],
    queryFn: ({ signal }): Promise<SoleAdminPasskey[]> =>
      as === 'partner' ? api.partner.listPasskeys({ signal }) : api.admin.listPasskeys({ signal }),
    enabled,
    refetchInterval: askEveryMs,
  })

/** In the center that the session has entered. */
export const useStanding = (enabled = true) =>
  useQuery({
    queryKey: ['passkeys', 'standing'],
    queryFn: ({ signal }) => api.passkeys.getStanding({ signal }),
    enabled,
    retry: false,
  })

/** How many wait behind an entry of the navigation. */
export function useBadges(place: Place, center: string, entries: readonly NavigationEntry[]) {
  const shows = (path: string) => entries.some((entry) => entry.path === path)
  const inCenter = useUnconfirmed(center, place === 'center' && shows('/members'))
  const ofPartner = useSoleAdmins('partner', place === 'partner' && shows('/passkeys'))
  const ofOperator = useSoleAdmins('operator', place === 'operator' && shows('/passkeys'))
  return ({ path }: Pick<NavigationEntry, 'path'>): number => {
    if (path === '/members') return inCenter.data?.filter(({ mayConfirm }) => mayConfirm).length ?? 0
    return path === '/passkeys' ? ((place === 'partner' ? ofPartner : ofOperator).data?.length ?? 0) : 0
  }
}
